// /api/v1/keys: sub-keys of the calling key.
import { createKeyBy, revokeKeyBy, rotateKeyBy } from '../../../accounts/keys/key-acts.ts'
import { findKey, type KeyInfo, listKeys } from '../../../accounts/keys/keys.ts'
import { apiError } from '../../../contract/errors.ts'
import { keyId, newSubKey, shownKey, subKeyList } from '../../../contract/keys.ts'
import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import { requestActor } from '../../connections/request-actor.ts'
import { type Route, route } from '../../route.ts'

type Deps = { db: Db; clock: Clock }

const tag = 'Keys'
export function keyRoutes(deps: Deps): Route[] {
  /** An unrevoked sub-key of the caller; otherwise throws the error of an unknown id. */
  async function subKey(callerKeyId: string, id: string) {
    const key = await findKey(deps.db, id, deps.clock.now())
    if (!key || key.parentId !== callerKeyId || key.revokedAt !== null) throw apiError('no_key')
    return key
  }

  return [
    route({
      method: 'POST',
      path: '/api/v1/keys',
      docs: {
        operationId: 'createKey',
        summary: 'Create a sub-key',
        description:
          'A sub-key sees only its own tasks and may have a credit limit and a request limit. The key is shown this once.',
        tag,
      },
      access: 'main-key',
      body: newSubKey,
      answer: shownKey,
      handler: ({ caller, body, request }) =>
        deps.db.transaction((tx) =>
          createKeyBy(
            tx,
            requestActor(request),
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
      docs: {
        operationId: 'listKeys',
        summary: 'List sub-keys',
        description: 'Sub-keys of the calling key, oldest first, revoked ones included.',
        tag,
      },
      access: 'main-key',
      answer: subKeyList,
      async handler({ caller }) {
        return { items: (await listKeys(deps.db, deps.clock.now(), { parentId: caller.keyId })).map(subKeyRecord) }
      },
    }),
    route({
      method: 'POST',
      path: '/api/v1/keys/:id/rotate',
      docs: {
        operationId: 'rotateKey',
        summary: 'Give a sub-key a new secret',
        description: 'The old secret stops working at once. Limits, usage and tasks stay.',
        tag,
      },
      access: 'main-key',
      answer: shownKey,
      codes: [404],
      async handler({ caller, params, request }) {
        const { id } = await subKey(caller.keyId, params.id!)
        const rotated = await deps.db.transaction((tx) => rotateKeyBy(tx, requestActor(request), id, deps.clock.now()))
        if (!rotated) throw apiError('no_key')
        return rotated
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/v1/keys/:id',
      docs: {
        operationId: 'revokeKey',
        summary: 'Revoke a sub-key',
        description: 'It stops working at once. Its tasks continue and stay in the account.',
        tag,
      },
      access: 'main-key',
      answer: keyId,
      codes: [404],
      async handler({ caller, params, request }) {
        const { id } = await subKey(caller.keyId, params.id!)
        await deps.db.transaction((tx) => revokeKeyBy(tx, requestActor(request), id, deps.clock.now()))
        return { id }
      },
    }),
  ]
}

function subKeyRecord({ account: _account, parentId: _parent, operator: _operator, rate: _rate, ...shown }: KeyInfo) {
  return shown
}
