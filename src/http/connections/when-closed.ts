// The end of a response's connection. Node emits `close` once, so a listener that is added later would never be called,
// and a client may leave while its request waits for the database.
import type { ServerResponse } from 'node:http'

/** Calls `then` when the response is closed: at once if it is closed already. */
export function whenClosed(response: ServerResponse, then: () => void): void {
  if (response.closed) then()
  else response.once('close', then)
}
