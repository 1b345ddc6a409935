// The W3C trace context that the current work belongs to. It follows asynchronous calls, so that a request to an engine
// or a receiver carries the context of its attempt without every function in between passing it on.
import { AsyncLocalStorage } from 'node:async_hooks'

const contexts = new AsyncLocalStorage<string>()

export function withTraceparent<T>(traceparent: string, work: () => T): T {
  return contexts.run(traceparent, work)
}

export const currentTraceparent = (): string | null => contexts.getStore() ?? null

/** The headers that pass the current trace on; none without a trace. */
export function traceHeaders(): Record<string, string> {
  const traceparent = contexts.getStore()
  return traceparent === undefined ? {} : { traceparent }
}
