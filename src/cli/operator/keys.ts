// dailies keys …
import { createKeyBy, revokeKeyBy, rotateKeyBy, updateKeyBy } from '../../accounts/keys/key-acts.ts'
import { countLiveSubKeys, type KeyInfo, listKeys } from '../../accounts/keys/read-keys.ts'
import type { KeyChanges } from '../../accounts/keys/update.ts'
import { ApiError } from '../../contract/errors.ts'
import { keyRotation } from '../../contract/keys.ts'
import type { Db } from '../../db/db.ts'
import { parseDuration } from '../../platform/durations.ts'
import { OperatorError } from '../../platform/errors.ts'
import {
  type Command,
  type CommandResult,
  command,
  type Flags,
  type FlagValues,
  listLimit,
  UsageError,
} from '../command.ts'
import { commandLineActor } from '../connect/actor.ts'
import { allRows } from '../connect/all-rows.ts'
import { firstOf } from '../connect/client.ts'
import { needAccount, needAccountId, needLiveKey } from '../connect/find.ts'
import { withDatabase } from '../connect/with-database.ts'
import { countText, shownList, timeText } from '../terminal/print.ts'
import { keyFlags, readKeyFlags } from './key-flags.ts'

const newKeyFlags = {
  account: { value: 'NAME', help: 'create a key of this account' },
  parent: { value: 'ID', help: 'create a sub-key of this key' },
  ...keyFlags,
  operator: { help: 'may use the operator routes (not for sub-keys)' },
} satisfies Flags

const create = command({
  name: 'keys create',
  flags: newKeyFlags,
  summary: 'Create a key of an account, or a sub-key of a key',
  details: 'The key is shown only once; only a hash of it is stored. A sub-key never has more rights than its parent.',
  examples: [
    'dailies keys create --account default --name backend --rate 50/1s --expires 90d',
    'dailies keys create --account default --operator --addresses 10.0.0.0/8',
    'dailies keys create --parent 0199… --credit-limit 500 --request-limit 100/day --scopes tasks:read',
  ],
  async run({ flags, config }) {
    checkOwner(flags)
    const wanted = readKeyFlags(flags)
    return withDatabase(config, async (db, clock) => shownKey(await explained(makeKey(db, flags, wanted, clock.now()))))
  },
  atServer({ flags }) {
    if (flags.account !== undefined || flags.parent !== undefined || flags.operator) {
      throw new UsageError(
        'at a server, keys create makes a sub-key of the key in use, without --account, --parent and --operator',
      )
    }
    const wanted = readKeyFlags(flags)
    return async (client) => shownKey(await client.keys.create({ name: 'sub-key', ...wanted }))
  },
})

/** Problems with rights are mistakes in how the command was called. */
async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof ApiError ? new UsageError(error.message) : error
  }
}

function shownKey(made: { id: string; key: string }): CommandResult {
  return { data: made, text: `API key: ${made.key}   (shown only once)\nId:      ${made.id}` }
}

type NewKeyFlags = FlagValues<typeof newKeyFlags>

function checkOwner({ account, parent, operator, ...flags }: NewKeyFlags): void {
  if ((account === undefined) === (parent === undefined)) {
    throw new UsageError('give either --account NAME for a key, or --parent ID for a sub-key')
  }
  if (parent !== undefined && operator) throw new UsageError('a sub-key cannot have --operator')
  for (const limit of ['credit-limit', 'request-limit'] as const) {
    if (account !== undefined && flags[limit] !== undefined)
      throw new UsageError(`--${limit} is for sub-keys: use it with --parent`)
  }
}

function makeKey(db: Db, flags: NewKeyFlags, wanted: KeyChanges, nowMs: number) {
  return db.transaction(async (tx) => {
    const parent = flags.parent === undefined ? null : await needLiveKey(tx, flags.parent, nowMs)
    if (parent?.parentId)
      throw new OperatorError(`the key ${parent.id} is a sub-key itself, which cannot have sub-keys`)
    const accountId = parent ? parent.accountId : (await needAccount(tx, flags.account!)).id
    const name = parent ? 'sub-key' : 'key'
    const key = { name, ...wanted, accountId, parentId: parent?.id ?? null, operator: flags.operator ?? false }
    return createKeyBy(tx, commandLineActor(), key, nowMs)
  })
}

const update = command({
  name: 'keys update',
  args: ['ID'],
  flags: keyFlags,
  summary: 'Change the name, limits or rights of a key',
  details: 'Only the given flags change; the value none removes a limit. Changes take effect within a second.',
  examples: [
    'dailies keys update 0199… --expires 30d --scopes tasks:read',
    'dailies keys update 0199… --addresses none',
  ],
  async run({ args: [keyId], flags, config }) {
    const changes = readKeyFlags(flags)
    return withDatabase(config, async (db, clock) => {
      const nowMs = clock.now()
      const key = await explained(
        db.transaction(async (tx) => {
          const { id } = await needLiveKey(tx, keyId, nowMs)
          await updateKeyBy(tx, commandLineActor(), id, changes, { nowMs })
          return needLiveKey(tx, id, nowMs)
        }),
      )
      return { ...shownKeys([key], nowMs), data: key }
    })
  },
  atServer({ args: [keyId], flags }) {
    const changes = readKeyFlags(flags)
    return async (client) => {
      const key = await client.keys.update(keyId, changes)
      return { ...shownKeys([ofServer(key)], Date.now()), data: key }
    }
  },
})

