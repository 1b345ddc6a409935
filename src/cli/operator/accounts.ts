// dailies accounts …
import { InvalidRequest } from '../../../client/src/public.ts'
import { grantBody } from '../../contract/accounts.ts'
import { OperatorError } from '../../platform/errors.ts'
import {
  type Command,
  type CommandResult,
  checkName,
  command,
  listLimit,
  UsageError,
  wholeNumberFlag,
} from '../command.ts'
import { firstOf } from '../connect/client.ts'
import { ofAccount } from '../connect/not-found.ts'
import { shownList, timeText } from '../terminal/print.ts'

const create = command({
  name: 'accounts create',
  args: ['NAME'],
  flags: { credits: { value: 'N', help: 'initial credits (0)' } },
  summary: 'Create an account and its first key',
  details: 'The key is shown only once; only a hash of it is stored.',
  examples: ['dailies accounts create studio --credits 5000', 'dailies accounts create studio --credits 5000 --json'],
  operate({ args, flags, isRemote }) {
    const account = { name: checkName('NAME', args[0]), credits: wholeNumberFlag('--credits', flags.credits) ?? 0 }
    return async (client) => {
      const taken = refusedFor('name', isRemote, '; choose another name')
      const { name, key, id, keyId, balance } = await client.operator.createAccount(account).catch(taken)
      return {
        data: { account: name, key, id, keyId, balance },
        text: `Account ${name} has ${balance} credits.\nAPI key: ${key}   (shown only once)`,
      }
    }
  },
})

const credit = command({
  name: 'accounts credit',
  args: ['NAME', 'N'],
  summary: 'Grant credits to an account; a negative number withdraws them',
  examples: ['dailies accounts credit studio 1000', 'dailies accounts credit studio -200'],
  operate({ args: [account, text], isRemote }) {
    if (isRemote && text.startsWith('-')) throw new UsageError('credits are withdrawn without --remote and --url only')
    if (!/^-?\d+$/.test(text) || !grantBody.safeParse({ credits: Number(text) }).success) {
      throw new UsageError(`N must be a whole number of credits other than 0, not "${text}"`)
    }
    return async (client): Promise<CommandResult> => {
      const granted = client.operator.grant(account, Number(text)).catch(refusedFor('credits', isRemote))
      const { balance } = await ofAccount({ client, isRemote }, account, granted)
      return { data: { account, balance }, text: `Account ${account} has ${balance} credits.` }
    }
  },
})

/** On the configured database, what is wrong with this field is the whole message. */
function refusedFor(field: string, isRemote: boolean, advice = '') {
  return (error: unknown): never => {
    const problems = isRemote || !(error instanceof InvalidRequest) ? [] : error.problems
    const problem = problems.find((each) => each.field === field)
    throw problem ? new OperatorError(problem.sentence + advice) : error
  }
}

const shownDefault = 1000

const list = command({
  name: 'accounts list',
  flags: { limit: { value: 'N', help: `at most this many (${shownDefault}; with --json all)` } },
  summary: 'List accounts with their balances, oldest first',
  examples: ['dailies accounts list'],
  operate({ flags, json }) {
    const limit = listLimit(flags.limit, json, shownDefault)
    return async (client) => {
      const items = await firstOf(client.operator.accountPages(), limit)
      return shownList(items, 'There are no accounts yet.', headers, ({ name, balance, openTasks, createdAt }) => [
        name,
        balance,
        openTasks,
        timeText(createdAt),
      ])
    }
  },
})

const headers = ['NAME', 'CREDITS', 'OPEN TASKS', 'CREATED (UTC)']

export const accountCommands: Command[] = [create, credit, list]
