// Engines that crash, heed no signal or work elsewhere: late results are dropped, slots come free, and work that was
// begun before a restart is followed, not paid for twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLedger } from '../../../src/account-data/check-ledger.ts'
import { createUncooperativeEngine, withEngine } from '../../support/engines/uncooperative-engine.ts'
import { places } from '../../support/places/places.ts'
import { startService } from '../../support/service/service.ts'
import { untilTrue } from '../../support/until.ts'

for (const { name, create } of places) {
  test(`an engine that crashes twice and then succeeds gives a video (${name})`, async () => {
    const place = await create()
    const uncooperative = createUncooperativeEngine()
    const { calls, ends } = uncooperative
    const service = await startService(place.env, withEngine(uncooperative))
    try {
      const taskId = await service.api.createTask()
      for (let attempt = 0; attempt < 2; attempt++) {
        await untilTrue('it is followed', () => ends.length === attempt + 1)
        ends[attempt]!(new Error('out of memory'))
      }
      await untilTrue('it is followed again', () => ends.length === 3)
      ends[2]!('video')
      const record = await service.api.until(taskId, ['success'])
      assert.equal(record.creditsConsumed, 42)
      assert.equal(calls.filter((call) => call === 'start').length, 3)
    } finally {
      await service.stop()
      await place.stop()
    }
  })

  test(`an engine that ignores its signal neither keeps its slot nor revives an ended task (${name})`, async () => {
    const place = await create()
    const uncooperative = createUncooperativeEngine()
    const { calls, ends } = uncooperative
    const env = { ...place.env, DAILIES_RENDER_SLOTS: '1', DAILIES_UPSTREAM_SILENCE: '500ms' }
    const service = await startService(env, withEngine(uncooperative))
    try {
      const canceled = await service.api.createTask()
      await untilTrue('it is followed', () => ends.length === 1)
      await service.api.post('/api/v1/jobs/cancelTask', { taskId: canceled })
      const silent = await service.api.createTask()
      await untilTrue('the next one has the slot', () => ends.length === 2)
      const record = await service.api.until(silent, ['fail'])
      assert.equal(record.failReason, 'upstream_silent')
      await untilTrue('both are canceled', () => calls.filter((call) => call.startsWith('cancel')).length === 2)
      for (const end of ends) end('video')
      const last = await service.api.createTask()
      await untilTrue('the last one has the slot', () => ends.length === 3)
      ends[2]!('video')
      await service.api.until(last, ['success'])
      assert.equal((await service.api.record(canceled)).failReason, 'canceled')
      assert.equal((await service.api.record(silent)).failReason, 'upstream_silent')
      assert.deepEqual((await checkLedger(service.app.db)).problems, [])
    } finally {
      await service.stop()
      await place.stop()
    }
  })

  test(`work elsewhere is followed again after a restart, not started again (${name})`, async () => {
    const place = await create()
    const before = createUncooperativeEngine()
    const first = await startService(place.env, {
      ...withEngine(before),
      leaseMs: 600,
      stopGraceMs: 50,
    })
    const taskId = await first.api.createTask()
    await untilTrue('it is followed', () => before.ends.length === 1)
    await first.stop()
    const afterwards = createUncooperativeEngine()
    const second = await startService(place.env, withEngine(afterwards))
    try {
      await untilTrue('it is followed again', () => afterwards.ends.length === 1)
      assert.deepEqual(afterwards.calls, ['follow 1'])
      afterwards.ends[0]!('video')
      const record = await second.api.until(taskId, ['success'])
      assert.equal(record.creditsConsumed, 42)
      assert.deepEqual(before.calls, ['start', 'follow 1'])
    } finally {
      await second.stop()
      await place.stop()
    }
  })
}
