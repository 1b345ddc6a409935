// A callback that its owner sends again while an attempt is under way.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { startReceiver } from '../support/network/receiver.ts'
import { taskBody } from '../support/service/api.ts'
import { untilDelivery } from '../support/service/deliveries.ts'
import { describeService } from '../support/service/suite.ts'

describeService(
  'a callback that is resent during its attempt',
  { env: { DAILIES_ALLOW_PRIVATE_NETWORK: '127.0.0.1/32', DAILIES_WEBHOOK_DELAYS: '10m' } },
  (service) => {
    /** Resends during each of this many attempts, which fail; the next one succeeds. */
    async function resendDuring(attempts: number) {
      const held: ServerResponse[] = []
      const receiver = await startReceiver({
        '/held': (response) => (held.length < attempts ? void held.push(response) : response.writeHead(204).end()),
      })
      try {
        const told = { ...taskBody(), callBackUrl: `${receiver.origin}/held` }
        const { taskId } = (await service().api.post('/api/v1/jobs/createTask', told)).body.data
        for (let attempt = 1; attempt <= attempts; attempt++) {
          await receiver.until((received) => received.length === attempt)
          const { id } = await untilDelivery(service().api, taskId, ['pending'])
          const resent = await service().api.post(`/api/v1/webhooks/deliveries/${id}/resend`)
          assert.deepEqual(resent.body.data, { id, state: 'pending' })
          held[attempt - 1]!.writeHead(503).end()
        }
        return await untilDelivery(service().api, taskId, ['delivered', 'failed'])
      } finally {
        await receiver.close()
      }
    }

    test('gets its next attempt when this one has failed, without the delay between attempts', async () => {
      const { state, attempts } = await resendDuring(1)
      assert.equal(state, 'delivered')
      assert.deepEqual(
        attempts.map(({ status }: { status: number }) => status),
        [503, 204],
      )
    })

    test('gets another attempt when this was the last', async () => {
      const { state, attempts } = await resendDuring(3)
      assert.equal(state, 'delivered')
      assert.deepEqual(
        attempts.map(({ status }: { status: number }) => status),
        [503, 503, 503, 204],
      )
    })
  },
)
