// The clock of a rendered video: its rates, and where shots begin and end in whole frames.

export const framesPerSecond = 24
export const samplesPerSecond = 48_000

export function framesOf(seconds: number): number {
  return Math.max(1, Math.round(seconds * framesPerSecond))
}

/**
 * How many frames each shot gets. Cuts fall on the frame nearest to their time, so rounding never adds up,
 * and the counts always sum to the video's exact length. A shot never gets fewer than one frame.
 */
export function framesOfShots(secondsOfShots: number[], frames: number): number[] {
  const total = secondsOfShots.reduce((sum, seconds) => sum + seconds, 0)
  let elapsed = 0
  let start = 0
  return secondsOfShots.map((seconds, i) => {
    elapsed += seconds
    const shotsLeft = secondsOfShots.length - 1 - i
    const wanted = shotsLeft === 0 ? frames : Math.round((elapsed / total) * frames)
    const end = Math.min(Math.max(wanted, start + 1), frames - shotsLeft)
    const count = end - start
    start = end
    return count
  })
}