/** A server shows the calling key's own sub-keys, without what is the same for all of them. */
const ofServer = (key: Omit<KeyInfo, 'account' | 'parentId' | 'operator'>): KeyInfo => ({
  account: '-',
  parentId: 'the key in use',
  operator: false,
  ...key,
})

const shownDefault = 1000

const list = command({
  name: 'keys list',
  flags: {
    account: { value: 'NAME', help: 'only keys of this account' },
    limit: { value: 'N', help: `at most this many (${shownDefault}; with --json all)` },
  },
  summary: 'List keys, their limits and what they have used, oldest first',
  details: 'With DAILIES_URL, the sub-keys of the key in use at that server.',
  prefersServer: true,
  examples: ['dailies keys list', 'dailies keys list --account default'],
  run({ flags, config, json }) {
    const limit = listLimit(flags.limit, json, shownDefault)
    return withDatabase(config, async (db, clock) => {
      const accountId = await needAccountId(db, flags.account)
      const keys = allRows((page) => listKeys(db, clock.now(), { accountId, ...page }))
      return shownKeys(await firstOf(keys, limit), clock.now())
    })
  },
  atServer({ flags: { account, limit: most }, json }) {
    const limit = listLimit(most, json, shownDefault)
    return async (client) => {
      if (account === undefined) {
        const items = await firstOf(client.keys.pages(), limit)
        return { ...shownKeys(items.map(ofServer), Date.now(), 'The key has no sub-keys.'), data: { items } }
      }
      const items = await firstOf(client.operator.accountKeyPages(account), limit)
      return shownKeys(
        items.map((key) => ({ ...key, account })),
        Date.now(),
      )
    }
  },
})

const headers = [
  'ID',
  'ACCOUNT',
  'NAME',
  'KEY',
  'KIND',
  'SCOPES',
  'ADDRESSES',
  'RATE',
  'CREDITS USED',
  'REQUESTS USED',
  'STATE',
  'CREATED (UTC)',
  'EXPIRES (UTC)',
  'LAST USED (UTC)',
]

function shownKeys(items: KeyInfo[], nowMs: number, none = 'There are no keys yet.'): CommandResult {
  return shownList(items, none, headers, (key) => keyCells(key, nowMs))
}

function keyCells(key: KeyInfo, nowMs: number): string[] {
  const { requestLimit: limit } = key
  const expired = key.expiresAt !== null && key.expiresAt <= nowMs
  return [
    key.id,
    key.account,
    key.name,
    key.hint,
    key.parentId === null ? (key.operator ? 'operator' : 'main') : `sub of ${key.parentId}`,
    key.scopes?.join(' ') ?? '-',
    key.addresses?.join(' ') ?? '-',
    key.rate ?? '-',
    key.creditLimit === null ? String(key.creditUsed) : `${key.creditUsed} of ${key.creditLimit}`,
    limit ? `${key.requestsUsed} of ${limit.requests}/${limit.per}` : '-',
    key.revokedAt !== null ? 'revoked' : expired ? 'expired' : 'active',
    timeText(key.createdAt),
    timeText(key.expiresAt),
    timeText(key.lastUsedAt),
  ]
}

const rotate = command({
  name: 'keys rotate',
  args: ['ID'],
  flags: { overlap: { value: '24h', help: 'how long the old secret still works, at most 7d (none)' } },
  summary: 'Give a key a new secret; the old one stops working within a second, or after --overlap',
  details: 'Limits, use, tasks and sub-keys stay. The new key is shown only once. At a server, self is the key in use.',
  examples: ['dailies keys rotate 0199…', 'dailies keys rotate self --overlap 24h --remote'],
  async run({ args: [keyId], flags, config }) {
    const overlap = checkOverlap(flags.overlap)
    return withDatabase(config, async (db, clock) => {
      const made = await db.transaction(async (tx) => {
        const { id } = await needLiveKey(tx, keyId, clock.now())
        return (await rotateKeyBy(tx, commandLineActor(), id, clock.now(), parseDuration(overlap ?? '0s')!))!
      })
      return shownKey(made)
    })
  },
  atServer({ args: [keyId], flags }) {
    const overlap = checkOverlap(flags.overlap)
    return async (client) => shownKey(await client.keys.rotate(keyId, { overlap }))
  },
})

function checkOverlap(overlap: string | undefined): string | undefined {
  const { success } = keyRotation.safeParse({ overlap })
  if (!success) throw new UsageError(`--overlap must be a duration such as 24h, at most 7d, not "${overlap}"`)
  return overlap
}

const revoke = command({
  name: 'keys revoke',
  args: ['ID'],
  summary: 'Revoke a key and its sub-keys permanently',
  examples: ['dailies keys revoke 0199…'],
  run: ({ args: [keyId], config }) =>
    withDatabase(config, async (db, clock) => {
      const { id, subKeys } = await db.transaction(async (tx) => {
        const key = await needLiveKey(tx, keyId, clock.now())
        const live = await countLiveSubKeys(tx, key.id)
        await revokeKeyBy(tx, commandLineActor(), key.id, clock.now())
        return { id: key.id, subKeys: live }
      })
      const also = subKeys === 0 ? '' : `, and ${countText(subKeys, 'sub-key')} with it`
      return { data: { id, revoked: true, subKeys }, text: `The key ${id} is revoked${also}.` }
    }),
  atServer:
    ({ args: [keyId] }) =>
    async (client) => {
      const { id } = await client.keys.revoke(keyId)
      return { data: { id, revoked: true, subKeys: 0 }, text: `The key ${id} is revoked.` }
    },
})

export const keyCommands: Command[] = [create, list, update, rotate, revoke]
