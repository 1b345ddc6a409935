// A callback that its owner deletes, with its task, before the receiver has responded.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { createLogger } from '../../src/platform/logger.ts'
import { startReceiver } from '../support/network/receiver.ts'
import { places } from '../support/places/places.ts'
import { taskBody } from '../support/service/api.ts'
import { untilDelivery } from '../support/service/deliveries.ts'
import { startService } from '../support/service/service.ts'
import { untilTrue } from '../support/until.ts'

for (const { name, create } of places) {
  describe(`a callback that is deleted during its attempt on ${name}`, () => {
    test('ends quietly, and another that ends at the same time is recorded', async () => {
      const held: ServerResponse[] = []
      const receiver = await startReceiver({ '/held': (response) => void held.push(response) })
      const place = await create()
      const problems: string[] = []
      const log = createLogger('warn', { write: (line) => problems.push(line) })
      const env = { ...place.env, DAILIES_ALLOW_PRIVATE_NETWORK: '127.0.0.1/32' }
      const service = await startService(env, { log })
      try {
        const createWithCallback = async () => {
          const callBackUrl = `${receiver.origin}/held`
          const answer = await service.api.post('/api/v1/jobs/createTask', { ...taskBody(), callBackUrl })
          return answer.body.data.taskId as string
        }
        const deleted = await createWithCallback()
        const kept = await createWithCallback()
        await receiver.until((received) => received.length === 2)
        assert.equal((await service.api.delete(`/api/v1/jobs/${deleted}`)).status, 200)
        for (const response of held) response.end('thanks')
        const delivery = await untilDelivery(service.api, kept, ['delivered'])
        assert.equal(delivery.attempts.length, 1)
        const counted = 'dailies_callback_attempts_total{result="delivered"} 2'
        await untilTrue('both are counted', async () => (await service.api.get('/metrics')).text.includes(counted))
        assert.deepEqual(problems, [])
        assert.equal(receiver.received.length, 2)
      } finally {
        await service.stop()
        await place.stop()
        await receiver.close()
      }
    })
  })
}
