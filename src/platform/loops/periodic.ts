// A background loop: a `runOnce` that tests can call directly, with a timer around it. Runs never overlap.
import type { Logger } from '../logger.ts'

export interface Periodic {
  stop(): Promise<void>
}

export function runPeriodically(name: string, everyMs: number, runOnce: () => Promise<unknown>, log: Logger): Periodic {
  let running: Promise<unknown> | null = null
  const timer = setInterval(() => {
    running ??= runOnce()
      .catch((error) => log.error({ err: error, loop: name }, 'a background loop failed; it will run again'))
      .finally(() => {
        running = null
      })
  }, everyMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
