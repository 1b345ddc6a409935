// Decides when new work must be refused: too many admissions are waiting, or the event loop lags.
import { slots } from '../../limits/table.ts'

export interface LoadShedder {
  overloaded(): boolean
  stop(): void
}

const { waitingMax, lagMsMax } = slots.newWork.of
const sampleMs = 250
/** A single long turn is not overload: the loop must be late several times in a row. */
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
    overloaded: () => pending() > waitingMax || Math.min(...lagsMs) > lagMsMax,
    stop: () => clearInterval(timer),
  }
}
