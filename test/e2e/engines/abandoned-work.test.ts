// Work that no client waits for any more: the engine is canceled once, by the process that ends the task, also when the
// worker has crashed.
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { openDatabase } from '../../../src/db/open.ts'
import { newId } from '../../../src/platform/ids.ts'
import type { FetchInputs } from '../../../src/tasks/prepare/prepare.ts'
import { fetchNothing } from '../../support/engines/fetch-nothing.ts'
import {
  createUncooperativeEngine,
  type UncooperativeEngine,
  withEngine,
} from '../../support/engines/uncooperative-engine.ts'
import { makeSeverable, type SeverableDb } from '../../support/faults/severable-db.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { places } from '../../support/places/places.ts'
import { startService, type TestService } from '../../support/service/service.ts'
import { untilTrue } from '../../support/until.ts'
import { workerRow } from '../../support/worker-row.ts'

const startMs = Date.UTC(2030, 0, 1)
const cancel = ({ api }: TestService, taskId: string) => api.post('/api/v1/jobs/cancelTask', { taskId })
const cancels = ({ calls }: UncooperativeEngine) => calls.filter((call) => call.startsWith('cancel'))

for (const { name, create } of places) {
  describe(`abandoned work (${name})`, () => {
    /** A task that was begun, and is `queueing` again behind another since its worker stopped. */
    async function queueingWithWork(t: TestContext) {
      const opened = new AsyncDisposableStack()
      t.after(() => opened.disposeAsync())
      const place = opened.adopt(await create(), ({ stop }) => stop())
      const clock = createManualClock(startMs)
      const engine = createUncooperativeEngine()
      const arrived = Promise.withResolvers<void>()
      const fetchInputs: FetchInputs = async (task, held) => {
        if (task.request.includes('held')) await arrived.promise
        return fetchNothing(task, held)
      }
      const env = { ...place.env, DAILIES_RENDER_SLOTS: '1', DAILIES_QUEUE_TIMEOUT: '2h' }
      const start = () => startService(env, { engine: engine.engine, fetchInputs, clock, stopGraceMs: 50 })
      const first = await start()
      // Created first, so it is served first by the next worker.
      const other = await first.api.createTask('held')
      const taskId = await first.api.createTask('begun')
      await untilTrue('it is followed', () => engine.ends.length === 1)
      arrived.resolve()
      await first.api.until(other, ['queueing'])
      await first.stop()
      const service = opened.adopt(await start(), ({ stop }) => stop())
      await service.api.until(other, ['generating'])
      assert.equal((await service.api.record(taskId)).state, 'queueing')
      assert.deepEqual(cancels(engine), [])
      return { service, clock, taskId, engine }
    }

    test('of a task that is canceled while queueing', async (t) => {
      const { service, taskId, engine } = await queueingWithWork(t)
      assert.equal((await cancel(service, taskId)).status, 200)
      await untilTrue('the engine is asked to cancel', () => cancels(engine).length > 0)
      assert.deepEqual(cancels(engine), ['cancel 1'])
    })

    for (const aheadMs of [0, 3 * 86_400_000]) {
      test(`of a task that queues for too long${aheadMs ? ', and the clock was set back before' : ''}`, async (t) => {
        newId(startMs + aheadMs)
        const { service, clock, taskId, engine } = await queueingWithWork(t)
        clock.advance(2 * 3_600_000 + 1)
        await service.app.upkeep()
        assert.equal((await service.api.record(taskId)).failReason, 'generation_limit')
        await untilTrue('the engine is asked to cancel', () => cancels(engine).length > 0)
        assert.deepEqual(cancels(engine), ['cancel 1'])
      })
    }

    test('that was begun too late is wanted by a worker that took the task over', async () => {
      const place = await create()
      const starting = Promise.withResolvers<void>()
      const engine = createUncooperativeEngine(starting.promise)
      const service = await startService(place.env, { ...withEngine(engine), leaseMs: 300 })
      const { db } = service.app
      try {
        const taskId = await service.api.createTask()
        await untilTrue('it is being started', () => engine.calls.length === 1)
        // As a worker elsewhere does that thinks this one dead.
        await db.transaction(async (tx) => {
          await tx.insert('workers', [workerRow('another', Date.now(), Date.now() + 3_600_000)])
          await tx.run(`update jobs set attempt = attempt + 1, claim = 'another', worker = 'another'`)
          await tx.run('update tasks set attempt = attempt + 1')
        })
        await untilTrue('the worker lets go', async () => {
          const { workers } = (await service.api.get('/api/v1/operator/status')).body.data
          await service.app.upkeep()
          return workers.every(({ running }: { running: number }) => running === 0)
        })
        starting.resolve()
        const ended = await service.api.createTask()
        await untilTrue('another is begun', () => engine.ends.length === 1)
        assert.deepEqual(cancels(engine), [])
        assert.equal((await service.api.record(taskId)).state, 'generating')
        for (const each of [taskId, ended]) await cancel(service, each)
      } finally {
        await service.stop()
        await place.stop()
      }
    })
  })
}

for (const { name, create } of places.filter((place) => place.name.startsWith('PostgreSQL'))) {
  test(`work of a task whose worker has just crashed (${name})`, async () => {
    const place = await create()
    const engine = createUncooperativeEngine()
    let dying: SeverableDb
    const doomed = await startService(place.env, {
      ...withEngine(engine),
      openDatabase: async (config) => {
        dying = makeSeverable(await openDatabase(config))
        return dying.db
      },
    })
    const taskId = await doomed.api.createTask()
    await untilTrue('it is followed', () => engine.ends.length === 1)
    const service = await startService(place.env, withEngine(engine))
    try {
      await dying!.sever()
      assert.equal((await cancel(service, taskId)).status, 200)
      await untilTrue('the engine is asked to cancel', () => cancels(engine).length > 0)
      assert.deepEqual(cancels(engine), ['cancel 1'])
    } finally {
      doomed.app.server.server.closeAllConnections()
      await doomed.app.server.close()
      await service.stop()
      await place.stop()
    }
  })
}
