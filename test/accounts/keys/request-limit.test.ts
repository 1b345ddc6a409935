// Request limits of sub-keys: exact under concurrency, also between processes, and new with each window.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createAccount } from '../../../src/accounts/accounts.ts'
import { createKey } from '../../../src/accounts/keys/keys.ts'
import { createRequestLimiter, windowStart } from '../../../src/accounts/keys/request-limit.ts'
import type { RequestLimit } from '../../../src/contract/keys.ts'
import type { Db } from '../../../src/db/db.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { openDatabase } from '../../../src/db/open.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { places, type TestPlace } from '../../support/places/places.ts'
import { plainBox } from '../../support/plain-box.ts'

const hourMs = 3_600_000
const noon = Date.UTC(2026, 0, 2, 12, 34, 56, 789)

const windows: [per: RequestLimit['per'], nowMs: number, start: number][] = [
  ['hour', noon, Date.UTC(2026, 0, 2, 12)],
  ['hour', Date.UTC(2026, 0, 2, 12), Date.UTC(2026, 0, 2, 12)],
  ['hour', Date.UTC(2026, 0, 2, 12) - 1, Date.UTC(2026, 0, 2, 11)],
  ['day', noon, Date.UTC(2026, 0, 2)],
  ['day', Date.UTC(2026, 0, 2) - 1, Date.UTC(2026, 0, 1)],
  ['total', noon, 0],
]
for (const [per, nowMs, start] of windows) {
  test(`the ${per} of ${new Date(nowMs).toISOString()} began at ${start}`, () =>
    assert.equal(windowStart(per, nowMs), start))
}

for (const { name, create } of places) {
  describe(`request limits on ${name}`, () => {
    let place: TestPlace
    let dbs: Db[]
    let accountId: string
    before(async () => {
      place = await create()
      const config = { dataDir: place.env.DAILIES_DATA!, databaseUrl: place.env.DAILIES_DATABASE_URL ?? null }
      dbs = [await openDatabase(config), await openDatabase(config)]
      await migrate(dbs[0]!, noon)
      accountId = (await dbs[0]!.transaction((tx) => createAccount(tx, 'limits', 0, noon, plainBox))).id
    })
    after(async () => {
      for (const db of dbs ?? []) await db.close()
      await place?.stop()
    })

    async function limited(requestLimit: RequestLimit | null) {
      const clock = createManualClock(noon)
      const { id } = await dbs[0]!.transaction((tx) => createKey(tx, { accountId, name: 'key', requestLimit }, noon))
      const limiters = dbs.map((db) => createRequestLimiter({ db, clock }))
      const take = async (times: number) => {
        const taken = await Promise.all(Array.from({ length: times }, (_, i) => limiters[i % 2]!.take(id)))
        return taken.filter((granted) => granted).length
      }
      return { clock, take }
    }

    test('of many concurrent requests to two processes, exactly as many as the limit are let in', async () => {
      const { take } = await limited({ requests: 37, per: 'total' })
      assert.equal(await take(120), 37)
      assert.equal(await take(5), 0)
    })

    test('an hourly count starts again with the hour; a total never does', async () => {
      const hourly = await limited({ requests: 3, per: 'hour' })
      assert.equal(await hourly.take(5), 3)
      hourly.clock.advance(windowStart('hour', noon) + hourMs - 1 - noon)
      assert.equal(await hourly.take(1), 0)
      hourly.clock.advance(1)
      assert.equal(await hourly.take(5), 3)
      const total = await limited({ requests: 2, per: 'total' })
      assert.equal(await total.take(3), 2)
      total.clock.advance(400 * 24 * hourMs)
      assert.equal(await total.take(1), 0)
    })

    test('a limit of 0 lets none in, and no limit lets all in', async () => {
      assert.equal(await (await limited({ requests: 0, per: 'day' })).take(4), 0)
      assert.equal(await (await limited(null)).take(4), 4)
    })
  })
}
