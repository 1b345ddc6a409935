// A failover on real parts: a primary with a synchronous standby by streaming replication, behind one address that moves.
// The primary is killed under load, the standby is promoted, and nothing that was acknowledged is lost.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { startStallableProxy } from '../../support/network/stallable-proxy.ts'
import { startPostgres } from '../../support/places/postgres.ts'
import { type Answer, taskBody } from '../../support/service/api.ts'
import { cliJson, startProcess } from '../../support/service/process.ts'
import { untilStatus, untilTrue } from '../../support/until.ts'

const callers = 8

test('a failover to a synchronous standby loses nothing', async (t) => {
  const primary = await startPostgres()
  t.after(() => primary.stop())
  const standby = await startPostgres({ standbyOf: primary })
  t.after(() => standby.stop())
  await on(primary.url, `alter system set synchronous_standby_names = 'standby'`)
  await on(primary.url, 'select pg_reload_conf()')
  await untilTrue('the standby is synchronous', async () => {
    const [row] = await on(
      primary.url,
      `select count(*)::int as count from pg_stat_replication where sync_state = 'sync'`,
    )
    return row!.count === 1
  })
  const address = await startStallableProxy(primary.port)
  t.after(address.stop)
  const url = new URL(primary.url)
  url.port = String(address.port)
  const dataDir = await mkdtemp(join(tmpdir(), 'dailies-failover-'))
  t.after(() => rm(dataDir, { recursive: true, force: true }))
  const env = { DAILIES_DATA: dataDir, DAILIES_DATABASE_URL: url.href }
  const service = await startProcess(env)
  t.after(() => service.kill('SIGKILL'))

  const answers: Answer[] = []
  const acceptedAt: number[] = []
  let isStopped = false
  const load = Array.from({ length: callers }, async () => {
    while (!isStopped) {
      const answer = await service.api.post('/api/v1/jobs/createTask', taskBody())
      answers.push(answer)
      if (answer.status === 200) acceptedAt.push(performance.now())
    }
  })
  const accepted = () => answers.filter(({ status }) => status === 200)
  await untilTrue('creations are accepted', () => accepted().length >= 50, 60_000)

  await primary.end('crash')
  const unready = await untilStatus(() => service.api.get('/readyz'), 503, 10_000)
  assert.match(unready.body.msg, /^not ready: the database/)
  address.moveTo(standby.port)
  await on(standby.url, 'select pg_promote()')
  const movedAt = performance.now()
  const before = accepted().length
  await untilTrue('creations go on', () => accepted().length >= before + 50, 60_000)
  isStopped = true
  await Promise.all(load)

  const gapMs = acceptedAt.find((at) => at > movedAt)! - movedAt
  const refused = answers.filter(({ status }) => status !== 200)
  t.diagnostic(`first creation ${Math.round(gapMs)} ms after the move; ${refused.length} of ${answers.length} refused`)
  assert.ok(gapMs < 6_000, `the first creation after the move took ${Math.round(gapMs)} ms`)
  for (const { status, body } of refused) assert.deepEqual([status, body.code], [500, 500])
  await untilStatus(() => service.api.get('/readyz'), 200, 5_000)
  for (const { body } of accepted()) await service.api.until(body.data.taskId, ['success'], 60_000)
  assert.equal((await cliJson(['ledger', 'check'], env)).ok, true)
})

// biome-ignore lint/suspicious/noExplicitAny: rows of any statement
async function on(url: string, sql: string): Promise<any[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return (await client.query(sql).finally(() => client.end())).rows
}
