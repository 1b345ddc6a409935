// Which processes take back the jobs of crashed workers: the service, and not a command that only sends and reads jobs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open.ts'
import { newId } from '../../src/platform/ids.ts'
import { silentLogger } from '../../src/platform/logger.ts'
import { createSqlQueue } from '../../src/queue/sql-queue.ts'
import { databases } from '../support/places/places.ts'

const nowMs = Date.UTC(2026, 0, 1)
const clock = { now: () => nowMs }

test('a queue that only sends leaves the jobs of crashed workers alone', async (t) => {
  const place = await databases[0]!.create()
  const db = await openDatabase({ dataDir: place.env.DAILIES_DATA!, databaseUrl: null })
  t.mock.timers.enable({ apis: ['setInterval'] })
  try {
    await migrate(db, nowMs)
    /** Whether a job whose lease has ended is free after a minute of such a queue. */
    async function isTakenBack(takesBack: boolean): Promise<boolean> {
      const queue = createSqlQueue({ db, clock, log: silentLogger, takesBack })
      const subject = newId(nowMs)
      await db.transaction((tx) => queue.enqueue(tx, [{ queue: 'prepare', subject, group: 'a', order: 1 }]))
      await db.run('update jobs set lease_until = ? where subject = ?', [nowMs - 1, subject])
      t.mock.timers.tick(60_000)
      // Transactions run one after the other: those of the queue's loops have ended.
      await db.transaction(async () => {})
      await queue.stop(0)
      return (
        (await db.one<{ at: number | null }>('select lease_until as at from jobs where subject = ?', [subject]))!.at ===
        null
      )
    }
    assert.equal(await isTakenBack(false), false)
    assert.equal(await isTakenBack(true), true)
  } finally {
    t.mock.timers.reset()
    await db.close()
    await place.stop()
  }
})
