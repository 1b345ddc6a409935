// Reads JSON bodies: bounded in size by the server, in depth and values here, without prototype tricks and without half
// surrogate pairs. No more than a mebibyte is parsed in one go.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalid } from '../../contract/errors.ts'
import type { LoopShare } from '../event-loop/loop-share.ts'
import { createJsonScan } from './json-scan.ts'
import { parsedBytesMax, parseLargeJson } from './large-json.ts'
import { wellFormed } from './well-formed.ts'

export function readJsonBodies(server: FastifyInstance, loopShare: LoopShare): void {
  const parseText = server.getDefaultJsonParser('remove', 'remove')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer
    const parse = (text: string, parsed: typeof done) =>
      parseText(request, text, (error, value) => parsed(error, error ? undefined : wellFormed(text, value)))
    // Clients that send the header with an empty body mean no body; routes that need one say so.
    if (bytes.length === 0) return done(null, undefined)
    if (bytes.length > parsedBytesMax) {
      const parsed = loopShare.run(request.caller, () => parseLargeJson(bytes, parse))
      return void parsed.then((value) => done(null, value), done)
    }
    const problem = createJsonScan(bytes).upTo(bytes.length)
    if (problem !== null) return done(invalid([`body: ${problem}`]), undefined)
    parse(bytes.toString(), done)
  })
  // Routes that accept a form read it themselves.
  server.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null))
}

/** Fastify's code for a body over the limit. */
export const bodyTooLarge = 'FST_ERR_CTP_BODY_TOO_LARGE'

/** A client that has stopped sending for this long has had time to read the response. */
const swallowIdleMs = 2000

/**
 * Discards the rest of a body that was refused. If the connection is closed while the client is still sending, as Fastify
 * does, the client may never read the response. The server's time limit for a request bounds this.
 */
export function swallowRest(request: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader('connection')
  request.raw.resume()
  reply.raw.once('finish', () => request.socket.setTimeout(swallowIdleMs))
}

/** Forms are read by the routes that accept them. */
export function isForm(request: FastifyRequest): boolean {
  return /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')
}
