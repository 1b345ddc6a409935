// SIGTERM under load: every request that was taken is answered, streams end, work is finished or given back, and the
// process leaves with 0.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkLedger } from '../../src/accounts/ledger.ts'
import { loadConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/db/open.ts'
import { readEvents, taskBody } from '../support/api.ts'
import { places } from '../support/places.ts'
import { startProcess } from '../support/process.ts'
import { testKey } from '../support/service.ts'
import { untilTrue } from '../support/until.ts'

const exitWithinMs = 30_000

for (const { name, create } of places) {
  describe(`SIGTERM (${name})`, () => {
    test('under load answers everything that was taken', async (context) => {
      const place = await create()
      const service = await startProcess({ ...place.env, DAILIES_RENDER_SLOTS: '4' })
      let accepted = 0
      let stopping = false
      const lane = async () => {
        for (let i = 0; i < 2000; i++) {
          const body = taskBody('a boat script: wait 20ms')
          const answer = await service.api.post('/api/v1/jobs/createTask', body).catch((error: Error) => error)
          if (answer instanceof Error) {
            // Only a connection that was never taken, or lay idle, may be refused.
            assert.ok(stopping, String(answer.cause))
            return
          }
          assert.equal(answer.status, 200, answer.text)
          accepted++
        }
      }
      const followed = await service.api.createTask('a boat script: wait 2s')
      accepted++
      const stream = await fetch(`${service.url}/api/v1/jobs/events?taskId=${followed}`, {
        headers: { authorization: `Bearer ${testKey}` },
      })
      const load = Array.from({ length: 16 }, lane)
      await untilTrue('the load runs', () => accepted >= 60, 20_000)
      stopping = true
      const startedMs = performance.now()
      const code = await service.kill('SIGTERM')
      const tookMs = performance.now() - startedMs
      context.diagnostic(`stopped in ${Math.round(tookMs)} ms`)
      await Promise.all(load)
      assert.equal(code, 0, service.output())
      assert.ok(tookMs < exitWithinMs)
      for await (const event of readEvents(stream)) assert.equal(event.data.taskId, followed)

      const db = await openDatabase(loadConfig(place.env))
      const tasks = await db.one<{ count: number }>('select count(*) as count from tasks')
      const leased = await db.one<{ count: number }>('select count(*) as count from jobs where lease_until is not null')
      const { problems } = await checkLedger(db)
      await db.close()
      await place.stop()
      assert.equal(tasks!.count, accepted)
      assert.equal(leased!.count, 0)
      assert.deepEqual(problems, [])
    })
  })
}
