// Errors that are independent of the product. The errors that clients get are in contract/errors.ts.

/** A mistake by the operator, reported in one line without a stack. */
export class OperatorError extends Error {}

/** What was thrown, as an Error. */
export const asError = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown)))

interface Emitter {
  on(event: 'error', listener: (error: Error) => void): unknown
}

/**
 * Listens for the errors of a stream, a process or a server, and returns it: an error event without a listener ends this
 * process. Without `then`, the error is ignored, because something else reports it: a pipeline, or the end of a stream.
 * Every emitter that a library hands out gets such a listener; test/structure/error-listeners.test.ts looks for them.
 */
export function withErrorListener<T extends Emitter>(emitter: T, then: (error: Error) => void = () => {}): T {
  emitter.on('error', then)
  return emitter
}
