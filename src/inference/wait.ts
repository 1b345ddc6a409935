// Waits for the end of a request while its client waits for the response. Woken in-process, and polls in case another
// process runs the request.
import type { TaskEvents } from '../tasks/store/events.ts'

const lookEveryMs = 500

/** The first result of `read` that is not null; null when time is up or the signal aborts. */
export async function waitFor<T>(
  events: TaskEvents,
  id: string,
  read: () => Promise<T | null>,
  options: { withinMs: number; signal: AbortSignal },
): Promise<T | null> {
  const deadline = performance.now() + options.withinMs
  let wake = () => {}
  const wakeUp = () => wake()
  const unsubscribe = events.subscribe(id, wakeUp)
  options.signal.addEventListener('abort', wakeUp)
  try {
    for (;;) {
      // A change during the read counts too.
      const woken = Promise.withResolvers<void>()
      wake = woken.resolve
      const value = await read()
      if (value !== null) return value
      const leftMs = deadline - performance.now()
      if (leftMs <= 0 || options.signal.aborted) return null
      const timer = setTimeout(wake, Math.min(leftMs, lookEveryMs))
      await woken.promise
      clearTimeout(timer)
    }
  } finally {
    unsubscribe()
    options.signal.removeEventListener('abort', wakeUp)
  }
}
