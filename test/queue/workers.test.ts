// What processes say of their work, on SQLite and PostgreSQL.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Db } from '../../src/db/db.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open.ts'
import { forgetWorker, liveWorkers, writeHeartbeat } from '../../src/queue/workers.ts'
import { databases, type TestPlace } from '../support/places/places.ts'

const nowMs = Date.UTC(2026, 0, 1)
const about = { role: 'worker', release: '1.2.3' } as const
const lane = (running: number) => ({ queue: 'generate:studio', slots: 4, running })

for (const { name, create } of databases) {
  describe(`workers on ${name}`, () => {
    let place: TestPlace
    let db: Db
    let now = nowMs
    const report = (running: number) =>
      db.transaction((tx) =>
        writeHeartbeat(tx, { id: 'one', about, lanes: [lane(running)], nowMs: now, leaseMs: 15_000 }),
      )
    before(async () => {
      place = await create()
      const { DAILIES_DATA, DAILIES_DATABASE_URL } = place.env
      db = await openDatabase({ dataDir: DAILIES_DATA!, databaseUrl: DAILIES_DATABASE_URL ?? null })
      await migrate(db, nowMs)
    })
    after(async () => {
      await db?.close()
      await place?.stop()
    })

    test('reports that overlap are one process, with what it said last', async () => {
      await Promise.all(Array.from({ length: 8 }, () => report(1)))
      await report(3)
      const workers = await liveWorkers(db, now)
      assert.deepEqual(
        workers.map(({ running, seenAt }) => ({ running, seenAt })),
        [{ running: 3, seenAt: nowMs }],
      )
    })

    test('a silent worker is not shown, and one that leaves is removed', async () => {
      assert.deepEqual(await liveWorkers(db, now + 60_000), [])
      now += 60_000
      await report(0)
      assert.equal((await liveWorkers(db, now)).length, 1)
      await forgetWorker(db, 'one')
      assert.deepEqual(await liveWorkers(db, now), [])
    })
  })
}
