// A task's way through its engine: failures, crashes, silence, cancels, time in the queue and fair order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLedger } from '../../../src/account-data/check-ledger.ts'
import { createScriptedEngine, type ScriptedEngine } from '../../support/engines/scripted.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { balanceOf, entriesOf, newCaller } from '../../support/service/callers.ts'
import { describeService } from '../../support/service/suite.ts'
import { untilTrue } from '../../support/until.ts'

let engine: ScriptedEngine
const scripted = (options?: { inProcess: boolean }) => () => {
  engine = createScriptedEngine(options)
  return { engine }
}

const callsFor = (prompt: string) => engine.log.filter((entry) => entry.prompt === prompt).map((entry) => entry.call)

describeService(
  'engine',
  { env: { DAILIES_UPSTREAM_SILENCE: '1500ms', DAILIES_RENDER_SLOTS: '8' }, overrides: scripted() },
  (service) => {
    test('a failure that cannot be mended ends the task at once, free of charge', async () => {
      const caller = await newCaller(service(), 100)
      const prompt = 'a boat script: progress 20, fail the sea was too rough'
      const taskId = await caller.api.createTask(prompt)
      const record = await caller.api.until(taskId, ['fail'])
      assert.equal(record.failCode, '501')
      assert.equal(record.failReason, 'engine_failed')
      assert.equal(record.failMsg, 'the sea was too rough')
      assert.deepEqual(callsFor(prompt), ['start', 'follow'])
      assert.equal(await balanceOf(caller), 100)
      assert.deepEqual(await entriesOf(caller, taskId), ['hold', 'release'])
    })

    test('three crashes end the task as engine_failed, and what crashed is not shown', async () => {
      const caller = await newCaller(service(), 100)
      const prompt = 'a boat script: crash /secret/path exploded'
      const taskId = await caller.api.createTask(prompt)
      const record = await caller.api.until(taskId, ['fail'], 15_000)
      assert.equal(record.failCode, '501')
      assert.equal(record.failReason, 'engine_failed')
      assert.equal(record.failMsg, 'The video could not be generated in 3 attempts.')
      assert.deepEqual(
        callsFor(prompt).filter((call) => call === 'follow'),
        ['follow', 'follow', 'follow'],
      )
      assert.equal(await balanceOf(caller), 100)
    })

    test('the timeline of a task that crashed shows every attempt', async () => {
      const caller = await newCaller(service(), 100)
      const taskId = await caller.api.createTask('a boat script: crash again and again')
      await caller.api.until(taskId, ['fail'], 15_000)
      const timeline = await caller.api.get(`/api/v1/jobs/timeline?taskId=${taskId}`)
      assert.deepEqual(
        timeline.body.data.items.map((move: { state: string }) => move.state),
        ['wait', 'queueing', 'generating', 'queueing', 'generating', 'queueing', 'generating', 'fail'],
      )
    })

    test('the timeline says once why an attempt failed', async () => {
      const caller = await newCaller(service(), 100)
      const taskId = await caller.api.createTask('a boat script: stumble The engine vendor failed the video: no memory')
      await caller.api.until(taskId, ['fail'], 15_000)
      const timeline = await caller.api.get(`/api/v1/jobs/timeline?taskId=${taskId}`)
      const retried = timeline.body.data.items[3]
      assert.deepEqual(
        [retried.state, retried.note],
        ['queueing', 'retry: The engine vendor failed the video: no memory'],
      )
    })

    test('silence ends the task with 408; heartbeats do not', async () => {
      const caller = await newCaller(service(), 100)
      const alive = await caller.api.createTask('a boat script: wait 2500ms')
      const silent = await caller.api.createTask('a boat script: silent 60s')
      const record = await caller.api.until(silent, ['fail'])
      assert.equal(record.failCode, '408')
      assert.equal(record.failReason, 'upstream_silent')
      assert.match(record.failMsg as string, /1500ms/)
      await untilTrue('it is canceled', () => callsFor('a boat script: silent 60s').includes('cancel'))
      await caller.api.until(alive, ['success'])
      assert.equal(await balanceOf(caller), 100 - 42)
    })

    test('a cancel reaches the engine and frees its slot', async () => {
      const caller = await newCaller(service(), 1000)
      const prompt = 'a long boat script: stall'
      const taskIds = await Promise.all(Array.from({ length: 8 }, () => caller.api.createTask(prompt)))
      await untilTrue('all are begun', () => callsFor(prompt).filter((call) => call === 'follow').length === 8, 20_000)
      for (const taskId of taskIds) await caller.api.post('/api/v1/jobs/cancelTask', { taskId })
      await untilTrue('all are canceled', () => callsFor(prompt).filter((call) => call === 'cancel').length === 8)
      await caller.api.until(await caller.api.createTask(), ['success'])
    })

    test('the ledger balances after all of it', async () => {
      assert.deepEqual((await checkLedger(service().app.db)).problems, [])
    })
  },
)

