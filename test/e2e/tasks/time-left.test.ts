// The estimate of a queueing task: none before anything was measured, then from the pace of its engine and its place.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeUntilEnd } from '../../../src/tasks/record/queue-place.ts'
import { newCaller } from '../../support/service/callers.ts'
import { describeService } from '../../support/service/suite.ts'
import { untilTrue } from '../../support/until.ts'

test('the estimate grows with the place and shrinks with the tasks that run at once', () => {
  assert.equal(timeUntilEnd(1, { medianMs: 4000, running: 1 }), 8000)
  assert.equal(timeUntilEnd(3, { medianMs: 4000, running: 1 }), 16_000)
  assert.equal(timeUntilEnd(3, { medianMs: 4000, running: 4 }), 7000)
})

describeService('time left', { env: { DAILIES_RENDER_SLOTS: '1' } }, (service) => {
  test('is unknown at first, and estimated once three tasks have succeeded', async () => {
    const { api } = await newCaller(service(), 10_000)
    const blocker = await api.createTask('a boat script: stall')
    await api.until(blocker, ['generating'])
    const measured: string[] = []
    for (let run = 0; run < 3; run++) measured.push(await api.createTask('a boat script: wait 200ms'))
    for (const taskId of measured) {
      await api.until(taskId, ['queueing'])
      assert.equal((await api.record(taskId)).timeLeftMs, null)
    }
    await api.post('/api/v1/jobs/cancelTask', { taskId: blocker })
    for (const taskId of measured) assert.equal((await api.until(taskId, ['success'])).timeLeftMs, null)

    const second = await api.createTask('a boat script: stall')
    assert.equal((await api.until(second, ['generating'])).timeLeftMs, null)
    const queued = [await api.createTask(), await api.createTask()]
    for (const taskId of queued) await api.until(taskId, ['queueing'])
    // What was read about the engine is used for two seconds.
    await untilTrue('an estimate', async () => (await api.record(queued[0]!)).timeLeftMs !== null)
    const [next, last] = [await api.record(queued[0]!), await api.record(queued[1]!)]
    assert.deepEqual([next.queuePosition, last.queuePosition], [1, 2])
    const [nextMs, lastMs] = [Number(next.timeLeftMs), Number(last.timeLeftMs)]
    assert.ok(nextMs >= 400, `${nextMs} ms for two runs of at least 200 ms`)
    assert.equal(lastMs, (nextMs / 2) * 3)
    const listed = (await api.get('/api/v1/jobs/list?state=queueing')).body.data.items
    assert.ok(listed.every((record: { timeLeftMs: number }) => record.timeLeftMs > 0))
    await api.post('/api/v1/jobs/cancelTask', { taskId: second })
  })
})
