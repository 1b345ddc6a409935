// dailies webhooks list, resend and listen.
import { ApiError } from '../../contract/errors.ts'
import { OperatorError } from '../../platform/errors.ts'
import { silentLogger } from '../../platform/logger.ts'
import { createSqlQueue } from '../../queue/sql-queue.ts'
import { type DeliveryRow, listDeliveries, resendDelivery } from '../../webhooks/deliveries.ts'
import { type ShownDelivery, showDelivery } from '../../webhooks/show.ts'
import { type Command, textFlag, UsageError, wholeNumberFlag } from '../command.ts'
import { listen } from '../tasks/webhooks-listen.ts'
import { table, timeText } from '../terminal/print.ts'
import { needAccount } from './find.ts'
import { withDatabase } from './with-database.ts'

const states = ['pending', 'delivered', 'failed']
const limitDefault = 50
const limitMax = 1000

const list: Command = {
  name: 'webhooks list',
  args: [],
  flags: {
    account: { value: 'NAME', help: 'only callbacks of this account' },
    state: { value: 'STATE', help: 'pending, delivered or failed (given up)' },
    limit: { value: 'N', help: `at most this many, newest first (${limitDefault})` },
  },
  summary: 'List callbacks and every try at them',
  examples: ['dailies webhooks list --state failed'],
  run: ({ flags, config }) =>
    withDatabase(config, async (db) => {
      const state = flags.state as DeliveryRow['state'] | undefined
      if (state !== undefined && !states.includes(state)) throw new UsageError(`--state must be ${states.join(', ')}`)
      const limit = Math.min(wholeNumberFlag('--limit', flags.limit) ?? limitDefault, limitMax)
      const name = textFlag(flags.account)
      const accountId = name === undefined ? undefined : (await needAccount(db, name)).id
      const rows = await listDeliveries(db, { accountId, state, limit })
      // Whoever runs this has the database anyway: answers are shown.
      const items = rows.map((row) => showDelivery(row, true))
      return { data: { items }, text: items.length === 0 ? 'No callbacks.' : tableOf(items) }
    }),
}

function tableOf(items: ShownDelivery[]): string {
  return table(
    ['ID', 'STATE', 'TRIES', 'LAST', 'NEXT TRY', 'CREATED', 'URL'],
    items.map((item) => {
      const last = item.attempts.at(-1)
      const outcome = last === undefined ? '-' : (last.error ?? String(last.status))
      const { id, state, tries, url } = item
      return [id, state, tries, outcome, timeText(item.nextTryTime), timeText(item.createTime), url]
    }),
  )
}

const resend: Command = {
  name: 'webhooks resend',
  args: ['ID'],
  flags: {},
  summary: 'Send a callback again, with a new round of tries',
  examples: ['dailies webhooks resend 019c1f0e-7d7e-7000-8000-000000000000'],
  run: ({ args, config }) =>
    withDatabase(config, async (db, clock) => {
      const queue = createSqlQueue({ db, clock, log: silentLogger })
      try {
        const { id, state } = await resendDelivery({ db, queue }, args[0]!, null, clock.now())
        return { data: { id, state }, text: `The callback ${id} is sent again as soon as the service runs.` }
      } catch (error) {
        if (error instanceof ApiError) throw new OperatorError(`there is no callback ${args[0]}`)
        throw error
      } finally {
        await queue.stop(0)
      }
    }),
}

export const webhookCommands: Command[] = [list, resend, listen]
