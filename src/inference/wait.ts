// Waits for the end of a request while its client waits for the response. Woken in-process, and polls in case another
// process runs the request.
import { createWake } from '../platform/loops/wake.ts'
import type { TaskEvents } from '../tasks/events.ts'

const lookEveryMs = 500

/** The first result of `read` that is not null; null when time is up or the signal aborts. */
export async function waitFor<T>(
  events: TaskEvents,
  id: string,
  read: () => Promise<T | null>,
  options: { withinMs: number; signal: AbortSignal },
): Promise<T | null> {
  const deadline = performance.now() + options.withinMs
  const wake = createWake()
  const unsubscribe = events.subscribe(id, wake.now)
  options.signal.addEventListener('abort', wake.now)
  try {
    for (;;) {
      const value = await read()
      if (value !== null) return value
      const leftMs = deadline - performance.now()
      if (leftMs <= 0 || options.signal.aborted) return null
      await wake.next(Math.min(leftMs, lookEveryMs))
    }
  } finally {
    unsubscribe()
    options.signal.removeEventListener('abort', wake.now)
  }
}
