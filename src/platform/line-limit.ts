// Limits how many log lines one kind of event may write, so that a client cannot fill the disk with log lines.

/**
 * Returns whether another line may be written now: at most `linesMax` per `perMs`. After a window with suppressed lines,
 * `report` is called with their number.
 */
export function createLineLimit(linesMax: number, perMs: number, report: (heldBack: number) => void): () => boolean {
  let asked = 0
  const endWindow = () => {
    if (asked > linesMax) report(asked - linesMax)
    asked = 0
  }
  return () => {
    if (asked === 0) setTimeout(endWindow, perMs).unref()
    return ++asked <= linesMax
  }
}
