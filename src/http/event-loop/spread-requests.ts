// Spreads requests that arrive together over several turns of the event loop: when hundreds of connections have a request
// at once, Node would begin them all in one turn, and timers and children would wait for it.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

/** For the requests of one turn. */
const turnMs = 10

export function spreadRequests(serve: RequestListener): RequestListener {
  const waiting: [IncomingMessage, ServerResponse][] = []
  /** Null before the first request of a turn. */
  let endsAt: number | null = null

  function begin(): number {
    setImmediate(end)
    endsAt = performance.now() + turnMs
    return endsAt
  }

  function end(): void {
    endsAt = null
    if (waiting.length === 0) return
    const until = begin()
    while (waiting.length > 0 && performance.now() < until) {
      const [request, response] = waiting.shift()!
      // The client has left.
      if (!request.socket.destroyed) serve(request, response)
    }
  }

  return (request, response) => {
    const until = endsAt ?? begin()
    if (waiting.length > 0 || performance.now() >= until) waiting.push([request, response])
    else serve(request, response)
  }
}
