// Reads JSON bodies: bounded in size by the server, in depth here, and without prototype tricks.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalid } from '../../contract/errors.ts'

/** Deep enough for any request, shallow enough that recursive code downstream cannot overflow the stack. */
const depthMax = 64
/** Far more than any request has. It bounds the time that parsing, checking and hashing a body can take. */
const valuesMax = 10_000
/** Long texts are read in pieces, between which other requests get their turn. */
const pieceCharacters = 2 ** 20

export function readJsonBodies(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('remove', 'remove')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body as string
    // Clients that send the header with an empty body mean no body; routes that need one say so.
    if (text === '') return done(null, undefined)
    const scan = createScan()
    const next = (from: number) => {
      const problem = scan(text, from, Math.min(text.length, from + pieceCharacters))
      if (problem !== null) return done(invalid([`body: ${problem}`]), undefined)
      if (from + pieceCharacters < text.length) return void setImmediate(next, from + pieceCharacters)
      parse(request, text, done)
    }
    next(0)
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

/** Reads a JSON text piece by piece and returns what is excessive about its structure, or null. */
function createScan(): (text: string, from: number, to: number) => string | null {
  let depth = 0
  let values = 0
  let inString = false
  let isEscaped = false
  return (text, from, to) => {
    for (let i = from; i < to; i++) {
      const c = text.charCodeAt(i)
      if (inString) {
        if (isEscaped) isEscaped = false
        else if (c === 0x5c) isEscaped = true
        else if (c === 0x22) inString = false
      } else if (c === 0x22) inString = true
      else if (c === 0x7b || c === 0x5b) {
        if (++depth > depthMax) return 'is nested too deeply'
        values++
      } else if (c === 0x7d || c === 0x5d) depth--
      else if (c === 0x2c) values++
      if (values > valuesMax) return `has more than ${valuesMax} values`
    }
    return null
  }
}

/** Forms are read by the routes that accept them. */
export function isForm(request: FastifyRequest): boolean {
  return /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')
}
