// Says when new work must be turned away: too many admissions wait, or the event loop lags far behind.

export interface LoadShedder {
  overloaded(): boolean
  stop(): void
}

const pendingMax = 5000
const sampleMs = 250
const lagMaxMs = 1500

export function createLoadShedder(pending: () => number): LoadShedder {
  let lagMs = 0
  let expected = performance.now() + sampleMs
  const timer = setInterval(() => {
    const now = performance.now()
    lagMs = Math.max(0, now - expected)
    expected = now + sampleMs
  }, sampleMs)
  timer.unref()
  return {
    overloaded: () => pending() > pendingMax || lagMs > lagMaxMs,
    stop: () => clearInterval(timer),
  }
}
