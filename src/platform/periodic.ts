// A background loop: a `runOnce` that tests can call directly, with a timer around it. Runs never overlap.
import type { Logger } from './logger.ts'

export interface Periodic {
  stop(): Promise<void>
}

export function runPeriodically(name: string, everyMs: number, runOnce: () => Promise<unknown>, log: Logger): Periodic {
  let stopped = false
  let running: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    running = runOnce()
      .catch((error) => log.error({ err: error, loop: name }, 'a background loop failed; it will run again'))
      .finally(() => {
        busy = false
      })
  }, everyMs)
  let busy = false
  timer.unref()
  return {
    async stop() {
      if (stopped) return
      stopped = true
      clearInterval(timer)
      await running
    },
  }
}
