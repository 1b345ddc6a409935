// Bounds how many log lines one kind of event may write: a client must not be able to fill the disk with our log.

export interface LineLimit {
  /** Whether another line may be written now. Lines that may not are counted. */
  take(): boolean
}

/** At most `linesMax` lines per `perMs`; at the end of a window that held lines back, `report` gets their number. */
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
