// A response that is a stream of Server-Sent Events, with a comment now and then that keeps its connection open.
import { once } from 'node:events'
import type { FastifyReply } from 'fastify'
import { whenClosed } from '../connections/when-closed.ts'

export interface EventStream {
  /** Aborts when the client has left, or the server stops. */
  over: AbortSignal
  /** Resolves when the client has read what was written, or the stream is over. Nothing is buffered for slow readers. */
  send(event: string, data: unknown): Promise<void>
  comment(text: string): void
  end(): void
}

export const keepAliveMs = 15_000

/** Sends the headers. */
export function openEventStream(reply: FastifyReply, stopping: AbortSignal): EventStream {
  reply.hijack()
  const response = reply.raw
  const headers = reply.getHeaders() as Record<string, string>
  response.writeHead(200, { ...headers, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
  const closed = new AbortController()
  whenClosed(response, () => closed.abort())
  response.on('error', () => closed.abort())
  const over = AbortSignal.any([closed.signal, stopping])
  const comment = (text: string) => void response.write(`: ${text}\n\n`)
  const keepAlive = setInterval(() => {
    if (!response.writableNeedDrain) comment('still here')
  }, keepAliveMs)
  keepAlive.unref()
  return {
    over,
    async send(event, data) {
      if (response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)) return
      await once(response, 'drain', { signal: over }).catch(() => {})
    },
    comment,
    end() {
      clearInterval(keepAlive)
      response.end()
    },
  }
}
