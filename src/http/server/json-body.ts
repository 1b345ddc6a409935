// Reads JSON bodies: bounded in size by the server, in depth here, and without prototype tricks.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalid } from '../../contract/errors.ts'

/** Deep enough for any request, shallow enough that recursive code downstream cannot overflow the stack. */
const depthMax = 64

export function readJsonBodies(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('remove', 'remove')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    // Clients that send the header with an empty body mean no body; routes that need one say so.
    if (text === '') return done(null, undefined)
    if (deeperThan(text as string, depthMax)) return done(invalid(['body: is nested too deeply']), undefined)
    parse(request, text as string, done)
  })
}

/** Fastify's code for a body over the limit. */
export const bodyTooLarge = 'FST_ERR_CTP_BODY_TOO_LARGE'

/** A client that has stopped sending for this long has had time to read the answer. */
const swallowIdleMs = 2000

/**
 * Throws away what is still coming of a body that was refused. Closing the line on a client that is still sending, as
 * Fastify does, can reset it before the client has read the answer. The server's time for a request bounds this.
 */
export function swallowRest(request: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader('connection')
  request.raw.resume()
  reply.raw.once('finish', () => request.socket.setTimeout(swallowIdleMs))
}

function deeperThan(text: string, max: number): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (inString) {
      if (c === 0x5c) i++
      else if (c === 0x22) inString = false
    } else if (c === 0x22) inString = true
    else if (c === 0x7b || c === 0x5b) {
      if (++depth > max) return true
    } else if (c === 0x7d || c === 0x5d) depth--
  }
  return false
}
