// /api/v1/keys: sub-keys of the calling key.
import { z } from 'zod'
import { createKey, findKey, type KeyInfo, listKeys, revokeKey, rotateKey } from '../../../accounts/keys.ts'
import { apiError } from '../../../contract/errors.ts'
import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import { type Route, route } from '../../server/route.ts'

type Deps = { db: Db; clock: Clock }

const tag = 'Keys'
const limit = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

const newSubKey = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(100)
    .regex(/^\P{Cc}*$/u, 'must have no control characters'),
  creditLimit: limit.nullish(),
  requestLimit: z.object({ requests: limit, per: z.enum(['hour', 'day', 'total']) }).nullish(),
})

const keyAnswer = z.object({ id: z.string(), key: z.string().meta({ description: 'Shown this once.' }) })

const subKeyAnswer = z.object({
  id: z.string(),
  name: z.string(),
  hint: z.string().meta({ description: 'The first characters of the key.' }),
  creditLimit: z.int().nullable(),
  creditUsed: z.int(),
  requestLimit: z.object({ requests: z.int(), per: z.enum(['hour', 'day', 'total']) }).nullable(),
  requestsUsed: z.int(),
  createdAt: z.int(),
  expiresAt: z.int().nullable(),
  revokedAt: z.int().nullable(),
})

export function keyRoutes(deps: Deps): Route[] {
  /** The caller's own live sub-key, or the answer that an unknown id gets. */
  async function subKey(callerKeyId: string, id: string) {
    const key = await findKey(deps.db, id, deps.clock.now())
    if (!key || key.parentId !== callerKeyId || key.revokedAt !== null) throw apiError('no_key')
    return key
  }

  return [
    route({
      method: 'POST',
      path: '/api/v1/keys',
      summary: 'Make a sub-key',
      tag,
      access: 'main-key',
      body: newSubKey,
      answer: keyAnswer,
      handler: ({ caller, body }) =>
        deps.db.transaction((tx) =>
          createKey(
            tx,
            {
              accountId: caller.accountId,
              parentId: caller.keyId,
              name: body.name,
              creditLimit: body.creditLimit ?? null,
              requestLimit: body.requestLimit ?? null,
            },
            deps.clock.now(),
          ),
        ),
    }),
    route({
      method: 'GET',
      path: '/api/v1/keys',
      summary: 'List sub-keys',
      tag,
      access: 'main-key',
      answer: z.object({ items: z.array(subKeyAnswer) }),
      async handler({ caller }) {
        return { items: (await listKeys(deps.db, deps.clock.now(), { parentId: caller.keyId })).map(subKeyRecord) }
      },
    }),
    route({
      method: 'POST',
      path: '/api/v1/keys/:id/rotate',
      summary: 'Give a sub-key a new secret; the old one stops working at once',
      tag,
      access: 'main-key',
      answer: keyAnswer,
      codes: [404],
      async handler({ caller, params }) {
        const { id } = await subKey(caller.keyId, params.id!)
        const rotated = await deps.db.transaction((tx) => rotateKey(tx, id))
        if (!rotated) throw apiError('no_key')
        return rotated
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/v1/keys/:id',
      summary: 'Revoke a sub-key',
      tag,
      access: 'main-key',
      answer: z.object({ id: z.string() }),
      codes: [404],
      async handler({ caller, params }) {
        const { id } = await subKey(caller.keyId, params.id!)
        await deps.db.transaction((tx) => revokeKey(tx, id, deps.clock.now()))
        return { id }
      },
    }),
  ]
}

function subKeyRecord({ account: _account, parentId: _parent, operator: _operator, rate: _rate, ...shown }: KeyInfo) {
  return shown
}
