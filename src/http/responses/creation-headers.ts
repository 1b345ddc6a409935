// The headers of the response to a creation: the credits that it holds and leaves, and the fields that it ignored.
import type { FastifyReply } from 'fastify'
import type { Credits } from '../../admission/decision.ts'

/** Clients and proxies accept some kilobytes of headers in all. */
const ignoredCharactersMax = 2000

export function addCreationHeaders(reply: FastifyReply, credits: Credits, ignoredFields: readonly string[]): void {
  reply.header('x-credits-held', String(credits.held))
  reply.header('x-credits-left', String(credits.left))
  const ignored = headerList(ignoredFields)
  if (ignored !== '') reply.header('x-ignored-fields', ignored)
}

/** As many names as fit; the record has all of them. What a header or this list cannot hold is percent-encoded. */
function headerList(names: readonly string[]): string {
  let list = ''
  for (const name of names) {
    const next = list + (list === '' ? '' : ', ') + name.replace(/[^!-$&-+\--~]/gu, encodeURIComponent)
    if (next.length > ignoredCharactersMax) break
    list = next
  }
  return list
}
