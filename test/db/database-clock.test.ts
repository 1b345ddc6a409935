// The clock that follows PostgreSQL's server, with timers and servers that are wrong.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabaseClock, serverTimeSql } from '../../src/db/postgres/database-clock.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { createTestDatabase } from '../support/places/postgres.ts'

const hourMs = 3_600_000

/** A server whose time the test sets, and a local timer; each round trip takes as long as the test says. */
function bench() {
  const state = { serverMs: 1_000_000_000_000, localMs: 50, tripMs: [] as number[], down: false }
  const pass = (ms: number) => {
    state.serverMs += ms
    state.localMs += ms
  }
  const sql = {
    async one<Row>() {
      if (state.down) throw new Error('out of reach')
      const tripMs = state.tripMs.shift() ?? 2
      pass(tripMs / 2)
      const ms = state.serverMs
      pass(tripMs / 2)
      return { ms } as Row
    },
  }
  return { state, pass, sql, localMs: () => state.localMs }
}

test('it says what the real server says, whatever the timer begins with', async () => {
  const database = await createTestDatabase()
  const db = await openPostgres(database.url, { connectionsMax: 1 })
  for (const skewMs of [0, hourMs, -15 * 24 * hourMs]) {
    const clock = await createDatabaseClock(db, () => performance.now() + skewMs)
    const server = await db.one<{ ms: number }>(serverTimeSql)
    assert.ok(Math.abs(clock.now() - server!.ms) < 500)
    assert.ok(Number.isInteger(clock.now()))
    clock.stop()
  }
  await db.close()
  await database.stop()
})

test('a round trip that was held up does not count', async () => {
  const { state, sql, localMs } = bench()
  state.tripMs = [2, 900, 2, 400, 2]
  const clock = await createDatabaseClock(sql, localMs)
  assert.ok(Math.abs(clock.now() - state.serverMs) <= 1)
  clock.stop()
})

test('it runs on while the server is out of reach, and follows it again afterwards', async () => {
  const { state, sql, localMs, pass } = bench()
  const clock = await createDatabaseClock(sql, localMs)
  state.down = true
  await clock.measure()
  pass(60_000)
  assert.ok(Math.abs(clock.now() - state.serverMs) <= 1)
  // The machine slept: its timer stood still while the server's time went on.
  state.serverMs += hourMs
  state.down = false
  await clock.measure()
  assert.ok(Math.abs(clock.now() - state.serverMs) <= 1)
  clock.stop()
})

test('it stands still rather than going back, unless the server was set to another time', async () => {
  const { state, sql, localMs, pass } = bench()
  const clock = await createDatabaseClock(sql, localMs)
  const before = clock.now()
  state.serverMs -= 3000
  await clock.measure()
  assert.equal(clock.now(), before)
  pass(3500)
  assert.ok(clock.now() > before)
  state.serverMs -= hourMs
  await clock.measure()
  assert.ok(Math.abs(clock.now() - state.serverMs) <= 1)
  clock.stop()
})
