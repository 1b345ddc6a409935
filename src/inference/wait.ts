// Waiting for the end of a request on behalf of a client that holds the line. Woken in-process; a request that another
// process works is looked at now and then.
import type { TaskEvents } from '../tasks/store/events.ts'

const lookEveryMs = 500

/** What `read` answers once it is not null; null when time is up or the signal aborts. */
export async function waitFor<T>(
  events: TaskEvents,
  id: string,
  read: () => Promise<T | null>,
  options: { withinMs: number; signal: AbortSignal },
): Promise<T | null> {
  const deadline = performance.now() + options.withinMs
  let wake = () => {}
  let woken = false
  const wakeUp = () => {
    woken = true
    wake()
  }
  const unsubscribe = events.subscribe(id, wakeUp)
  options.signal.addEventListener('abort', wakeUp)
  try {
    for (;;) {
      woken = false
      const value = await read()
      if (value !== null) return value
      const leftMs = deadline - performance.now()
      if (leftMs <= 0 || options.signal.aborted) return null
      if (woken) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(leftMs, lookEveryMs))
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  } finally {
    unsubscribe()
    options.signal.removeEventListener('abort', wakeUp)
  }
}
