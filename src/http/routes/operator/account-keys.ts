// /api/v1/operator/…/keys and /api/v1/operator/webhooks/secret: the keys and secrets of every account, for operators.
import type { Principal } from '../../../accounts/keys/authenticate.ts'
import { createKeyBy, revokeKeyBy, rotateKeyBy, updateKeyBy } from '../../../accounts/keys/key-acts.ts'
import { countLiveSubKeys, findKey, listKeys } from '../../../accounts/keys/read-keys.ts'
import { ownedSecret, secretOwner } from '../../../contract/deliveries.ts'
import { apiError, invalidField } from '../../../contract/errors.ts'
import {
  accountKeyPage,
  keyChanges,
  keyId,
  keyRotation,
  keyScopes,
  listedKey,
  listedKeyPage,
  newKey,
  revokedKey,
  shownKey,
} from '../../../contract/keys.ts'
import { longPageQuery } from '../../../contract/page.ts'
import type { Db, Sql } from '../../../db/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import { parseDuration } from '../../../platform/durations.ts'
import { withoutUndefined } from '../../../platform/without-undefined.ts'
import type { SecretBox } from '../../../secrets/secret-box.ts'
import { readSecret, rotateSecret } from '../../../webhooks/secrets.ts'
import { type Route, route } from '../../route.ts'
import { requestActor } from '../../server/guard.ts'
import { cutPage } from '../../server/paging.ts'
import { needAccount } from './accounts.ts'
import { operator } from './operator.ts'

const unrestricted =
  ' For keys without scopes, addresses and expiry of their own: others could give themselves more rights by it.'

