// PostgreSQL cuts connections off, as it does when it restarts: the service responds in the envelope, loses nothing
// that it acknowledged, charges for nothing else, and goes on.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { checkLedger } from '../../src/accounts/ledger.ts'
import { setMaintenance } from '../../src/accounts/switches.ts'
import { serviceActor } from '../../src/audit/audit.ts'
import { postgres } from '../support/places/places.ts'
import { type Answer, taskBody } from '../support/service/api.ts'
import { startService } from '../support/service/service.ts'
import { untilStatus, untilTrue } from '../support/until.ts'

describe('broken connections (PostgreSQL)', () => {
  test('are survived under load', async () => {
    const place = await postgres.create()
    const service = await startService(place.env, { leaseMs: 2000 })
    const admin = new pg.Client({ connectionString: place.env.DAILIES_DATABASE_URL! })
    await admin.connect()
    try {
      const create = () => service.api.post('/api/v1/jobs/createTask', taskBody())
      const answers: Answer[] = []
      let cutting = true
      const load = Array.from({ length: 8 }, async () => {
        while (cutting) answers.push(await create())
      })
      let cuts = 0
      for (let round = 0; round < 5; round++) {
        const enough = answers.length + 20
        await untilTrue('some creations are answered', () => answers.length >= enough, 20_000)
        const { rowCount } = await admin.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        )
        cuts += rowCount ?? 0
      }
      cutting = false
      await Promise.all(load)
      assert.ok(cuts >= 5)
      const accepted = answers.filter(({ status }) => status === 200)
      for (const answer of answers) {
        assert.ok([200, 500].includes(answer.status), answer.text)
        assert.equal(answer.body.code, answer.status)
      }
      for (const { body } of accepted) await service.api.until(body.data.taskId, ['success', 'fail'], 30_000)
      // Announcements are heard again on a new connection.
      await untilStatus(create, 200, 5000)
      await service.app.db.transaction((tx) => setMaintenance(tx, serviceActor, true, Date.now()))
      await untilStatus(create, 455, 5000)
      const stored = await service.app.db.one<{ count: number }>('select count(*) as count from tasks')
      assert.ok(stored!.count >= accepted.length)
      assert.deepEqual((await checkLedger(service.app.db)).problems, [])
    } finally {
      await admin.end()
      await service.stop()
      await place.stop()
    }
  })
})
