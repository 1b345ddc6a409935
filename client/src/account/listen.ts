// The account's callbacks as they are sent, from a stream that is reopened when it breaks: for machines that no callback
// can reach.
import type { ListenedDelivery } from '../contract.ts'
import { DailiesError } from '../errors.ts'
import { asError } from '../transport/answers.ts'
import type { Connection, RequestOptions } from '../transport/connection.ts'
import { eventsOf } from '../transport/event-stream.ts'
import { delayBeforeRetry, isRetryable } from '../transport/retry.ts'
import { pause } from '../transport/time-limit.ts'

export interface ListenOptions extends RequestOptions {
  /** Called with true when the stream has begun, and with false when it broke or could not be opened. */
  onConnection?: ((isOpen: boolean) => void) | undefined
}

/** Has no end of its own: abort the signal or leave the loop. Callbacks that are sent while it reconnects are missed. */
export async function* listen(
  connection: Connection,
  { signal, onConnection }: ListenOptions = {},
): AsyncGenerator<ListenedDelivery, never> {
  // An error of `onConnection` ends the loop: only those of the connection are retried.
  for await (const heard of hear(connection, signal)) {
    if (typeof heard === 'boolean') onConnection?.(heard)
    else yield heard
  }
  throw new Error('listening does not end by itself')
}

/** Deliveries; true when the stream has begun, false after each failure. Throws errors that a retry cannot resolve. */
async function* hear(
  connection: Connection,
  signal: AbortSignal | undefined,
): AsyncGenerator<ListenedDelivery | boolean> {
  let failures = 0
  for (;;) {
    signal?.throwIfAborted()
    try {
      for await (const { event, data } of eventsOf(connection, '/api/v1/webhooks/listen', signal)) {
        if (event === 'open') {
          failures = 0
          yield true
        }
        if (event === 'delivery') yield JSON.parse(data) as ListenedDelivery
      }
    } catch (error) {
      const failure = asError(error, signal, null)
      if (!(failure instanceof DailiesError) || !isRetryable(failure, 'always')) throw failure
    }
    failures++
    yield false
    await pause(delayBeforeRetry(failures, null, Math.random())!, signal)
  }
}
