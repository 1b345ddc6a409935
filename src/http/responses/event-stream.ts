// Responses that are streams of Server-Sent Events.
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

/** Sends the headers; what follows is written to the returned response. */
export function openEventStream(reply: FastifyReply): ServerResponse {
  reply.hijack()
  const headers = reply.getHeaders() as Record<string, string>
  reply.raw.writeHead(200, { ...headers, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
  return reply.raw
}

/** Resolves when the client has read what was written, or the stream is over. */
export function drained(response: ServerResponse, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    response.once('drain', resolve)
    over.addEventListener('abort', () => resolve(), { once: true })
  })
}
