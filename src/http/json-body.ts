// Reads JSON bodies: bounded in size by the server, in depth here, and without prototype tricks.
import type { FastifyInstance } from 'fastify'
import { invalid } from '../platform/errors.ts'

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
