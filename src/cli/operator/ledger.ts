// dailies ledger …
import type { LedgerEntry } from '../../../client/src/public.ts'
import { checkLedger } from '../../account-data/check-ledger.ts'
import { type Command, command, listLimit, refuseAccount } from '../command.ts'
import { firstOf } from '../connect/client.ts'
import { ofAccount } from '../connect/not-found.ts'
import { wholeId } from '../connect/whole-id.ts'
import { withDatabase } from '../connect/with-database.ts'
import { countText, shownList, timeText } from '../terminal/print.ts'

const shownDefault = 50

const list = command({
  name: 'ledger list',
  flags: {
    account: { value: 'NAME', help: 'only entries of this account' },
    task: { value: 'ID', help: 'only entries of this task or inference request; the end of its id is enough' },
    limit: { value: 'N', help: `at most this many (${shownDefault}; with --json all)` },
  },
  summary: 'List credit entries, newest first',
  examples: ['dailies ledger list --account default', 'dailies ledger list --task 0199… --json'],
  operate({ flags: { account, task: taskId, limit: most }, json, isRemote }) {
    refuseAccount(isRemote, account)
    const limit = listLimit(most, json, shownDefault)
    return async (client) => {
      const entries: AsyncIterable<ShownEntry> = isRemote
        ? client.ledger({ limit: 100, taskId })
        : client.operator.ledger({ account, taskId })
      const items = await ofAccount({ client, isRemote }, account, firstOf(entries, limit))
      const taskIds = [...new Set(items.map((item) => item.taskId!))]
      if (taskId !== undefined) await wholeId('task or request', taskId, async () => taskIds)
      return shownEntries(items)
    }
  },
})

type ShownEntry = LedgerEntry & { account?: string }

const headers = ['TIME (UTC)', 'ACCOUNT', 'KIND', 'AMOUNT', 'COST', 'BALANCE', 'TASK']

const shownEntries = (items: ShownEntry[]) =>
  shownList(items, 'There are no such entries.', headers, (item) => [
    timeText(item.createTime),
    item.account ?? null,
    item.kind,
    item.amount,
    item.cost,
    item.balanceAfter,
    item.taskId,
  ])

const check = command({
  name: 'ledger check',
  summary: 'Check that every credit is accounted for; exit code 1 when not',
  examples: ['dailies ledger check', 'dailies ledger check --json'],
  run: ({ config }) =>
    withDatabase(config, async (db) => {
      const result = await checkLedger(db)
      const counts = `${countText(result.accounts, 'account')}, ${countText(result.entries, 'entry', 'entries')}`
      return {
        data: result,
        text: result.ok
          ? `The ledger balances: ${counts}.`
          : [`The ledger does not balance (${counts}):`, ...result.problems.map((problem) => `  ${problem}`)].join(
              '\n',
            ),
        exitCode: result.ok ? 0 : 1,
      }
    }),
})

export const ledgerCommands: Command[] = [list, check]
