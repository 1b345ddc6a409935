// dailies ledger …
import type { LedgerEntry } from '../../../client/src/public.ts'
import { listAccounts } from '../../accounts/accounts.ts'
import { checkLedger, type LedgerRow, listEntries } from '../../accounts/ledger.ts'
import type { Db } from '../../db/db.ts'
import { type Command, type FlagValue, textFlag, UsageError, wholeNumberFlag } from '../command.ts'
import { needAccount } from '../connect/find.ts'
import { withDatabase } from '../connect/with-database.ts'
import { countText, shownList, timeText } from '../terminal/print.ts'

const pageRows = 1000
const shownDefault = 50

const list: Command = {
  name: 'ledger list',
  args: [],
  flags: {
    account: { value: 'NAME', help: 'only entries of this account' },
    task: { value: 'ID', help: 'only entries of this task or inference request' },
    limit: { value: 'N', help: `at most this many (${shownDefault}; with --json all)` },
  },
  summary: 'List credit entries, newest first',
  examples: ['dailies ledger list --account default', 'dailies ledger list --task 0199… --json'],
  async run({ flags, config, json }) {
    const limit = readLimit(flags.limit, json)
    return withDatabase(config, async (db) => {
      const name = textFlag(flags.account)
      const taskId = textFlag(flags.task)
      const filter = {
        ...(name === undefined ? {} : { accountId: (await needAccount(db, name)).id }),
        ...(taskId === undefined ? {} : { taskId }),
      }
      const rows = await readEntries(db, filter, limit)
      const names = new Map((await listAccounts(db)).map((account) => [account.id, account.name]))
      const items = rows.map((row) => ({
        id: row.id,
        kind: row.kind,
        amount: row.amount,
        balanceAfter: row.balance_after,
        account: names.get(row.account_id) ?? row.account_id,
        taskId: row.task_id,
        keyId: row.key_id,
        createTime: row.created_at,
      }))
      return shownEntries(items)
    })
  },
  async atServer(client, { flags, json }) {
    const limit = readLimit(flags.limit, json)
    const taskId = textFlag(flags.task)
    const items: LedgerEntry[] = []
    for await (const entry of client.ledger({ limit: 100, ...(taskId === undefined ? {} : { taskId }) })) {
      if (items.push(entry) >= limit) break
    }
    return shownEntries(items)
  },
}

function readLimit(value: FlagValue, json: boolean): number {
  const limit = wholeNumberFlag('--limit', value) ?? (json ? Number.MAX_SAFE_INTEGER : shownDefault)
  if (limit < 1) throw new UsageError('--limit must be at least 1')
  return limit
}

const headers = ['TIME (UTC)', 'ACCOUNT', 'KIND', 'AMOUNT', 'BALANCE', 'TASK']

const shownEntries = (items: (LedgerEntry & { account?: string })[]) =>
  shownList(items, 'There are no such entries.', headers, (item) => [
    timeText(item.createTime),
    item.account ?? null,
    item.kind,
    item.amount,
    item.balanceAfter,
    item.taskId,
  ])

/** Page by page, so that no statement holds the database for long. */
async function readEntries(
  db: Db,
  filter: { accountId?: string; taskId?: string },
  limit: number,
): Promise<LedgerRow[]> {
  const rows: LedgerRow[] = []
  while (rows.length < limit) {
    const last = rows.at(-1)
    const wanted = Math.min(pageRows, limit - rows.length)
    const page = await listEntries(db, { ...filter, ...(last ? { before: last.id } : {}), limit: wanted })
    rows.push(...page)
    if (page.length < wanted) break
  }
  return rows
}

const check: Command = {
  name: 'ledger check',
  args: [],
  flags: {},
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
}

export const ledgerCommands: Command[] = [list, check]
