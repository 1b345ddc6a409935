// An engine that is taken out of the configuration: what waited for it goes to another engine of its model, or ends with
// a reason and its credits back.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startOpenaiVideos } from '../../support/generators/openai-videos.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { places } from '../../support/places/places.ts'
import { taskBody, variantA } from '../../support/service/api.ts'
import { uploadImage } from '../../support/service/chain.ts'
import { configured } from '../../support/service/engine-file.ts'
import { startService } from '../../support/service/service.ts'
import { workerRow } from '../../support/worker-row.ts'

for (const { name, create } of places) {
  /** A service that was stopped with a task at the engine and one behind it, and is started again without the engine. */
  async function withoutEngine(t: TestContext, model: string) {
    const clock = createManualClock(Date.UTC(2030, 0, 1))
    const opened = new AsyncDisposableStack()
    t.after(() => opened.disposeAsync())
    const place = opened.adopt(await create(), ({ stop }) => stop())
    const generator = opened.adopt(await startOpenaiVideos(), ({ close }) => close())
    const gpu = { type: 'openai-videos', url: generator.url, pollEvery: '20ms', slots: 1 }
    const route = { engines: ['gpu'] }
    const models = { [variantA]: route, 'acme/fast': { ...route, like: variantA } }
    const config = opened.adopt(await configured({ engines: { gpu }, models }), ({ remove }) => remove())
    const first = await startService({ ...place.env, ...config.env }, { clock, stopGraceMs: 50 })
    const image_url = await uploadImage(first)
    const createTask = async () => {
      const answer = await first.api.post('/api/v1/jobs/createTask', { ...taskBody('a boat', { image_url }), model })
      assert.equal(answer.status, 200, answer.text)
      return answer.body.data.taskId as string
    }
    const begun = await createTask()
    await first.api.until(begun, ['generating'])
    const waiting = await createTask()
    await first.api.until(waiting, ['queueing'])
    await first.stop()
    const service = opened.adopt(await startService(place.env, { clock }), ({ stop }) => stop())
    return { service, clock, taskIds: [begun, waiting] }
  }

  test(`tasks of a removed engine go to another of their model (${name})`, async (t) => {
    const { service, clock, taskIds } = await withoutEngine(t, variantA)
    await service.app.upkeep()
    for (const taskId of taskIds) assert.equal((await service.api.record(taskId)).state, 'queueing')
    clock.advance(60_000)
    await service.app.upkeep()
    for (const taskId of taskIds) await service.api.until(taskId, ['success'])
    assert.equal((await service.api.get('/api/v1/account/credit')).body.data, 1_000_000 - 2 * 42)
  })

  test(`tasks of a removed engine and model end, free of charge (${name})`, async (t) => {
    const { service, clock, taskIds } = await withoutEngine(t, 'acme/fast')
    clock.advance(60_000)
    await service.app.upkeep()
    for (const taskId of taskIds) {
      const { state, failReason, failMsg } = await service.api.record(taskId)
      assert.deepEqual([state, failReason], ['fail', 'engine_failed'])
      assert.equal(failMsg, 'The model acme/fast is not served any more.')
    }
    assert.equal((await service.api.get('/api/v1/account/credit')).body.data, 1_000_000)
  })

  test(`tasks of an engine that a live worker still has are left to it (${name})`, async (t) => {
    const { service, clock, taskIds } = await withoutEngine(t, variantA)
    clock.advance(60_000)
    const lanes = JSON.stringify([{ queue: 'generate:gpu', slots: 1, running: 0 }])
    const worker = workerRow('alive', clock.now(), clock.now() + 15_000)
    await service.app.db.insert('workers', [{ ...worker, lanes }])
    await service.app.upkeep()
    const rows = await service.app.db.all<{ engine: string }>('select engine from tasks')
    assert.deepEqual(
      rows.map(({ engine }) => engine),
      taskIds.map(() => 'gpu'),
    )
  })
}
