// dailies keys …
import { createKeyBy, revokeKeyBy, rotateKeyBy } from '../../accounts/keys/key-acts.ts'
import { type KeyInfo, listKeys, type RequestLimit } from '../../accounts/keys/keys.ts'
import type { Db } from '../../db/db.ts'
import { parseRate } from '../../platform/durations.ts'
import { OperatorError } from '../../platform/errors.ts'
import {
  type Command,
  type CommandInput,
  type CommandResult,
  checkName,
  textFlag,
  UsageError,
  wholeNumber,
  wholeNumberFlag,
} from '../command.ts'
import { commandLineActor } from '../connect/actor.ts'
import { needAccount, needLiveKey } from '../connect/find.ts'
import { withDatabase } from '../connect/with-database.ts'
import { countText, table, timeText } from '../terminal/print.ts'

const create: Command = {
  name: 'keys create',
  args: [],
  flags: {
    account: { value: 'NAME', help: 'make a key of this account' },
    parent: { value: 'ID', help: 'make a sub-key of this key' },
    name: { value: 'TEXT', help: 'what to call it' },
    rate: { value: '5/10s', help: 'rate limit of its own: requests/duration' },
    operator: { help: 'may use the operator routes (not for sub-keys)' },
    'credit-limit': { value: 'N', help: 'credits a sub-key may spend in all' },
    'request-limit': { value: '100/day', help: 'requests a sub-key may make: N/hour, N/day or N/total' },
  },
  summary: 'Make a key of an account, or a sub-key of a key',
  details: 'The key is shown this once; only a hash of it is stored.',
  examples: [
    'dailies keys create --account default --name backend --rate 50/1s',
    'dailies keys create --account default --operator',
    'dailies keys create --parent 0199… --credit-limit 500 --request-limit 100/day',
  ],
  async run({ flags, config }) {
    const wanted = readNewKey(flags)
    return withDatabase(config, async (db, clock) => {
      return shownKey(await makeKey(db, wanted, clock.now()))
    })
  },
  async atServer(client, { flags }) {
    if (flags.account !== undefined || flags.operator || flags.rate !== undefined) {
      throw new UsageError(
        'at a server, keys create makes a sub-key of the key in use, without --account, --rate and --operator',
      )
    }
    const creditLimit = wholeNumberFlag('--credit-limit', flags['credit-limit'])
    const requestLimit = readRequestLimit(textFlag(flags['request-limit']))
    return shownKey(await client.keys.create({ name: textFlag(flags.name) ?? 'sub-key', creditLimit, requestLimit }))
  },
}

function shownKey(made: { id: string; key: string }): CommandResult {
  return { data: made, text: `API key: ${made.key}   (shown this once)\nId:      ${made.id}` }
}

type NewKeyFlags = ReturnType<typeof readNewKey>

function readNewKey(flags: CommandInput['flags']) {
  const account = textFlag(flags.account)
  const parent = textFlag(flags.parent)
  if ((account === undefined) === (parent === undefined)) {
    throw new UsageError('give either --account NAME for a key, or --parent ID for a sub-key')
  }
  if (parent !== undefined && flags.operator) throw new UsageError('a sub-key cannot have --operator')
  for (const limit of ['credit-limit', 'request-limit']) {
    if (account !== undefined && flags[limit] !== undefined)
      throw new UsageError(`--${limit} is for sub-keys: use it with --parent`)
  }
  const rate = textFlag(flags.rate)
  if (rate !== undefined && !parseRate(rate)) {
    throw new UsageError(`--rate must be requests/duration such as 5/10s or 100/1m, not "${rate}"`)
  }
  const name = textFlag(flags.name)
  return {
    account,
    parent,
    name: name === undefined ? null : checkName('--name', name),
    rate: rate ?? null,
    operator: flags.operator === true,
    creditLimit: wholeNumberFlag('--credit-limit', flags['credit-limit']),
    requestLimit: readRequestLimit(textFlag(flags['request-limit'])),
  }
}

function readRequestLimit(text: string | undefined): RequestLimit | null {
  if (text === undefined) return null
  const [requests, per, ...rest] = text.split('/')
  if (!['hour', 'day', 'total'].includes(per ?? '') || rest.length > 0) {
    throw new UsageError(`--request-limit must be N/hour, N/day or N/total, not "${text}"`)
  }
  return {
    requests: wholeNumber('--request-limit: the part before the slash', requests!),
    per: per as RequestLimit['per'],
  }
}

