// Limits how many log lines one kind of event may write, so that a client cannot fill the disk with log lines.

export interface LineLimit {
  /** Whether another line may be written now. Suppressed lines are counted. */
  take(): boolean
}

/** At most `linesMax` lines per `perMs`. After a window with suppressed lines, `report` is called with their number. */
export function createLineLimit(linesMax: number, perMs: number, report: (heldBack: number) => void): LineLimit {
  let written = 0
  let heldBack = 0
  let isCounting = false
  const startWindow = () => {
    isCounting = true
    setTimeout(() => {
      if (heldBack > 0) report(heldBack)
      isCounting = false
      written = 0
      heldBack = 0
    }, perMs).unref()
  }
  return {
    take() {
      if (!isCounting) startWindow()
      if (written >= linesMax) heldBack++
      return written++ < linesMax
    },
  }
}
