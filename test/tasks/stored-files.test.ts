// Files of a task: none is still being stored when its worker goes on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GroupCommit } from '../../src/commit/group-commit.ts'
import type { Tx } from '../../src/db/db.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { Job, Queue } from '../../src/queue/queue.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { createStoreFiles } from '../../src/tasks/store/task-files.ts'
import type { TaskRow } from '../../src/tasks/store/task-row.ts'

const tx = { insert: async () => {} } as unknown as Tx
const transactions: GroupCommit = {
  pending: 0,
  batchAgeMs: 0,
  stage:
    ({ work }) =>
    async (item) =>
      (await work(tx, [item]))[0] as never,
}
const queue = { lockClaimed: async (_tx, jobs) => new Set(jobs) } as Pick<Queue, 'lockClaimed'> as Queue

test('a failure is reported once the other files are stored', async () => {
  const { promise: isSlow, resolve: finish } = Promise.withResolvers<void>()
  const stored: string[] = []
  const storage = {
    async put(_key, path) {
      if (path === 'broken') throw new Error('no room')
      await isSlow
      stored.push(path)
    },
  } as Pick<Storage, 'put'> as Storage
  const storeFiles = createStoreFiles({ transactions, queue, clock: systemClock, storage })
  const file = { purpose: 'input', name: 'input', mime: 'image/png', bytes: 1, expires_at: 1 } as const
  const files = ['broken', 'slow'].map((path) => ({ ...file, path }))
  const held = { job: {} as Job, signal: new AbortController().signal }
  const storing = storeFiles({ id: 'task', account_id: 'account' } as TaskRow, held, files)
  const reported = assert.rejects(storing, /no room/).then(() => assert.deepEqual(stored, ['slow']))
  // The failure has had its turn by now.
  await new Promise((resolve) => setImmediate(resolve))
  finish()
  await reported
})
