// dailies ledger …
import type { LedgerEntry } from '../../../client/src/public.ts'
import { namesOfAccounts } from '../../accounts/accounts.ts'
import { checkLedger } from '../../accounts/ledger.ts'
import { listEntries, subjectsEnding } from '../../accounts/ledger-entries.ts'
import { type Command, command, listLimit, refuseAccount } from '../command.ts'
import { allRows } from '../connect/all-rows.ts'
import { firstOf } from '../connect/client.ts'
import { needAccountId } from '../connect/find.ts'
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
  async run({ flags, config, json }) {
    const most = listLimit(flags.limit, json, shownDefault)
    return withDatabase(config, async (db) => {
      const accountId = await needAccountId(db, flags.account)
      const taskId = flags.task && (await wholeId('task or request', flags.task, (end) => subjectsEnding(db, end)))
      const filter = { accountId, taskId }
      const entries = allRows(async ({ after, limit }) => {
        const { rows } = await listEntries(db, { ...filter, before: after, limit })
        return rows
      })
      const rows = await firstOf(entries, most)
      const names = await namesOfAccounts(
        db,
        rows.map((row) => row.account_id),
      )
      const items = rows.map((row) => ({
        id: row.id,
        kind: row.kind,
        amount: row.amount,
        cost: row.cost,
        balanceAfter: row.balance_after,
        account: names.get(row.account_id) ?? row.account_id,
        taskId: row.subject,
        keyId: row.key_id,
        createTime: row.created_at,
      }))
      return shownEntries(items)
    })
  },
  atServer({ flags, json }) {
    refuseAccount(flags)
    const limit = listLimit(flags.limit, json, shownDefault)
    return async (client) => {
      const items = await firstOf(client.ledger({ limit: 100, taskId: flags.task }), limit)
      const taskIds = [...new Set(items.map(({ taskId }) => taskId!))]
      if (flags.task) await wholeId('task or request', flags.task, async () => taskIds)
      return shownEntries(items)
    }
  },
})

const headers = ['TIME (UTC)', 'ACCOUNT', 'KIND', 'AMOUNT', 'COST', 'BALANCE', 'TASK']

const shownEntries = (items: (LedgerEntry & { account?: string })[]) =>
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
