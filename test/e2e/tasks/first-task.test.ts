// The shortest whole story: a task is created, followed to its end and read back, on every database.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { places, type TestPlace } from '../../support/places/places.ts'
import { startService, type TestService } from '../../support/service/service.ts'

for (const { name, create } of places) {
  describe(`a task on ${name}`, () => {
    let place: TestPlace
    let service: TestService
    before(async () => {
      place = await create()
      service = await startService(place.env)
    })
    after(async () => {
      await service?.stop()
      await place?.stop()
    })

    test('goes from wait to success', async () => {
      const taskId = await service.api.createTask('a boat script: progress 30, wait 50ms')
      const record = await service.api.until(taskId, ['success'])
      assert.equal(record.progress, 100)
      assert.equal(record.creditsConsumed, 42)
      const timeline = await service.api.get(`/api/v1/jobs/timeline?taskId=${taskId}`)
      const states = timeline.body.data.items.map((move: { state: string }) => move.state)
      assert.deepEqual(states, ['wait', 'queueing', 'generating', 'success'])
      const credit = await service.api.get('/api/v1/account/credit')
      assert.equal(credit.body.data, 1_000_000 - 42)
    })
  })
}
