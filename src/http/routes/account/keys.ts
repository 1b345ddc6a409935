// /api/v1/keys: sub-keys of the calling key.
import { createKeyBy, revokeKeyBy, rotateKeyBy, updateKeyBy } from '../../../accounts/keys/key-acts.ts'
import { findKey, type KeyInfo, listKeys } from '../../../accounts/keys/keys.ts'
import { apiError } from '../../../contract/errors.ts'
import { keyChanges, keyId, newSubKey, shownKey, subKey, subKeyList } from '../../../contract/keys.ts'
import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Rate } from '../../../platform/durations.ts'
import { requestActor } from '../../connections/request-actor.ts'
import { type Route, route } from '../../route.ts'

export interface KeyRouteDeps {
  db: Db
  clock: Clock
  /** The service's rate limit per key, which no sub-key may exceed. */
  rateLimit: Rate | null
}

const tag = 'Keys'
export function keyRoutes(deps: KeyRouteDeps): Route[] {
  /** An unrevoked sub-key of the caller; otherwise throws the error of an unknown id. */
  async function needSubKey(callerKeyId: string, id: string) {
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
          'A sub-key sees only its own tasks. It may have limits, scopes, addresses and an expiry of its own, never more than its parent has. The key is shown this once.',
        tag,
      },
      access: 'main-key',
      scope: 'keys',
      body: newSubKey,
      answer: shownKey,
      handler: ({ caller, body, request }) =>
        deps.db.transaction((tx) =>
          createKeyBy(
            tx,
            requestActor(request),
            { ...given(body), accountId: caller.accountId, parentId: caller.keyId },
            deps.clock.now(),
            {
              rateMax: deps.rateLimit,
            },
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
      scope: 'keys',
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
      scope: 'keys',
      answer: shownKey,
      codes: [404],
      async handler({ caller, params, request }) {
        const { id } = await needSubKey(caller.keyId, params.id!)
        const rotated = await deps.db.transaction((tx) => rotateKeyBy(tx, requestActor(request), id, deps.clock.now()))
        if (!rotated) throw apiError('no_key')
        return rotated
      },
    }),
    route({
      method: 'PATCH',
      path: '/api/v1/keys/:id',
      docs: {
        operationId: 'updateKey',
        summary: 'Change the name, limits and rights of a sub-key',
        description:
          'Fields that are left out stay; `null` removes a limit. Streams that the sub-key may no longer have end within a second.',
        tag,
      },
      access: 'main-key',
      scope: 'keys',
      body: keyChanges,
      answer: subKey,
      codes: [404],
      async handler({ caller, params, body, request }) {
        const { id } = await needSubKey(caller.keyId, params.id!)
        const options = { nowMs: deps.clock.now(), rateMax: deps.rateLimit }
        const updated = await deps.db.transaction((tx) =>
          updateKeyBy(tx, requestActor(request), id, given(body), options),
        )
        if (!updated) throw apiError('no_key')
        return subKeyRecord(await needSubKey(caller.keyId, id))
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
      scope: 'keys',
      answer: keyId,
      codes: [404],
      async handler({ caller, params, request }) {
        const { id } = await needSubKey(caller.keyId, params.id!)
        await deps.db.transaction((tx) => revokeKeyBy(tx, requestActor(request), id, deps.clock.now()))
        return { id }
      },
    }),
  ]
}

/** Without the fields that are undefined. */
function given<T extends object>(body: T) {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]: Exclude<T[Name], undefined>
  }
}

function subKeyRecord(key: KeyInfo & { accountId?: string }) {
  const { account: _account, accountId: _accountId, parentId: _parent, operator: _operator, ...shown } = key
  return shown
}
