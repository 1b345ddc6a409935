// Says when new work must be turned away: too many admissions wait, or the event loop lags far behind.

export interface LoadShedder {
  overloaded(): boolean
  stop(): void
}

const pendingMax = 5000
const sampleMs = 250
/** A single long turn is no overload: the loop must have been late by this much, time after time. */
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
