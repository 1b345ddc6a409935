// What an engine has used of its credits is known without reading a whole window of tasks at every claim.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createAccount } from '../../src/accounts/accounts.ts'
import { createKey } from '../../src/accounts/keys/keys.ts'
import type { Db, Param } from '../../src/db/db.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open.ts'
import { createEngineCredits } from '../../src/tasks/reports/engine-credits.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { databases } from '../support/places/places.ts'
import { plainBox } from '../support/plain-box.ts'
import { waitingTask } from '../support/task-row.ts'

const success = { state: 'success', video: '{}', expires_at: 0 }
const failure = {
  state: 'fail',
  video: null,
  expires_at: null,
  fail_code: '501',
  fail_reason: 'engine_failed',
  fail_msg: '',
}
const minuteMs = 60_000
const hourMs = 60 * minuteMs

for (const { name, create } of databases) {
  describe(`credits of an engine on ${name}`, () => {
    const clock = createManualClock(Date.UTC(2030, 4, 1, 12))
    let place: Awaited<ReturnType<typeof create>>
    let db: Db
    let owner: { accountId: string; keyId: string }
    before(async () => {
      place = await create()
      db = await openDatabase({
        dataDir: place.env.DAILIES_DATA ?? '',
        databaseUrl: place.env.DAILIES_DATABASE_URL ?? null,
      })
      await migrate(db, 0)
      owner = await db.transaction(async (tx) => {
        const { id: accountId } = await createAccount(tx, 'busy', 0, 0, plainBox)
        return { accountId, keyId: (await createKey(tx, { accountId, name: 'key' }, 0)).id }
      })
    })
    beforeEach(async () => {
      await db.run('delete from jobs')
      await db.run('delete from tasks')
    })
    after(async () => {
      await db?.close()
      await place?.stop()
    })

    const ended = (price: number, completed_at: number, changes: Record<string, Param> = {}) =>
      db.insert('tasks', [
        waitingTask(owner, completed_at, { engine: 'gpu', price, ...success, completed_at, ...changes }),
      ])

    async function generating(price: number, queue = 'generate:gpu') {
      const nowMs = clock.now()
      const task = waitingTask(owner, nowMs, { engine: 'gpu', price, state: 'generating' })
      await db.insert('tasks', [task])
      const job = { subject: task.id!, queue, group_name: 'g', serving_order: 0, run_at: nowMs }
      await db.insert('jobs', [{ ...job, worker: 'w', claim: 'c', created_at: nowMs }])
    }

    test('sums what it makes and has made since then', async () => {
      const credits = createEngineCredits({ db, clock })
      const sinceMs = clock.now() - 3 * hourMs
      await ended(1000, sinceMs - 1)
      await ended(1, sinceMs)
      await ended(2, sinceMs + hourMs)
      await ended(4, clock.now() - 1)
      await ended(500, clock.now() - 1, { engine: 'other' })
      await ended(500, clock.now() - 1, failure)
      await generating(8)
      await db.insert('tasks', [waitingTask(owner, clock.now(), { engine: 'gpu', price: 500, state: 'queueing' })])
      const read = await Promise.all([credits('gpu', sinceMs), credits('gpu', sinceMs), credits('other', sinceMs)])
      assert.deepEqual(read, [15, 15, 500])
      assert.equal(await credits('gpu', sinceMs + 1), 14, 'another window')
    })

    test('reads what ended long ago only once, and what ends later every time', async () => {
      const credits = createEngineCredits({ db, clock })
      const sinceMs = clock.now() - 3 * hourMs
      await ended(1, sinceMs)
      await ended(2, clock.now() - 10 * minuteMs)
      assert.equal(await credits('gpu', sinceMs), 3)
      await db.run('update tasks set price = 100')
      assert.equal(await credits('gpu', sinceMs), 3)
      // A transaction that takes its time stores an end that is some seconds old.
      await ended(4, clock.now() - 20_000)
      assert.equal(await credits('gpu', sinceMs), 7)
      for (let minutes = 0; minutes < 5; minutes++) {
        clock.advance(minuteMs)
        await ended(10, clock.now())
        assert.equal(await credits('gpu', sinceMs), 17 + 10 * minutes)
      }
      assert.equal(await createEngineCredits({ db, clock })('gpu', sinceMs), 254, 'another process')
    })

    test('sums a year with many tasks or none in a few statements', async () => {
      const sinceMs = clock.now() - 365 * 24 * hourMs
      let statements = 0
      const counted: Db = {
        ...db,
        one(...args) {
          statements++
          return db.one(...args)
        },
      }
      assert.equal(await createEngineCredits({ db: counted, clock })('gpu', sinceMs), 0)
      assert.ok(statements < 10, `${statements} statements for an empty year`)
      // Thousands of them end at the same time.
      const rows = Array.from({ length: 12_000 }, (_, i) => {
        const completed_at = clock.now() - 10 * hourMs + Math.max(0, i - 7000)
        return waitingTask(owner, completed_at, { engine: 'gpu', price: 1, ...success, completed_at })
      })
      for (let i = 0; i < rows.length; i += 1000) await db.insert('tasks', rows.slice(i, i + 1000))
      assert.equal(await createEngineCredits({ db, clock })('gpu', sinceMs), rows.length)
    })

    test('counts again after the clock was set back', async () => {
      const credits = createEngineCredits({ db, clock })
      const sinceMs = clock.now() - 3 * hourMs
      assert.equal(await credits('gpu', sinceMs), 0)
      clock.advance(-hourMs)
      await ended(1, clock.now())
      assert.equal(await credits('gpu', sinceMs), 1)
      clock.advance(hourMs)
      assert.equal(await credits('gpu', sinceMs), 1)
    })
  })
}
