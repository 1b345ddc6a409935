// The queue in our own tables, on both databases.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Db } from '../../src/db/db.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open.ts'
import { silentLogger } from '../../src/platform/logger.ts'
import { createSqlQueue } from '../../src/queue/sql-queue.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { databases, type TestPlace } from '../support/places/places.ts'
import { queueContract } from './queue/contract.ts'

/** Of the manual clock; the heartbeat's timer is a third of it in real time. */
const leaseMs = 600

const about = { role: 'worker', release: '1.2.3' } as const

const openOn = (database: TestPlace) =>
  openDatabase({ dataDir: database.env.DAILIES_DATA!, databaseUrl: database.env.DAILIES_DATABASE_URL ?? null })

for (const { name, create } of databases) {
  queueContract(name, async () => {
    const database = await create()
    const first = await openOn(database)
    await migrate(first, 0)
    const opened = new Set<Db>()
    const clock = createManualClock(1_000_000)
    return {
      leaseMs,
      async open() {
        const db = await openOn(database)
        opened.add(db)
        const { gated, hang } = hangable(db)
        const close = () => {
          opened.delete(db)
          return db.close()
        }
        return { queue: createSqlQueue({ db: gated, clock, log: silentLogger, about, leaseMs }), db, hang, close }
      },
      async pass(ms) {
        clock.advance(ms)
        for (const db of opened) await db.transaction((tx) => tx.announce('jobs'))
      },
      reset: async () => {
        await first.run('delete from jobs')
      },
      async stop() {
        await first.close()
        await database.stop()
      },
    }
  })

  // Only for a database that one process has for itself.
  if (name !== 'SQLite') continue
  describe(`taking back on ${name}`, () => {
    test('recover frees every leased job, reports whose it was, and counts a crash', async () => {
      const database = await create()
      const db = await openOn(database)
      await migrate(db, 0)
      const clock = createManualClock(0)
      const dead = createSqlQueue({ db, clock, log: silentLogger, about })
      const jobs = ['a', 'b', 'c'].map((subject, order) => ({ queue: 'q', subject, group: 'g', order }))
      await db.transaction((tx) => dead.enqueue(tx, jobs))
      const begun = new Promise<void>((resolve) => {
        let count = 0
        dead.work('q', { slots: 2, retryDelayMs: 0 }, () => {
          if (++count === 2) resolve()
          return new Promise(() => {})
        })
      })
      await begun
      const next = createSqlQueue({ db, clock, log: silentLogger, about })
      const lost: string[] = []
      const claimed: [string, number][] = []
      const all = new Promise<void>((resolve) => {
        next.onLost('q', async (_tx, subjects) => void lost.push(...subjects))
        next.work('q', { slots: 3, retryDelayMs: 0 }, async ({ subject, crashes }) => {
          claimed.push([subject, crashes])
          if (claimed.length === 3) resolve()
          return 'done'
        })
      })
      assert.equal(await next.recover(), 2)
      await all
      assert.deepEqual(lost.sort(), ['a', 'b'])
      // The one that merely waited was not taken from anybody, although work had begun when recovery came.
      assert.deepEqual(claimed.sort(), [
        ['a', 1],
        ['b', 1],
        ['c', 0],
      ])
      await next.stop(0)
      await db.close()
      await database.stop()
    })
  })
}

/** A database that does not respond while its process hangs. */
function hangable(db: Db): { gated: Db; hang(hung: boolean): void } {
  let open: Promise<void> = Promise.resolve()
  let release = () => {}
  return {
    gated: { ...db, transaction: (work) => open.then(() => db.transaction(work)) },
    hang(hung) {
      release()
      open = hung ? new Promise((resolve) => (release = resolve)) : Promise.resolve()
    },
  }
}
