// PostgreSQL restarts behind a PgBouncer with the file that is shipped: creations wait for it, and go on as soon as it is
// back.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPgBouncer } from '../../support/places/pgbouncer.ts'
import { startPostgres } from '../../support/places/postgres.ts'
import { type Answer, taskBody } from '../../support/service/api.ts'
import { cliJson, startProcess } from '../../support/service/process.ts'
import { untilTrue } from '../../support/until.ts'

const callers = 4
const backWithinMs = 2000
/**
 * The first is away for less than creations wait for a database, and for longer than PgBouncer needs to notice. The other
 * has to recover, which may take longer than creations wait.
 */
const outages = [
  { how: 'shut down', awayMs: 2000, refusesNone: true },
  { how: 'crash', awayMs: 0, refusesNone: false },
] as const

for (const { how, awayMs, refusesNone } of outages) {
  test(`creations go on right after a ${how} of PostgreSQL behind PgBouncer`, async (t) => {
    const postgres = await startPostgres()
    t.after(postgres.stop)
    const pooler = await startPgBouncer(postgres.url, 'transaction')
    t.after(pooler.stop)
    const dataDir = await mkdtemp(join(tmpdir(), 'dailies-poolers-'))
    t.after(() => rm(dataDir, { recursive: true, force: true }))
    const env = { DAILIES_DATA: dataDir, DAILIES_DATABASE_URL: pooler.url, TEST_LEASE: '60s' }
    const service = await startProcess(env)
    t.after(() => service.kill('SIGKILL'))

    const answers: { atMs: number; answer: Answer }[] = []
    let isStopped = false
    const load = Array.from({ length: callers }, async (_, caller) => {
      for (let created = 0; !isStopped; ) {
        const headers = { 'idempotency-key': `caller-${caller}-${created}` }
        const answer = await service.api.post('/api/v1/jobs/createTask', taskBody(), { headers })
        answers.push({ atMs: performance.now(), answer })
        if (answer.status === 200) created++
        // Leaves the processor to the service.
        await sleep(20)
      }
    })
    const isAccepted = ({ answer }: (typeof answers)[number]) => answer.status === 200
    await untilTrue('creations are accepted', () => answers.filter(isAccepted).length >= 20, 60_000)

    await postgres.end(how)
    const downAtMs = performance.now()
    await sleep(awayMs)
    await postgres.restart()
    const backAtMs = performance.now()
    const sinceBack = () => answers.filter((each) => isAccepted(each) && each.atMs > backAtMs)
    await untilTrue('creations go on', () => sinceBack().length >= 20, 60_000)
    isStopped = true
    await Promise.all(load)

    const gapMs = sinceBack()[0]!.atMs - backAtMs
    const refused = answers.filter((each) => !isAccepted(each))
    const figures = `away for ${Math.round(backAtMs - downAtMs)} ms, first creation ${Math.round(gapMs)} ms after it was back`
    t.diagnostic(`${figures}; ${refused.length} of ${answers.length} refused`)
    assert.ok(gapMs < backWithinMs, `the first creation took ${Math.round(gapMs)} ms`)
    if (refusesNone) assert.deepEqual(refused, [])
    const taskIds = answers.filter(isAccepted).map(({ answer }) => answer.body.data.taskId as string)
    assert.equal(new Set(taskIds).size, taskIds.length)
    for (const taskId of taskIds) await service.api.until(taskId, ['success'], 60_000)
    assert.equal((await cliJson(['ledger', 'check'], env)).ok, true)
  })
}
