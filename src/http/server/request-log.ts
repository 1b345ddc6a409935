// The log line of each request. It names ids, routes and addresses, never a key, a body or a URL.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { windows } from '../../limits/table.ts'
import { createQuietWindow } from '../../limits/window.ts'
import type { Logger } from '../../platform/logger.ts'
import { clientAddress } from './connections/request-origin.ts'

interface RequestLog {
  request(request: FastifyRequest, reply: FastifyReply): void
  /** Bytes that are not a request. */
  unreadable(requestId: string, error: Error, address: string): void
}

export function createRequestLog(log: Logger): RequestLog {
  // Clients without a key must not be able to fill the disk with log lines.
  const { of: rate } = windows.loggedRefusals
  const mayLogStranger = createQuietWindow(rate, (requests) =>
    log.info({ requests, seconds: rate.perMs / 1000 }, 'more requests without a valid key were refused'),
  )
  return {
    request(request, reply) {
      const status = reply.statusCode
      // Most requests are not logged.
      if (status < 400 && !log.isLevelEnabled('debug')) return
      if (request.caller === undefined && status >= 400 && status < 500 && !mayLogStranger()) return
      const level = status >= 500 ? 'warn' : status >= 400 ? 'info' : 'debug'
      log[level](
        {
          request: request.id,
          method: request.method,
          route: routeOf(request),
          status,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          key: request.caller?.keyId,
          address: clientAddress(request),
        },
        'request',
      )
    },
    unreadable(requestId, error, address) {
      // Only the code: the error itself carries the bytes, which may contain a key.
      const { code } = error as NodeJS.ErrnoException
      if (mayLogStranger()) log.info({ request: requestId, code, address }, 'a request could not be read')
    },
  }
}

/** The path as declared: no text from a client gets into a log line or a label. */
export function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'unrouted'
}