function makeKey(db: Db, wanted: NewKeyFlags, nowMs: number): Promise<{ id: string; key: string }> {
  return db.transaction(async (tx) => {
    const parent = wanted.parent === undefined ? null : await needLiveKey(tx, wanted.parent, nowMs)
    if (parent?.parentId)
      throw new OperatorError(`the key ${parent.id} is a sub-key itself, which cannot have sub-keys`)
    const accountId = parent ? parent.accountId : (await needAccount(tx, wanted.account!)).id
    return createKeyBy(
      tx,
      commandLineActor(),
      {
        accountId,
        parentId: parent?.id ?? null,
        name: wanted.name ?? (parent ? 'sub-key' : 'key'),
        rate: wanted.rate,
        operator: wanted.operator,
        creditLimit: wanted.creditLimit,
        requestLimit: wanted.requestLimit,
      },
      nowMs,
    )
  })
}

const list: Command = {
  name: 'keys list',
  args: [],
  flags: { account: { value: 'NAME', help: 'only keys of this account' } },
  summary: 'List keys, their limits and what they have used',
  examples: ['dailies keys list', 'dailies keys list --account default'],
  run: ({ flags, config }) =>
    withDatabase(config, async (db, clock) => {
      const name = textFlag(flags.account)
      const filter = name === undefined ? {} : { accountId: (await needAccount(db, name)).id }
      return shownKeys(await listKeys(db, clock.now(), filter), clock.now())
    }),
  async atServer(client) {
    const items = await client.keys.list()
    return shownKeys(
      items.map((key) => ({ account: '-', parentId: '-', operator: false, rate: null, ...key })),
      Date.now(),
    )
  },
}

const headers = ['ID', 'ACCOUNT', 'NAME', 'KEY', 'KIND', 'RATE', 'CREDITS USED', 'REQUESTS USED', 'STATE']

function shownKeys(items: KeyInfo[], nowMs: number): CommandResult {
  return {
    data: { items },
    text:
      items.length === 0
        ? 'There are no keys yet.'
        : table(
            [...headers, 'CREATED (UTC)'],
            items.map((key) => keyCells(key, nowMs)),
          ),
  }
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
    key.rate ?? '-',
    key.creditLimit === null ? String(key.creditUsed) : `${key.creditUsed} of ${key.creditLimit}`,
    limit ? `${key.requestsUsed} of ${limit.requests}/${limit.per}` : '-',
    key.revokedAt !== null ? 'revoked' : expired ? 'expired' : 'active',
    timeText(key.createdAt),
  ]
}

const rotate: Command = {
  name: 'keys rotate',
  args: ['ID'],
  flags: {},
  summary: 'Give a key a new secret; the old one stops working within a second',
  details: 'Limits, use, tasks and sub-keys stay. The new key is shown this once.',
  examples: ['dailies keys rotate 0199…'],
  run: ({ args, config }) =>
    withDatabase(config, async (db, clock) => {
      const made = await db.transaction(async (tx) => {
        const { id } = await needLiveKey(tx, args[0]!, clock.now())
        return (await rotateKeyBy(tx, commandLineActor(), id, clock.now()))!
      })
      return shownKey(made)
    }),
  atServer: async (client, { args }) => shownKey(await client.keys.rotate(args[0]!)),
}

const revoke: Command = {
  name: 'keys revoke',
  args: ['ID'],
  flags: {},
  summary: 'Revoke a key and its sub-keys, for good',
  examples: ['dailies keys revoke 0199…'],
  run: ({ args, config }) =>
    withDatabase(config, async (db, clock) => {
      const { id, subKeys } = await db.transaction(async (tx) => {
        const key = await needLiveKey(tx, args[0]!, clock.now())
        const live = (await listKeys(tx, clock.now(), { parentId: key.id })).filter((sub) => sub.revokedAt === null)
        await revokeKeyBy(tx, commandLineActor(), key.id, clock.now())
        return { id: key.id, subKeys: live.length }
      })
      const also = subKeys === 0 ? '' : `, and ${countText(subKeys, 'sub-key')} with it`
      return { data: { id, revoked: true, subKeys }, text: `The key ${id} is revoked${also}.` }
    }),
  async atServer(client, { args }) {
    const { id } = await client.keys.revoke(args[0]!)
    return { data: { id, revoked: true, subKeys: 0 }, text: `The key ${id} is revoked.` }
  },
}

export const keyCommands: Command[] = [create, list, rotate, revoke]
