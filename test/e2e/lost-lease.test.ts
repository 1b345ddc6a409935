// A worker whose job was taken over while it prepared a task has no say in it any more, also when it finds the
// material at fault.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gatherNothing } from '../../src/tasks/gather.ts'
import { type Gather, TaskFailed } from '../../src/tasks/prepare.ts'
import { databases } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

for (const { name, create } of databases) {
  test(`a worker that lost its job while it prepared a task cannot end it (${name})`, async () => {
    const database = await create()
    let service: TestService | undefined
    let rounds = 0
    const gather: Gather = async (task, signal) => {
      if (++rounds > 1) return gatherNothing(task, signal)
      // As another worker's claim would.
      await service!.app.db.run('update jobs set attempt = attempt + 1 where subject = ?', [task.id])
      throw new TaskFailed({ reason: 'image_fetch_failed', message: 'The image was not found.' })
    }
    service = await startService(database.env, { gather, leaseMs: 1000 })
    try {
      const taskId = await service.api.createTask()
      const record = await service.api.until(taskId, ['success', 'fail'])
      assert.equal(record.state, 'success', JSON.stringify(record))
      assert.equal(rounds, 2)
    } finally {
      await service.stop()
      await database.stop()
    }
  })
}
