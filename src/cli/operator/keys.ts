// dailies keys …
import type { AllKeys, Dailies, KeyChanges, ListedKey, SubKey } from '../../../client/src/public.ts'
import { keyRotation } from '../../contract/keys.ts'
import {
  type Command,
  type CommandResult,
  command,
  type Flags,
  type FlagValues,
  listLimit,
  UsageError,
} from '../command.ts'
import { firstOf } from '../connect/client.ts'
import { ofAccount, ofKey } from '../connect/not-found.ts'
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
  operate({ flags, isRemote }) {
    if (isRemote && (flags.account !== undefined || flags.parent !== undefined || flags.operator)) {
      throw new UsageError(
        'at a server, keys create makes a sub-key of the key in use, without --account, --parent and --operator',
      )
    }
    if (!isRemote) checkOwner(flags)
    const wanted = readKeyFlags(flags)
    return async (client) => {
      const { account, parent: parentId, operator } = flags
      if (isRemote) return shownKey(await client.keys.create({ name: 'sub-key', ...wanted }))
      const key = { name: parentId === undefined ? 'key' : 'sub-key', ...wanted, account, parentId, operator }
      const made = ofKey({ isRemote }, parentId, client.operator.keys.create(key))
      return shownKey(await ofAccount({ client, isRemote }, account, made))
    }
  },
})

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
  operate({ args: [keyId], flags, isRemote }) {
    const changes = readKeyFlags(flags)
    return async (client) => {
      const key = await ofKey({ isRemote }, keyId, keysOf(client, isRemote).update(keyId, changes))
      return { ...shownKeys([key]), data: key }
    }
  },
})

type ShownKey = SubKey & Partial<ListedKey>

/** At a server, the sub-keys of the key in use. */
const keysOf = (client: Dailies, isRemote: boolean): Pick<AllKeys, 'rotate'> & SomeKeys =>
  isRemote ? client.keys : client.operator.keys

interface SomeKeys {
  pages(): AsyncIterable<ShownKey>
  update(id: string, changes: KeyChanges): Promise<ShownKey>
  revoke(id: string): Promise<{ id: string; subKeys?: number }>
}

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
  operate({ flags: { account, limit: most }, json, isRemote }) {
    const limit = listLimit(most, json, shownDefault)
    return async (client) => {
      if (account === undefined) {
        const none = isRemote ? 'The key has no sub-keys.' : 'There are no keys yet.'
        return shownKeys(await firstOf(keysOf(client, isRemote).pages(), limit), none)
      }
      const found = firstOf(client.operator.accountKeyPages(account), limit)
      const items = await ofAccount({ client, isRemote }, account, found)
      return shownKeys(items.map((key) => ({ ...key, account })))
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

const shownKeys = (items: ShownKey[], none = 'There are no keys yet.') => shownList(items, none, headers, keyCells)

/** A server shows the calling key's own sub-keys, without what is the same for all of them. */
function keyCells(key: ShownKey): string[] {
  const { account = '-', parentId = 'the key in use', operator = false } = key
  const { requestLimit: limit } = key
  const expired = key.expiresAt !== null && key.expiresAt <= Date.now()
  return [
    key.id,
    account,
    key.name,
    key.hint,
    parentId === null ? (operator ? 'operator' : 'main') : `sub of ${parentId}`,
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
  operate({ args: [keyId], flags, isRemote }) {
    const overlap = checkOverlap(flags.overlap)
    return async (client) =>
      shownKey(await ofKey({ isRemote }, keyId, keysOf(client, isRemote).rotate(keyId, { overlap })))
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
  operate:
    ({ args: [keyId], isRemote }) =>
    async (client) => {
      const { id, subKeys = 0 } = await ofKey({ isRemote }, keyId, keysOf(client, isRemote).revoke(keyId))
      const also = subKeys === 0 ? '' : `, and ${countText(subKeys, 'sub-key')} with it`
      return { data: { id, revoked: true, subKeys }, text: `The key ${id} is revoked${also}.` }
    },
})

export const keyCommands: Command[] = [create, list, update, rotate, revoke]
