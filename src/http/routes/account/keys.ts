// /api/v1/keys: sub-keys of the calling key.
import type { z } from 'zod'
import type { Principal } from '../../../accounts/keys/authenticate.ts'
import { createKeyBy, revokeKeyBy, rotateKeyBy, updateKeyBy } from '../../../accounts/keys/key-acts.ts'
import { findKey, type KeyInfo, listKeys } from '../../../accounts/keys/read-keys.ts'
import { expiryProblem } from '../../../accounts/keys/rights.ts'
import { apiError, invalid } from '../../../contract/errors.ts'
import { keyChanges, keyId, keyRotation, newSubKey, shownKey, subKey, subKeyPage } from '../../../contract/keys.ts'
import { longPageQuery } from '../../../contract/page.ts'
import type { Db, Sql } from '../../../db/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import { parseDuration, type Rate } from '../../../platform/durations.ts'
import { withoutUndefined } from '../../../platform/without-undefined.ts'
import { parseWith } from '../../../schema/validation.ts'
import { type Route, route } from '../../route.ts'
import { requestActor } from '../../server/guard.ts'
import { cutPage } from '../../server/paging.ts'

export interface KeyRouteDeps {
  db: Db
  clock: Clock
  /** The service's rate limit per key, which no sub-key may exceed. */
  rateLimit: Rate | null
}

const keys = { tag: 'Keys', access: 'main-key', scope: 'keys', sharesLoop: true } as const

export function keyRoutes(deps: KeyRouteDeps): Route[] {
  return [
    route({
      endpoint: 'POST /api/v1/keys',
      operationId: 'createKey',
      summary: 'Create a sub-key',
      description:
        'A sub-key sees only its own tasks. It may have limits, scopes, addresses and an expiry of its own, never more than its parent has. The key is shown only once.',
      ...keys,
      bodyDocs: newSubKey,
      answer: shownKey,
      async handler({ caller, request }) {
        const body = readKeyBody(newSubKey, request.body, deps.clock.now())
        const key = { ...body, accountId: caller.accountId, parentId: caller.keyId }
        const limits = { rateMax: deps.rateLimit }
        return deps.db.transaction((tx) => createKeyBy(tx, requestActor(request), key, deps.clock.now(), limits))
      },
    }),
    route({
      endpoint: 'GET /api/v1/keys',
      operationId: 'listKeys',
      summary: 'List sub-keys',
      description: 'Sub-keys of the calling key, oldest first, revoked ones included.',
      ...keys,
      query: longPageQuery,
      answer: subKeyPage,
      async handler({ caller, query: { limit, cursor } }) {
        const filter = { parentId: caller.keyId, after: cursor, limit: limit + 1 }
        const { rows, nextCursor } = cutPage(await listKeys(deps.db, deps.clock.now(), filter), limit)
        return { items: rows.map(subKeyRecord), nextCursor }
      },
    }),
    route({
      endpoint: 'POST /api/v1/keys/:id/rotate',
      operationId: 'rotateKey',
      summary: 'Give a key a new secret',
      description:
        'Of a sub-key, or of the calling key itself (`self`). The old secret stops working at once, or after `overlap`. Limits, usage, tasks and sub-keys stay.',
      ...keys,
      body: keyRotation,
      answer: shownKey,
      async handler({ caller, params, body, request }) {
        const nowMs = deps.clock.now()
        const { id } = await needOwnKey(deps.db, caller, params.id!, nowMs)
        const overlapMs = body?.overlap ? parseDuration(body.overlap)! : 0
        const rotated = await deps.db.transaction((tx) => rotateKeyBy(tx, requestActor(request), id, nowMs, overlapMs))
        if (!rotated) throw apiError('no_key')
        return rotated
      },
    }),
    route({
      endpoint: 'PATCH /api/v1/keys/:id',
      operationId: 'updateKey',
      summary: 'Change the name, limits and rights of a sub-key',
      description:
        'Fields that are left out stay; `null` removes a limit. Streams that the sub-key may no longer have end within a second.',
      ...keys,
      bodyDocs: keyChanges,
      answer: subKey,
      async handler({ caller, params, request }) {
        const body = readKeyBody(keyChanges, request.body, deps.clock.now())
        const { id } = await needSubKey(deps.db, caller, params.id!, deps.clock.now())
        const options = { nowMs: deps.clock.now(), rateMax: deps.rateLimit }
        const changes = withoutUndefined(body)
        const updated = await deps.db.transaction((tx) => updateKeyBy(tx, requestActor(request), id, changes, options))
        if (!updated) throw apiError('no_key')
        return subKeyRecord(await needSubKey(deps.db, caller, id, deps.clock.now()))
      },
    }),
    route({
      endpoint: 'DELETE /api/v1/keys/:id',
      operationId: 'revokeKey',
      summary: 'Revoke a sub-key',
      description: 'It stops working at once. Its tasks continue and stay in the account.',
      ...keys,
      answer: keyId,
      async handler({ caller, params, request }) {
        const { id } = await needSubKey(deps.db, caller, params.id!, deps.clock.now())
        await deps.db.transaction((tx) => revokeKeyBy(tx, requestActor(request), id, deps.clock.now()))
        return { id }
      },
    }),
  ]
}

/** A schema has no clock, so an expiry in the past is checked here and reported together with the problems of other fields. */
function readKeyBody<T extends z.ZodType>(schema: T, body: unknown, nowMs: number): z.output<T> {
  const parsed = parseWith(schema, body, '')
  if (parsed.ok) return parsed.value
  const expiry = keyChanges.shape.expiresAt.safeParse((body as { expiresAt?: unknown } | null)?.expiresAt)
  const isPast = expiry.success && expiry.data != null && expiry.data <= nowMs
  throw invalid([...parsed.problems, ...(isPast ? [expiryProblem] : [])])
}

function subKeyRecord(key: KeyInfo & { accountId?: string }) {
  const { account: _account, accountId: _accountId, parentId: _parent, operator: _operator, ...shown } = key
  return shown
}

/** Names the calling key where a path takes the id of a key. */
const self = 'self'

/** An unrevoked sub-key of the caller; otherwise throws the error of an unknown id. */
export async function needSubKey(sql: Sql, caller: Principal, id: string, nowMs: number) {
  const key = await findKey(sql, id, nowMs)
  if (!key || key.parentId !== caller.keyId || key.revokedAt !== null) throw apiError('no_key')
  return key
}

/** An unrevoked sub-key of the caller, or the caller itself. */
export async function needOwnKey(sql: Sql, caller: Principal, id: string, nowMs: number) {
  if (id !== self && id !== caller.keyId) return needSubKey(sql, caller, id, nowMs)
  const key = await findKey(sql, caller.keyId, nowMs)
  // Its account was deleted after it called.
  if (!key) throw apiError('invalid_api_key')
  return key
}
