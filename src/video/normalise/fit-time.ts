// How a clip that is not exactly as long as wanted fills its time. Pure. Clips that are far too short are refused
// before.

export interface TimeFit {
  /** How long it is shown. */
  seconds: number
  /** How much faster than its own time it plays. */
  speed: number
}

/** Up to here a difference is rounding of frames, and the last picture may stay a moment longer. */
const standSeconds = 0.1

export function fitTime(ownSeconds: number, wantedSeconds: number, keepsEnd: boolean): TimeFit {
  const difference = ownSeconds - wantedSeconds
  const isCut = difference > 0 && !keepsEnd
  const speed = Math.abs(difference) <= standSeconds || isCut ? 1 : ownSeconds / wantedSeconds
  return { seconds: wantedSeconds, speed }
}