const clock = createManualClock(Date.UTC(2030, 0, 1))
const patient = { env: { DAILIES_QUEUE_TIMEOUT: '2h', DAILIES_RENDER_SLOTS: '1' }, overrides: () => ({ clock }) }

describeService('queue timeout', patient, (service) => {
  test('a task that waits for an engine for too long ends as generation_limit', async () => {
    const caller = await newCaller(service(), 1000)
    const blocker = await caller.api.createTask('a boat script: stall')
    await caller.api.until(blocker, ['generating'])
    const waiting = await caller.api.createTask()
    await caller.api.until(waiting, ['queueing'])
    clock.advance(2 * 3_600_000)
    await service().app.upkeep()
    assert.equal((await caller.api.record(waiting)).state, 'queueing')
    clock.advance(1)
    await service().app.upkeep()
    const record = await caller.api.record(waiting)
    assert.equal(record.failCode, '501')
    assert.equal(record.failReason, 'generation_limit')
    assert.equal(record.failMsg, 'No engine was free for 2h.')
    assert.equal((await caller.api.record(blocker)).state, 'generating')
    await caller.api.post('/api/v1/jobs/cancelTask', { taskId: blocker })
    assert.equal(await balanceOf(caller), 1000)
  })
})

describeService('fair order', { env: { DAILIES_RENDER_SLOTS: '1' }, overrides: scripted() }, (service) => {
  test('a thousand large tasks of one account, then a small one of another: that one is next', async () => {
    const large = await newCaller(service(), 1_000_000)
    const small = await newCaller(service(), 1000)
    const blocker = await large.api.createTask('a boat script: stall')
    await large.api.until(blocker, ['generating'])
    for (let i = 0; i < 20; i++) {
      await Promise.all(Array.from({ length: 50 }, () => large.api.createTask('large', { duration: '10' })))
    }
    const last = (await large.api.get('/api/v1/jobs/list?limit=1')).body.data.items[0].taskId
    await large.api.until(last, ['queueing'], 30_000)
    const taskId = await small.api.createTask('small')
    await small.api.until(taskId, ['queueing'])
    assert.equal((await small.api.record(taskId)).queuePosition, 1)
    assert.equal((await large.api.record(last)).queuePosition, 1000)
    await large.api.post('/api/v1/jobs/cancelTask', { taskId: blocker })
    await small.api.until(taskId, ['success'])
    const started = engine.log.filter((entry) => entry.call === 'start').map((entry) => entry.prompt)
    assert.equal(started[1], 'small')
  })
})

describeService('an engine that works in its own process', { overrides: scripted({ inProcess: true }) }, (service) => {
  test('a task succeeds, with nothing to submit', async () => {
    const { api } = await newCaller(service(), 100)
    const taskId = await api.createTask('a boat')
    await api.until(taskId, ['success'])
    assert.deepEqual(callsFor('a boat'), ['follow'])
  })

  test('an attempt that crashed starts again', async () => {
    const { api } = await newCaller(service(), 100)
    const prompt = 'a boat script: crash again'
    await api.until(await api.createTask(prompt), ['fail'], 15_000)
    assert.deepEqual(callsFor(prompt), ['follow', 'follow', 'follow'])
  })
})
