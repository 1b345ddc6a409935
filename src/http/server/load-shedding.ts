// Decides when new work must be refused: too many admissions are waiting, or the event loop lags.

export interface LoadShedder {
  overloaded(): boolean
  stop(): void
}

const pendingMax = 5000
const sampleMs = 250
/** A single long turn is not overload: the loop must be late by this much several times in a row. */
const lagMaxMs = 500
const samplesKept = 4

export function createLoadShedder(pending: () => number): LoadShedder {
  const lagsMs: number[] = Array(samplesKept).fill(0)
  let expected = performance.now() + sampleMs
  const timer = setInterval(() => {
    const now = performance.now()
    lagsMs.shift()
    lagsMs.push(now - expected)
    expected = now + sampleMs
  }, sampleMs)
  timer.unref()
  return {
    overloaded: () => pending() > pendingMax || Math.min(...lagsMs) > lagMaxMs,
    stop: () => clearInterval(timer),
  }
}
