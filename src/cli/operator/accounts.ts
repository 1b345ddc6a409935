// dailies accounts …

import type { MadeAccount } from '../../../client/src/public.ts'
import { creditAccount, listAccounts } from '../../accounts/accounts.ts'
import { createAccountBy } from '../../accounts/new-account.ts'
import type { Account } from '../../contract/accounts.ts'
import { OperatorError } from '../../platform/errors.ts'
import {
  type Command,
  type CommandResult,
  checkName,
  command,
  listLimit,
  UsageError,
  wholeNumber,
  wholeNumberFlag,
} from '../command.ts'
import { commandLineActor } from '../connect/actor.ts'
import { allRows } from '../connect/all-rows.ts'
import { firstOf } from '../connect/client.ts'
import { needAccount } from '../connect/find.ts'
import { withDatabase } from '../connect/with-database.ts'
import { shownList, timeText } from '../terminal/print.ts'

const create = command({
  name: 'accounts create',
  args: ['NAME'],
  flags: { credits: { value: 'N', help: 'initial credits (0)' } },
  summary: 'Create an account and its first key',
  details: 'The key is shown only once; only a hash of it is stored.',
  examples: ['dailies accounts create studio --credits 5000', 'dailies accounts create studio --credits 5000 --json'],
  async run({ args, flags, config }) {
    const { name, credits } = readNewAccount(args[0], flags.credits)
    return withDatabase(config, async (db, clock) => {
      const deps = { db, secretBox: config.secretBox }
      const made = await createAccountBy(deps, commandLineActor(), { name, credits }, clock.now())
      if (!made) throw new OperatorError(`there is an account "${name}" already; choose another name`)
      const { account, key } = made
      return shownNew({ ...account, key: key.key, keyId: key.id })
    })
  },
  atServer({ args, flags }) {
    const account = readNewAccount(args[0], flags.credits)
    return async (client) => shownNew(await client.operator.createAccount(account))
  },
})

const readNewAccount = (name: string, credits: string | undefined) => ({
  name: checkName('NAME', name),
  credits: wholeNumberFlag('--credits', credits) ?? 0,
})

const shownNew = ({ name, key, id, keyId, balance }: MadeAccount): CommandResult => ({
  data: { account: name, key, id, keyId, balance },
  text: `Account ${name} has ${balance} credits.\nAPI key: ${key}   (shown only once)`,
})

const credit = command({
  name: 'accounts credit',
  args: ['NAME', 'N'],
  summary: 'Grant credits to an account; a negative number withdraws them',
  examples: ['dailies accounts credit studio 1000', 'dailies accounts credit studio -200'],
  async run({ args: [name, amountText], config }) {
    if (!/^-?\d{1,15}$/.test(amountText) || Number(amountText) === 0) {
      throw new UsageError(`N must be a whole number of credits other than 0, not "${amountText}"`)
    }
    const amount = Number(amountText)
    return withDatabase(config, async (db, clock) => {
      const balance = await db.transaction(async (tx) => {
        const account = await needAccount(tx, name)
        const after = account.balance + amount
        if (after < 0) {
          throw new OperatorError(
            `account "${name}" has ${account.balance} credits; ${-amount} cannot be withdrawn (unfinished tasks hold theirs)`,
          )
        }
        if (!Number.isSafeInteger(after))
          throw new OperatorError(`account "${name}" would have more credits than can be counted`)
        return creditAccount(tx, commandLineActor(), account, amount, clock.now())
      })
      return shownBalance(name, balance)
    })
  },
  atServer({ args: [name, amountText] }) {
    if (amountText.startsWith('-')) throw new UsageError('credits are withdrawn without --remote and --url only')
    const amount = wholeNumber('N', amountText)
    return async (client) => shownBalance(name, (await client.operator.grant(name, amount)).balance)
  },
})

const shownBalance = (account: string, balance: number): CommandResult => ({
  data: { account, balance },
  text: `Account ${account} has ${balance} credits.`,
})

const shownDefault = 1000

const list = command({
  name: 'accounts list',
  flags: { limit: { value: 'N', help: `at most this many (${shownDefault}; with --json all)` } },
  summary: 'List accounts with their balances, oldest first',
  examples: ['dailies accounts list'],
  run({ flags, config, json }) {
    const limit = listLimit(flags.limit, json, shownDefault)
    return withDatabase(config, async (db) => {
      const accounts = allRows((page) => listAccounts(db, page))
      return shownAccounts(await firstOf(accounts, limit))
    })
  },
  atServer({ flags, json }) {
    const limit = listLimit(flags.limit, json, shownDefault)
    return async (client) => shownAccounts(await firstOf(client.operator.accountPages(), limit))
  },
})

const shownAccounts = (items: Account[]) =>
  shownList(items, 'There are no accounts yet.', ['NAME', 'CREDITS', 'OPEN TASKS', 'CREATED (UTC)'], (account) => [
    account.name,
    account.balance,
    account.openTasks,
    timeText(account.createdAt),
  ])

export const accountCommands: Command[] = [create, credit, list]
