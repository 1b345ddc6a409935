// How a clip that is not as long as ordered fills its time. Pure.

export interface TimeFit {
  /** How long it is shown. */
  seconds: number
  /** How much faster than its own time it plays. */
  speed: number
}

/** A clip that lacks no more than a fifth is played that little slower; a shorter one stays as short as it is. */
const shareMin = 0.8
/** Up to here a difference is rounding of frames, and the last picture may stand a moment longer. */
const standSeconds = 0.1

export function fitTime(ownSeconds: number, wantedSeconds: number, keepsEnd: boolean): TimeFit {
  const difference = ownSeconds - wantedSeconds
  if (Math.abs(difference) <= standSeconds) return { seconds: wantedSeconds, speed: 1 }
  if (difference > 0) return { seconds: wantedSeconds, speed: keepsEnd ? ownSeconds / wantedSeconds : 1 }
  if (ownSeconds >= wantedSeconds * shareMin) return { seconds: wantedSeconds, speed: ownSeconds / wantedSeconds }
  return { seconds: ownSeconds, speed: 1 }
}
