// Which processes take back the jobs of crashed workers: the service, and not a command that only sends and reads jobs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open.ts'
import { newId } from '../../src/platform/ids.ts'
import { silentLogger } from '../../src/platform/logger.ts'
import { createSqlQueue } from '../../src/queue/sql-queue.ts'
import type { WorkerAbout } from '../../src/queue/workers.ts'
import { databases } from '../support/places/places.ts'
import { workerRow } from '../support/worker-row.ts'

const nowMs = Date.UTC(2026, 0, 1)
const clock = { now: () => nowMs }

test('a queue that only sends leaves the jobs of crashed workers alone', async (t) => {
  const place = await databases[0]!.create()
  const db = await openDatabase({ dataDir: place.env.DAILIES_DATA!, databaseUrl: null })
  t.mock.timers.enable({ apis: ['setInterval'] })
  try {
    await migrate(db, nowMs)
    await db.insert('workers', [workerRow('crashed', nowMs)])
    /** Whether a job of a worker without heartbeats is free after a minute of such a queue. */
    async function isTakenBack(about: WorkerAbout | null): Promise<boolean> {
      const queue = createSqlQueue({ db, clock, log: silentLogger, about })
      const subject = newId(nowMs)
      await db.transaction((tx) => queue.enqueue(tx, [{ queue: 'prepare', subject, group: 'a', order: 1 }]))
      await db.run(`update jobs set worker = 'crashed', claim = 'a' where subject = ?`, [subject])
      t.mock.timers.tick(60_000)
      // Transactions run one after the other: those of the queue's loops have ended.
      await db.transaction(async () => {})
      await queue.stop(0)
      return (
        (await db.one<{ worker: string | null }>('select worker from jobs where subject = ?', [subject]))!.worker ===
        null
      )
    }
    assert.equal(await isTakenBack(null), false)
    assert.equal(await isTakenBack({ role: 'server', release: '1.2.3' }), true)
  } finally {
    t.mock.timers.reset()
    await db.close()
    await place.stop()
  }
})
