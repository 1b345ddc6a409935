// Reads JSON bodies: bounded in size by the server, in depth and values here, without prototype tricks and without half
// surrogate pairs. Large ones are parsed in slices, over several turns of the event loop.
import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalidField } from '../../../contract/errors.ts'
import { createJsonScan, parseLargeJson, sliceBytes } from './large-json.ts'

/** Smaller bodies cost no more than the rest of their request. */
const smallBytes = 2 ** 14

/** Decoding another encoding as UTF-8 would corrupt the text silently. */
const notUtf8 = 'is not valid UTF-8'

export function readJsonBodies(server: FastifyInstance): void {
  const parseText = server.getDefaultJsonParser('remove', 'remove')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer
    const parse = (text: string, parsed: typeof done) =>
      parseText(request, text, (error, value) => parsed(error, error ? undefined : wellFormed(text, value)))
    // An empty body with this header is no body; routes that need one report it.
    if (bytes.length === 0) return done(null, undefined)
    const parseWhole = () => {
      const problem = isUtf8(bytes) ? createJsonScan(bytes).upTo(bytes.length) : notUtf8
      if (problem !== null) return done(invalidField('body', problem), undefined)
      parse(bytes.toString(), done)
    }
    if (bytes.length <= smallBytes) return parseWhole()
    const turn = request.nextTurn(bytes.length)
    if (bytes.length <= sliceBytes) return void turn.then(parseWhole)
    const parsed = turn.then(() => {
      if (!isUtf8(bytes)) throw invalidField('body', notUtf8)
      return parseLargeJson(bytes, parse, () => request.nextTurn())
    })
    void parsed.then((value) => done(null, value), done)
  })
  server.addHook('preParsing', ({ headers }, _reply, payload, done) => {
    const encoding = headers['content-encoding']
    if (encoding === undefined || encoding === '' || /^identity$/i.test(encoding)) return done(null, payload)
    done(invalidField('content-encoding', 'must be left out, because bodies are accepted without compression only'))
  })
  // Routes that accept a form read it themselves.
  server.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null))
}

/** A client that has stopped sending for this long has had time to read the response. */
const swallowIdleMs = 2000

/**
 * Discards the rest of a large body that was refused. If the connection is closed while the client is still sending, as
 * Fastify does, the client may never read the response. The server's time limit for a request bounds this. Node would
 * read the rest as fast as it arrives; here it counts as the caller's work.
 */
export function swallowRest(request: FastifyRequest, reply: FastifyReply): void {
  if (request.raw.complete || !hasLargeBody(request)) return
  reply.removeHeader('connection')
  reply.raw.once('finish', () => request.socket.setTimeout(swallowIdleMs))
  // A client that disconnects meanwhile needs no response.
  void readRest(request).catch(() => {})
}

async function readRest(request: FastifyRequest): Promise<void> {
  for await (const chunk of request.raw.iterator({ destroyOnReturn: false })) await request.nextTurn(chunk.length)
}

/** Whether a request's body may be larger than those of most requests. */
export function hasLargeBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > smallBytes
}

/** Forms are read by the routes that accept them. */
export function isForm(request: FastifyRequest): boolean {
  return /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')
}

// A client that cuts a text in the middle of an emoji sends half a surrogate pair. It becomes U+FFFD, as everywhere on the
// web, so that nothing downstream has to handle one: PostgreSQL cannot read any text from JSON that contains one.

/** Only an escape can bring half a pair: bytes that stand for one are not UTF-8. */
const surrogateEscape = /\\u[dD][89a-fA-F]/

/** The value parsed from the text, with such halves replaced. */
function wellFormed(text: string, value: unknown): unknown {
  return surrogateEscape.test(text) ? cleaned(value) : value
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(cleaned)
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name.toWellFormed(), cleaned(part)]))
}
