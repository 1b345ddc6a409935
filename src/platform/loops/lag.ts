// How long the event loop of this process was held up lately.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const windowMs = 30_000

export interface LoopLag {
  /** The longest delay within the last half minute to minute. */
  longestMs(): number
  stop(): void
}

export function watchLoopLag(): LoopLag {
  const delays = monitorEventLoopDelay({ resolution: 10 })
  delays.enable()
  let before = 0
  const timer = setInterval(() => {
    before = delays.max
    delays.reset()
  }, windowMs).unref()
  return {
    longestMs: () => Math.round(Math.max(before, delays.max) / 1e6),
    stop() {
      clearInterval(timer)
      delays.disable()
    },
  }
}
