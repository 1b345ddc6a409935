// Responses that stay open for long: streams of Server-Sent Events, and how each ends when its client leaves or its caller
// loses the right to it.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Logger } from '../../../platform/logger.ts'
import { runPeriodically } from '../../../platform/loops/periodic.ts'

/**
 * Calls `then` when the response is closed: at once if it is closed already. Node emits `close` once, and a client may leave
 * while its request waits for the database: a listener that is added later would never be called.
 */
export function whenClosed(response: ServerResponse, then: () => void): void {
  if (response.closed) then()
  else response.once('close', then)
}

export interface EventStream {
  /** Aborts when the client has left, or the server stops. */
  over: AbortSignal
  /** Resolves when the client has read what was written, or the stream is over. Nothing is buffered for slow readers. */
  send(event: string, data: unknown): Promise<void>
  comment(text: string): void
  end(): void
}

export const keepAliveMs = 15_000

/** Sends the headers. A comment now and then keeps the connection open. */
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

/** A revocation must end a stream within a second. Known keys are looked up in memory. */
const checkEveryMs = 500

/** Ends responses whose caller has lost the right to them. */
export interface KeyStreams {
  add(response: ServerResponse, mayContinue: () => Promise<boolean>): void
  stop(): Promise<void>
}

export function createKeyStreams(deps: { log: Logger }): KeyStreams {
  const open = new Map<ServerResponse, () => Promise<boolean>>()
  const loop = runPeriodically(
    'key streams',
    checkEveryMs,
    async () => {
      for (const [response, mayContinue] of open) if (!(await mayContinue())) response.destroy()
    },
    deps.log,
  )
  return {
    add(response, mayContinue) {
      open.set(response, mayContinue)
      whenClosed(response, () => open.delete(response))
    },
    stop: () => loop.stop(),
  }
}
