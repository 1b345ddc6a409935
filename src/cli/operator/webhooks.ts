// dailies webhooks list and resend.
import { type Delivery, deliveryStates } from '../../contract/deliveries.ts'
import { ApiError } from '../../contract/errors.ts'
import { OperatorError } from '../../platform/errors.ts'
import { silentLogger } from '../../platform/logger.ts'
import { createSqlQueue } from '../../queue/sql-queue.ts'
import { deliveryRecord } from '../../webhooks/delivery-record.ts'
import { deliveriesEnding, listDeliveries } from '../../webhooks/read-deliveries.ts'
import { resendDelivery } from '../../webhooks/resend.ts'
import { type Command, choiceFlag, command, limitFlag, refuseAccount } from '../command.ts'
import { firstOf } from '../connect/client.ts'
import { needAccountId } from '../connect/find.ts'
import { wholeCallbackId, wholeId } from '../connect/whole-id.ts'
import { withDatabase } from '../connect/with-database.ts'
import { shownList, timeText } from '../terminal/print.ts'

const limitDefault = 50
const limitMax = 1000

const list = command({
  name: 'webhooks list',
  flags: {
    account: { value: 'NAME', help: 'only callbacks of this account' },
    state: { value: 'STATE', help: 'pending, delivered or failed (given up)' },
    limit: { value: 'N', help: `at most this many, newest first (${limitDefault})` },
  },
  summary: 'List callbacks with every attempt',
  examples: ['dailies webhooks list --state failed'],
  async run({ flags, config }) {
    const state = choiceFlag('--state', flags.state, deliveryStates)
    const limit = Math.min(limitFlag(flags.limit, limitDefault), limitMax)
    return withDatabase(config, async (db) => {
      const accountId = await needAccountId(db, flags.account)
      const { rows } = await listDeliveries(db, { accountId, state, limit })
      // The caller has access to the database anyway, so responses are shown.
      return shownCallbacks(rows.map((row) => deliveryRecord(row, true)))
    })
  },
  atServer({ flags }) {
    refuseAccount(flags)
    const state = choiceFlag('--state', flags.state, deliveryStates)
    const limit = Math.min(limitFlag(flags.limit, limitDefault), limitMax)
    return async (client) => {
      const callbacks = client.webhooks.deliveries({ limit: Math.min(limit, 100), state })
      return shownCallbacks(await firstOf(callbacks, limit))
    }
  },
})

type ShownCallback = Pick<Delivery, 'id' | 'state' | 'tries' | 'url' | 'attempts' | 'nextTryTime' | 'createTime'>

const headers = ['ID', 'STATE', 'ATTEMPTS', 'LAST', 'NEXT ATTEMPT (UTC)', 'CREATED (UTC)', 'URL']

const shownCallbacks = (items: ShownCallback[]) =>
  shownList(items, 'No callbacks.', headers, ({ id, state, tries, url, attempts, nextTryTime, createTime }) => {
    const last = attempts.at(-1)
    const outcome = last === undefined ? '-' : (last.error ?? String(last.status))
    return [id, state, tries, outcome, timeText(nextTryTime), timeText(createTime), url]
  })

const resend = command({
  name: 'webhooks resend',
  args: ['ID'],
  summary: 'Send a callback again, with a new round of attempts',
  examples: ['dailies webhooks resend 019c1f0e-7d7e-7000-8000-000000000000'],
  run: ({ args: [given], config }) =>
    withDatabase(config, async (db, clock) => {
      const deliveryId = await wholeId('callback', given, (end) => deliveriesEnding(db, end))
      const queue = createSqlQueue({ db, clock, log: silentLogger })
      try {
        const { id, state } = await resendDelivery({ db, queue }, deliveryId, null, clock.now())
        return { data: { id, state }, text: `The callback ${id} is sent again as soon as the service runs.` }
      } catch (error) {
        if (error instanceof ApiError) throw new OperatorError(`there is no callback ${deliveryId}`)
        throw error
      } finally {
        await queue.stop(0)
      }
    }),
  atServer:
    ({ args: [given] }) =>
    async (client) => {
      const data = await client.webhooks.resend(await wholeCallbackId(client, given))
      return { data, text: `The callback ${data.id} is sent again.` }
    },
})

export const webhookCommands: Command[] = [list, resend]
