// A bucket that does not respond to uploads, seen through the front door: generators go on with other tasks, and neither a
// cancellation nor a stop waits for it.
import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { type FaultyProxy, startFaultyProxy } from '../support/network/faulty-proxy.ts'
import { databases } from '../support/places/places.ts'
import { startS3, type TestS3 } from '../support/places/s3.ts'
import { startOneService, type TestService } from '../support/service/one-service.ts'
import { untilTrue } from '../support/until.ts'
import { within } from '../support/within.ts'

/** Video, thumbnail and last frame. */
const filesPerTask = 3

for (const { name, create } of databases) {
  describe(`a bucket that hangs (${name})`, () => {
    let opened: AsyncDisposableStack
    let s3: TestS3
    let proxy: FaultyProxy
    let env: Record<string, string>
    let service: TestService

    const start = async () => {
      service = await startOneService(env)
      return service
    }
    const createTasks = (count: number) => Promise.all(Array.from({ length: count }, () => service.api.createTask()))
    const untilHeld = (tasks: number) =>
      untilTrue(`${tasks} results wait for the bucket`, () => proxy.held().length === tasks * filesPerTask)
    const statesOf = async (ids: string[]) =>
      (await Promise.all(ids.map((id) => service.api.record(id)))).map(({ state }) => state)
    const objects = () => (existsSync(s3.folder) ? globSync('**/*._S3rver_object', { cwd: s3.folder }) : [])

    beforeEach(async () => {
      await using stack = new AsyncDisposableStack()
      const place = stack.adopt(await create(), ({ stop }) => stop())
      s3 = stack.adopt(await startS3(), ({ stop }) => stop())
      proxy = stack.adopt(await startFaultyProxy(s3.endpoint), ({ stop }) => stop())
      env = { ...place.env, DAILIES_STORAGE_URL: s3.storageUrl(proxy.url), DAILIES_RENDER_SLOTS: '1' }
      await start()
      stack.defer(() => service.stop())
      proxy.holdUploads()
      opened = stack.move()
    })
    afterEach(() => opened.disposeAsync())

    test('leaves its generator free for one more task per slot, and for no further one', async () => {
      const ids = await createTasks(4)
      await untilHeld(2)
      const states = await statesOf(ids)
      assert.deepEqual(states.toSorted(), ['generating', 'generating', 'queueing', 'queueing'])
      const { workers } = (await service.api.get('/api/v1/operator/status')).body.data
      for (const { queue, running, slots } of workers) assert.ok(running <= slots, `${queue}: ${running} of ${slots}`)
      proxy.release()
      for (const id of ids) assert.equal((await service.api.until(id, ['success', 'fail'])).state, 'success')
    })

    test('keeps no slot of a task that was canceled, and none of its files', async () => {
      const canceled = await createTasks(2)
      await untilHeld(2)
      for (const taskId of canceled) await service.api.post('/api/v1/jobs/cancelTask', { taskId })
      await untilHeld(0)
      const others = await createTasks(2)
      await untilHeld(2)
      await service.app.upkeep()
      proxy.release()
      for (const id of others) assert.equal((await service.api.until(id, ['success', 'fail'])).state, 'success')
      assert.equal(objects().length, others.length * filesPerTask)
    })

    test('keeps no worker from stopping, and the next one starts the task again', async () => {
      const [id] = await createTasks(1)
      await untilHeld(1)
      await within(5000, 'the stop', service.stop())
      proxy.release()
      await start()
      assert.equal((await service.api.until(id!, ['success', 'fail'])).state, 'success')
      const { items } = (await service.api.get(`/api/v1/jobs/timeline?taskId=${id}`)).body.data
      assert.match(JSON.stringify(items), /the worker was stopped/)
    })
  })
}
