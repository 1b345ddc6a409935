// One rate over several processes: never exceeded in any window, whatever happens to the processes, and used up by
// those that are left.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createLeasedRateLimiter, type LeasedRateLimiter } from '../../src/accounts/rate-leases.ts'
import type { Db } from '../../src/db/db.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { seededRandom } from '../../src/video/random.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { createTestDatabase } from '../support/places/postgres.ts'

describe('leases of a rate', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  let db: Db
  before(async () => {
    database = await createTestDatabase()
    db = await openPostgres(database.url, { connectionsMax: 4 })
    await migrate(db, 0)
  })
  after(async () => {
    await db.close()
    await database.stop()
  })

  function mostInAWindow(timesMs: number[], perMs: number): number {
    return Math.max(0, ...timesMs.map((from) => timesMs.filter((at) => at >= from && at < from + perMs).length))
  }

  for (const [seed, requests, perMs] of [
    [1, 5, 2000],
    [2, 40, 1000],
    [3, 3, 20_000],
  ] as const) {
    test(`${requests} in ${perMs} ms hold while processes hang, crash and start (seed ${seed})`, async () => {
      const random = seededRandom(seed)
      const clock = createManualClock(1_000_000)
      const keyId = `key ${seed}`
      const rate = { requests, perMs }
      const open = (): LeasedRateLimiter => createLeasedRateLimiter({ db, clock })
      const processes = [open(), open(), open()]
      const allowedMs: number[] = []
      for (let step = 0; step < 600; step++) {
        clock.advance(Math.floor(random() * 150))
        const i = Math.floor(random() * processes.length)
        const event = random()
        if (event < 0.02)
          processes[i] = open() // killed
        else if (event < 0.04) {
          await processes[i]!.close() // stopped in good order
          processes[i] = open()
        } else if (event < 0.05)
          clock.advance(25_000) // everybody hung, and nothing was extended
        else if (event < 0.2) await processes[i]!.runOnce()
        else {
          const decisions = await Promise.all(
            Array.from({ length: 1 + Math.floor(random() * 4) }, () => processes[i]!.take(keyId, rate, clock.now())),
          )
          for (const { allowed, remaining } of decisions) {
            if (allowed) allowedMs.push(clock.now())
            assert.ok(remaining >= 0 && remaining <= requests)
          }
        }
      }
      assert.ok(allowedMs.length > requests)
      assert.ok(mostInAWindow(allowedMs, perMs) <= requests)
    })
  }

  test('one process alone serves exactly the rate', async () => {
    const clock = createManualClock(5_000_000)
    const limiter = createLeasedRateLimiter({ db, clock })
    const rate = { requests: 50, perMs: 1000 }
    const decisions = await Promise.all(Array.from({ length: 80 }, () => limiter.take('alone', rate, clock.now())))
    assert.equal(decisions.filter(({ allowed }) => allowed).length, 50)
    clock.advance(1000)
    assert.ok((await limiter.take('alone', rate, clock.now())).allowed)
  })

  test('the share of a killed process is free again after its lease and a window', async () => {
    const clock = createManualClock(9_000_000)
    const rate = { requests: 4, perMs: 1000 }
    const dead = createLeasedRateLimiter({ db, clock })
    for (let i = 0; i < 4; i++) assert.ok((await dead.take('left', rate, clock.now())).allowed)
    const heir = createLeasedRateLimiter({ db, clock })
    clock.advance(2000)
    assert.equal((await heir.take('left', rate, clock.now())).allowed, false)
    clock.advance(11_000)
    for (let i = 0; i < 4; i++) assert.ok((await heir.take('left', rate, clock.now())).allowed)
    // The dead one wakes up: it must not use what it once held.
    assert.equal((await dead.take('left', rate, clock.now())).allowed, false)
  })
})
