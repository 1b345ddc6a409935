// One rate over several servers: never exceeded in any window, whatever happens to the servers, and used up by those that
// are left.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Db } from '../../src/db/db.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { type Ask, blockMs, type Count, createSharedWindow, grant } from '../../src/limits/shared-window.ts'
import { seededRandom } from '../../src/video/random.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { createTestDatabase } from '../support/places/postgres.ts'

describe('a rate of several servers', () => {
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
      const open = () => createSharedWindow({ db, clock })
      const processes = [open(), open(), open()]
      const allowedMs: number[] = []
      for (let step = 0; step < 600; step++) {
        clock.advance(Math.floor(random() * 150))
        const i = Math.floor(random() * processes.length)
        const event = random()
        if (event < 0.03)
          processes[i] = open() // killed
        else if (event < 0.04)
          clock.advance(25_000) // everybody hung
        else if (event < 0.05) await processes[i]!.purge()
        else {
          const decisions = await Promise.all(
            Array.from({ length: 1 + Math.floor(random() * 4) }, () => processes[i]!.take(keyId, rate)),
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

  test('one server alone serves exactly the rate', async () => {
    const clock = createManualClock(5_000_000)
    const window = createSharedWindow({ db, clock })
    const rate = { requests: 50, perMs: 1000 }
    const decisions = await Promise.all(Array.from({ length: 80 }, () => window.take('alone', rate)))
    assert.equal(decisions.filter(({ allowed }) => allowed).length, 50)
    clock.advance(999)
    assert.deepEqual(await window.take('alone', rate), { allowed: false, remaining: 0, resetMs: 1 })
    clock.advance(1)
    assert.ok((await window.take('alone', rate)).allowed)
  })

  test('far from the limit, most requests are served without the database', async () => {
    const clock = createManualClock(6_000_000)
    const window = createSharedWindow({ db, clock })
    let asked = 0
    for (let i = 0; i < 300; i++) {
      const decision = window.take('busy', { requests: 10_000, perMs: 10_000 })
      if (decision instanceof Promise) asked++
      assert.ok((await decision).allowed)
    }
    assert.equal(asked, 1)
  })

  test('tickets of a server that crashed or hung expire', async () => {
    const clock = createManualClock(9_000_000)
    const rate = { requests: 33, perMs: 1000 }
    const hung = createSharedWindow({ db, clock })
    assert.ok((await hung.take('left', rate)).allowed)
    const other = createSharedWindow({ db, clock })
    const served = async () => {
      const decisions = await Promise.all(Array.from({ length: 40 }, () => other.take('left', rate)))
      return decisions.filter(({ allowed }) => allowed).length
    }
    // The hung one has served one request and has a ticket.
    assert.equal(await served(), 31)
    clock.advance(blockMs + rate.perMs)
    assert.equal(await served(), 33)
    assert.equal((await hung.take('left', rate)).allowed, false)
  })

  test('a rate that changes counts from the next request on', async () => {
    const clock = createManualClock(12_000_000)
    const window = createSharedWindow({ db, clock })
    const take = async (requests: number) => (await window.take('changed', { requests, perMs: 1000 })).allowed
    assert.deepEqual([await take(2), await take(2), await take(2)], [true, true, false])
    assert.deepEqual([await take(1), await take(3), await take(3)], [false, true, false])
  })
})

describe('what is granted', () => {
  const rate = { requests: 100, perMs: 1000 }
  const ask = (wanted: number, more: Partial<Ask> = {}): Ask => ({ rate, wanted, settled: null, ...more })
  const block = (atMs: number, requests: number): Count => [atMs, requests, 'b']
  const cases: [name: string, counts: Count[], ask: Ask, nowMs: number, granted: number, ahead: number][] = [
    ['nothing was counted: some ahead', [], ask(4), 5000, 4, 3],
    ['some left', [[4500, 90]], ask(4), 5000, 4, 0],
    ['fewer left than wait', [[4500, 98]], ask(4), 5000, 2, 0],
    ['none left', [[4500, 100]], ask(1), 5000, 0, 0],
    ['a window later', [[4500, 100]], ask(1), 5500, 1, 3],
    ['a moment before', [[4500, 100]], ask(1), 5499, 0, 0],
    ['tickets of another server count in full', [block(9000, 60)], ask(50), 5000, 40, 0],
    ['and for a window after they end', [block(9000, 60)], ask(50), 9999, 40, 0],
    ['and then no more', [block(9000, 60)], ask(50), 10_000, 50, 1],
    [
      'tickets that are reported count as far as they were used',
      [block(9000, 60)],
      ask(90, { settled: { block: 'b', used: 20, lastMs: 4900 } }),
      5000,
      80,
      0,
    ],
    [
      'a report that comes too late counts nothing twice',
      [[4900, 60]],
      ask(90, { settled: { block: 'b', used: 20, lastMs: 4900 } }),
      5000,
      40,
      0,
    ],
    ['nothing is taken ahead for no request', [], ask(0), 5000, 0, 0],
    ['a clock that was set back by an hour', [[3_600_000 + 5000, 100]], ask(1), 5000, 1, 3],
    ['a rate that was lowered', [[4500, 100]], ask(1, { rate: { requests: 10, perMs: 1000 } }), 5000, 0, 0],
  ]
  for (const [name, counts, wanted, nowMs, granted, ahead] of cases) {
    test(name, () => {
      const answer = grant(counts, wanted, nowMs)
      assert.deepEqual([answer.granted, answer.ahead], [granted, ahead])
    })
  }

  test('a row has a bounded number of counts, and none of them is forgotten early', () => {
    let counts: Count[] = []
    for (let nowMs = 0; nowMs < 5000; nowMs++) {
      counts = grant(counts, ask(1, { rate: { requests: 10_000, perMs: 1000 }, settled: null }), nowMs).counts
      counts = counts.filter(([, , block]) => block === undefined)
      assert.ok(counts.length <= 66, `${counts.length}`)
      const live = counts.reduce((sum, [, requests]) => sum + requests, 0)
      assert.ok(live >= Math.min(nowMs + 1, 1000), `${live} at ${nowMs}`)
    }
  })
})
