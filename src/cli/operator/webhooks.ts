// dailies webhooks list and resend.
import { type Delivery, deliveryStates } from '../../contract/deliveries.ts'
import { type Command, choiceFlag, command, limitFlag, refuseAccount } from '../command.ts'
import { firstOf } from '../connect/client.ts'
import { ofAccount, orMissing } from '../connect/not-found.ts'
import { wholeCallbackId } from '../connect/whole-id.ts'
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
  operate({ flags: { account, ...flags }, isRemote }) {
    refuseAccount(isRemote, account)
    const state = choiceFlag('--state', flags.state, deliveryStates)
    const limit = Math.min(limitFlag(flags.limit, limitDefault), limitMax)
    return async (client) => {
      const wanted = { limit: Math.min(limit, 100), state }
      const pages = isRemote ? client.webhooks.deliveries(wanted) : client.operator.deliveries({ ...wanted, account })
      const items = await ofAccount({ client, isRemote }, account, firstOf(pages, limit))
      return shownList(items, 'No callbacks.', headers, callbackCells)
    }
  },
})

const headers = ['ID', 'STATE', 'ATTEMPTS', 'LAST', 'NEXT ATTEMPT (UTC)', 'CREATED (UTC)', 'URL']

function callbackCells({ id, state, tries, url, attempts, nextTryTime, createTime }: Delivery) {
  const last = attempts.at(-1)
  const outcome = last === undefined ? '-' : (last.error ?? String(last.status))
  return [id, state, tries, outcome, timeText(nextTryTime), timeText(createTime), url]
}

const resend = command({
  name: 'webhooks resend',
  args: ['ID'],
  summary: 'Send a callback again, with a new round of attempts',
  examples: ['dailies webhooks resend 019c1f0e-7d7e-7000-8000-000000000000'],
  operate:
    ({ args: [given], isRemote }) =>
    async (client) => {
      const callbacks = isRemote ? client.webhooks : client.operator
      const id = await wholeCallbackId(callbacks, given)
      const missing = async () => `there is no callback ${id}`
      const data = await orMissing(isRemote, callbacks.resend(id), missing)
      const when = isRemote ? '' : ' as soon as the service runs'
      return { data, text: `The callback ${id} is sent again${when}.` }
    },
})

export const webhookCommands: Command[] = [list, resend]