export function accountKeyRoutes({ db, clock, secretBox }: { db: Db; clock: Clock; secretBox: SecretBox }): Route[] {
  return [
    route({
      endpoint: 'GET /api/v1/operator/accounts/:name/keys',
      operationId: 'listAccountKeys',
      summary: 'List the keys of an account',
      description: 'Main keys and sub-keys, oldest first, revoked ones included.',
      ...operator,
      query: longPageQuery,
      answer: accountKeyPage,
      async handler({ params, query: { limit, cursor } }) {
        const { id: accountId } = await needAccount(db, params.name!)
        const filter = { accountId, after: cursor, limit: limit + 1 }
        const { rows, nextCursor } = cutPage(await listKeys(db, clock.now(), filter), limit)
        return { items: rows.map(({ account: _account, ...key }) => key), nextCursor }
      },
    }),
    route({
      endpoint: 'DELETE /api/v1/operator/accounts/:name/keys/:id',
      operationId: 'revokeAccountKey',
      summary: 'Revoke a key of an account',
      description: 'It and its sub-keys stop working at once. Their tasks continue and stay in the account.',
      ...operator,
      answer: keyId,
      async handler({ params, request }) {
        const nowMs = clock.now()
        const account = await needAccount(db, params.name!)
        const key = await findKey(db, params.id!, nowMs)
        if (key?.accountId !== account.id || key.revokedAt !== null) throw apiError('no_key')
        await db.transaction((tx) => revokeKeyBy(tx, requestActor(request), key.id, nowMs))
        return { id: key.id }
      },
    }),
    route({
      endpoint: 'GET /api/v1/operator/keys',
      operationId: 'listAllKeys',
      summary: 'List the keys of every account',
      description: 'Main keys and sub-keys, oldest first, revoked ones included.',
      ...operator,
      query: longPageQuery,
      answer: listedKeyPage,
      async handler({ query: { limit, cursor } }) {
        const { rows, nextCursor } = cutPage(
          await listKeys(db, clock.now(), { after: cursor, limit: limit + 1 }),
          limit,
        )
        return { items: rows, nextCursor }
      },
    }),
    route({
      endpoint: 'POST /api/v1/operator/keys',
      operationId: 'createAnyKey',
      summary: 'Create a key of an account, or a sub-key of a key',
      description: `The key is shown only once; only a hash of it is stored.${unrestricted}`,
      ...operator,
      body: newKey,
      answer: shownKey,
      handler: ({ caller, body, request }) =>
        db.transaction(async (tx) => {
          needUnrestricted(caller)
          const { account, parentId, operator, ...wanted } = body
          const parent = parentId == null ? null : await needKey(tx, parentId, clock.now())
          if (parent?.parentId) {
            throw invalidField('parentId', `the key ${parentId} is a sub-key itself, which cannot have sub-keys`)
          }
          const accountId = parent ? parent.accountId : (await needAccount(tx, account!)).id
          const key = { ...wanted, accountId, parentId: parent?.id ?? null, operator: operator === true }
          return createKeyBy(tx, requestActor(request), key, clock.now())
        }),
    }),
    route({
      endpoint: 'PATCH /api/v1/operator/keys/:id',
      operationId: 'updateAnyKey',
      summary: 'Change the name, limits and rights of a key',
      description: `Fields that are left out stay; \`null\` removes a limit.${unrestricted}`,
      ...operator,
      body: keyChanges,
      answer: listedKey,
      handler: ({ caller, params, body, request }) =>
        db.transaction(async (tx) => {
          needUnrestricted(caller)
          const nowMs = clock.now()
          const { id } = await needKey(tx, params.id!, nowMs)
          await updateKeyBy(tx, requestActor(request), id, withoutUndefined(body), { nowMs })
          const { accountId: _accountId, ...key } = await needKey(tx, id, nowMs)
          return key
        }),
    }),
    route({
      endpoint: 'POST /api/v1/operator/keys/:id/rotate',
      operationId: 'rotateAnyKey',
      summary: 'Give a key a new secret',
      description: `The old secret stops working at once, or after \`overlap\`.${unrestricted}`,
      ...operator,
      body: keyRotation,
      answer: shownKey,
      handler: ({ caller, params, body, request }) =>
        db.transaction(async (tx) => {
          needUnrestricted(caller)
          const { id } = await needKey(tx, params.id!, clock.now())
          const overlapMs = body?.overlap ? parseDuration(body.overlap)! : 0
          return (await rotateKeyBy(tx, requestActor(request), id, clock.now(), overlapMs))!
        }),
    }),
    route({
      endpoint: 'DELETE /api/v1/operator/keys/:id',
      operationId: 'revokeAnyKey',
      summary: 'Revoke a key',
      description: 'It and its sub-keys stop working at once. Their tasks continue and stay in the account.',
      ...operator,
      answer: revokedKey,
      handler: ({ params, request }) =>
        db.transaction(async (tx) => {
          const { id } = await needKey(tx, params.id!, clock.now())
          const subKeys = await countLiveSubKeys(tx, id)
          await revokeKeyBy(tx, requestActor(request), id, clock.now())
          return { id, subKeys }
        }),
    }),
    route({
      endpoint: 'GET /api/v1/operator/webhooks/secret',
      operationId: 'getAnyWebhookSecret',
      summary: 'Read the secret that signs the callbacks of an account or of a key',
      description: `Callbacks of a sub-key are never signed with the secret of the account.${unrestricted}`,
      ...operator,
      query: secretOwner,
      answer: ownedSecret,
      async handler({ caller, query }) {
        needUnrestricted(caller)
        const { accountName: account, ...owner } = await ownerOf(db, query, clock.now())
        return { account, keyId: owner.keyId, ...(await readSecret(db, owner, clock.now(), secretBox)) }
      },
    }),
    route({
      endpoint: 'POST /api/v1/operator/webhooks/secret/rotate',
      operationId: 'rotateAnyWebhookSecret',
      summary: 'Replace the secret that signs the callbacks of an account or of a key',
      description: `For 24 hours callbacks are signed with both the new and the previous secret.${unrestricted}`,
      ...operator,
      body: secretOwner,
      answer: ownedSecret,
      handler: ({ caller, body, request }) =>
        db.transaction(async (tx) => {
          needUnrestricted(caller)
          const owner = await ownerOf(tx, body, clock.now())
          const rotated = await rotateSecret(tx, requestActor(request), owner, clock.now(), secretBox)
          return { account: owner.accountName, keyId: owner.keyId, ...rotated }
        }),
    }),
  ]
}

/** A key that was narrowed must not get the rights of another by replacing that one's secret, or by making a key. */
function needUnrestricted({ scopes, networks, expiresAt }: Principal): void {
  const isWhole = keyScopes.every((scope) => scopes.has(scope)) && networks.length === 0 && expiresAt === null
  if (!isWhole) throw apiError('restricted_key')
}

/** A key that is not revoked. */
async function needKey(sql: Sql, id: string, nowMs: number) {
  const key = await findKey(sql, id, nowMs)
  if (!key) throw apiError('no_key')
  if (key.revokedAt !== null) throw invalidField('id', `the key ${id} is revoked`)
  return key
}

async function ownerOf(sql: Sql, { account, keyId }: { account?: string; keyId?: string }, nowMs: number) {
  if (keyId === undefined) {
    const { id: accountId, name: accountName } = await needAccount(sql, account!)
    return { accountId, accountName, keyId: null }
  }
  const key = await needKey(sql, keyId, nowMs)
  return { accountId: key.accountId, accountName: key.account, keyId }
}
