// Listening to callbacks: a stream leaves none out, however many there are and however slowly they are read.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readEventStream } from '../../client/src/transport/event-stream.ts'
import { type Receiver, startReceiver } from '../support/network/receiver.ts'
import { taskBody } from '../support/service/api.ts'
import { testKey } from '../support/service/service.ts'
import { describeService } from '../support/service/suite.ts'
import { untilTrue } from '../support/until.ts'
import { within } from '../support/within.ts'

/** More than a stream reads at once. */
const callbacks = 150

let skewMs = 0
let isFast = false
/** In fast time, a quarter of a second passes whenever the service looks at its clock. */
const clock = {
  now() {
    if (isFast) skewMs += 250
    return Date.now() + skewMs
  },
}

describeService('listening to callbacks', { overrides: () => ({ clock }) }, (service) => {
  let receiver: Receiver
  before(async () => {
    receiver = await startReceiver()
  })
  after(() => receiver?.close())

  test('a stream that takes long to send many callbacks sends each of them', { timeout: 60_000 }, async () => {
    const body = { ...taskBody('script: wait 1ms'), callBackUrl: `${receiver.origin}/hook` }
    const create = () => service().api.post('/api/v1/jobs/createTask', body)
    for (const { status } of await Promise.all(Array.from({ length: callbacks }, create))) assert.equal(status, 200)
    await receiver.until((received) => received.length === callbacks, 30_000)
    const pending = '/api/v1/webhooks/deliveries?state=pending'
    await untilTrue('all are delivered', async () => (await service().api.get(pending)).body.data.items.length === 0)
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']!)

    const aborted = new AbortController()
    const response = await fetch(`${service().url}/api/v1/webhooks/listen`, {
      headers: { authorization: `Bearer ${testKey}` },
      signal: aborted.signal,
    })
    isFast = true
    try {
      assert.equal(
        (await service().api.post('/api/v1/webhooks/deliveries/resend', { ids })).body.data.resent,
        callbacks,
      )
      const heard = new Set<string>()
      const hearAll = async () => {
        for await (const { data } of readEventStream(response, () => {})) {
          if (heard.add(JSON.parse(data).id).size === callbacks) return
        }
      }
      await within(20_000, 'every callback', hearAll())
      assert.deepEqual([...heard].sort(), [...ids].sort())
    } finally {
      isFast = false
      aborted.abort()
    }
  })
})
