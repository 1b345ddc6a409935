// PostgreSQL cuts connections off, as it does when it restarts: the service responds in the envelope, loses nothing
// that it acknowledged, charges for nothing else, and goes on.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { checkLedger } from '../../src/account-data/check-ledger.ts'
import { setMaintenance } from '../../src/accounts/switches.ts'
import { serviceActor } from '../../src/audit/audit.ts'
import { startCommitBreaker } from '../support/network/commit-breaker.ts'
import { postgres } from '../support/places/places.ts'
import { type Answer, taskBody } from '../support/service/api.ts'
import { startProcess } from '../support/service/process.ts'
import { startService } from '../support/service/service.ts'
import { untilStatus, untilTrue } from '../support/until.ts'
import { within } from '../support/within.ts'

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

  for (const stored of [true, false]) {
    test(`at the COMMIT of a creation, which is ${stored ? '' : 'not '}stored: the answer says so`, async (t) => {
      const place = await postgres.create()
      t.after(place.stop)
      const url = new URL(place.env.DAILIES_DATABASE_URL!)
      const breaker = await startCommitBreaker(Number(url.port))
      t.after(breaker.stop)
      url.port = String(breaker.port)
      const service = await startProcess({ ...place.env, DAILIES_DATABASE_URL: url.href })
      t.after(() => service.kill('SIGKILL'))
      const broken = breaker.breakNext('insert into tasks', { stored })
      const answering = service.api.post('/api/v1/jobs/createTask', taskBody())
      await within(20_000, 'the break', broken)
      const answer = await answering
      assert.equal(answer.status, stored ? 200 : 500, answer.text)
      if (stored) await service.api.until(answer.body.data.taskId, ['success'])
      const { body } = await service.api.get('/api/v1/jobs/list')
      assert.equal(body.data.items.length, stored ? 1 : 0)
    })
  }

  for (const stored of [true, false]) {
    test(`at the COMMIT of a task's end, which is ${stored ? '' : 'not '}stored: the video is made once`, async (t) => {
      const place = await postgres.create()
      t.after(place.stop)
      const url = new URL(place.env.DAILIES_DATABASE_URL!)
      const breaker = await startCommitBreaker(Number(url.port))
      t.after(breaker.stop)
      url.port = String(breaker.port)
      const service = await startProcess({ ...place.env, DAILIES_DATABASE_URL: url.href })
      t.after(() => service.kill('SIGKILL'))
      const credit = async () => (await service.api.get('/api/v1/account/credit')).body.data
      const before = await credit()
      const broken = breaker.breakNext('update tasks set progress = 100', { stored })
      const taskId = await service.api.createTask('script: progress 10')
      await within(20_000, 'the break', broken)
      await service.api.until(taskId, ['success'])
      const { text } = await service.api.get(`/api/v1/jobs/timeline?taskId=${taskId}`)
      assert.match(text, /"attempt":1/)
      assert.doesNotMatch(text, /retry|crashed|"attempt":2/)
      assert.equal(await credit(), before - 42)
    })
  }
})
