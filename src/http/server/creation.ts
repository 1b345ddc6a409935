// What creations have in common: the `Idempotency-Key`, a hash by which equal JSON bodies are equal, and the headers of the
// response.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Principal } from '../../accounts/keys/authenticate.ts'
import type { Credits } from '../../admission/decision.ts'
import { type Idempotency, idempotencyId } from '../../admission/idempotency.ts'
import { invalid } from '../../contract/errors.ts'
import { sha256Hex } from '../../platform/ids.ts'
import type { Parsed } from '../../schema/validation.ts'

export const idempotencyKeyCharactersMax = 255

export const idempotencyKeyDocs =
  'Remembered for 24 hours: the same key with an equal body returns the first task id again and ' +
  'charges once; with another body it is refused with 422.'

/** An accepted body and its `Idempotency-Key`. Otherwise throws one refusal that names every problem of both. */
export function readCreation<T>(caller: Principal, request: FastifyRequest, parsed: Parsed<T>, route?: string) {
  const key = readIdempotencyKey(request)
  if (!parsed.ok || !key.ok) throw invalid([parsed, key].flatMap((part) => (part.ok ? [] : part.problems)))
  const idempotency =
    key.value === null ? null : idempotencyOf(caller, request, key.value, sha256Hex(canonicalJson(request.body)), route)
  return { accepted: parsed.value, idempotency }
}

/** Keys of different routes differ; `route` is the request's own unless it is given. */
export function idempotencyOf(
  caller: Principal,
  request: FastifyRequest,
  key: string,
  bodyHash: string,
  route = request.routeOptions.url ?? '',
): Idempotency {
  return { id: idempotencyId(caller.keyId, route, key), bodyHash }
}

/** Null where the request has none. */
export function readIdempotencyKey(request: FastifyRequest): Parsed<string | null> {
  const key = request.headers['idempotency-key']
  if (key === undefined) return { ok: true, value: null }
  if (typeof key !== 'string' || key === '' || key.length > idempotencyKeyCharactersMax) {
    return {
      ok: false,
      problems: [{ field: 'Idempotency-Key', message: `must have 1 to ${idempotencyKeyCharactersMax} characters` }],
    }
  }
  return { ok: true, value: key }
}

/** The same text for equal values, whatever the order of their fields. Bodies are bounded in depth where they are read. */
export function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_name, part) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
        : part,
    ) ?? 'null'
  )
}

/** Clients and proxies accept some kilobytes of headers in all. */
const ignoredCharactersMax = 2000

/** The credits that it holds and leaves, and the fields that it ignored. */
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
