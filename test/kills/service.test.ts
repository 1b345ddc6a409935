// kill -9 under load, again and again: nothing that was acknowledged is lost, every task ends, every credit is accounted
// for, and the service is back within seconds.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkLedger } from '../../src/account-data/check-ledger.ts'
import { loadConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/db/open.ts'
import { places } from '../support/places/places.ts'
import type { Api } from '../support/service/api.ts'
import { type ServiceProcess, startProcess } from '../support/service/process.ts'
import { untilStatus } from '../support/until.ts'

const kills = 20
const acknowledgedEachTime = 30
const connections = 8
/** The figure to hold is 5 s; the deadline is for a machine that is busy with other things. */
const readyWithinMs = 60_000

const prompts = ['a boat', 'a boat script: wait 30ms', 'a boat script: progress 50, wait 300ms', 'a boat script: fail']

/** Creates until enough is acknowledged, then kills the service in the middle of it. Returns the acknowledged ids. */
async function loadAndKill(service: ServiceProcess): Promise<string[]> {
  const acknowledged: string[] = []
  let killed: Promise<unknown> | undefined
  const lane = async (n: number) => {
    for (let i = 0; i < 200; i++) {
      // Once it is killed, every call fails.
      const taskId = await service.api.createTask(prompts[(n + i) % prompts.length]).catch(() => null)
      if (taskId === null) return
      acknowledged.push(taskId)
      if (acknowledged.length >= acknowledgedEachTime) killed ??= service.kill('SIGKILL')
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, n) => lane(n)))
  assert.ok(killed, 'the service ended before it was killed')
  await killed
  return acknowledged
}

async function listAll(api: Api): Promise<{ taskId: string; state: string }[]> {
  const items = []
  for (let cursor = ''; ; ) {
    const { data } = (await api.get(`/api/v1/jobs/list?limit=100${cursor}`)).body
    items.push(...data.items)
    if (data.nextCursor === null) return items
    cursor = `&cursor=${data.nextCursor}`
  }
}

// One place is enough here; the fault suite kills on PostgreSQL as well.
const [{ name, create }] = places

describe(`kill -9 under load (${name})`, () => {
  test(`${kills} times`, async (context) => {
    const opened = new AsyncDisposableStack()
    context.after(() => opened.disposeAsync())
    const place = opened.adopt(await create(), ({ stop }) => stop())
    const env = { ...place.env, DAILIES_RENDER_SLOTS: '8' }
    const acknowledged: string[] = []
    let slowestMs = 0
    const start = async () => {
      const startedMs = performance.now()
      const service = await startProcess(env)
      opened.defer(async () => void (await service.kill('SIGKILL')))
      await untilStatus(() => service.api.get('/readyz'), 200, readyWithinMs)
      slowestMs = Math.max(slowestMs, performance.now() - startedMs)
      return service
    }
    for (let kill = 0; kill < kills; kill++) acknowledged.push(...(await loadAndKill(await start())))
    const service = await start()
    context.diagnostic(`slowest start until ready: ${Math.round(slowestMs)} ms`)
    assert.ok(slowestMs < readyWithinMs, `ready after ${slowestMs} ms`)
    const listed = await listAll(service.api)
    // What crashed together several times starts apart, by up to a minute.
    for (const { taskId } of listed) await service.api.until(taskId, ['success', 'fail'], 100_000)
    const known = new Set(listed.map(({ taskId }) => taskId))
    assert.deepEqual(
      acknowledged.filter((taskId) => !known.has(taskId)),
      [],
    )
    assert.ok(acknowledged.length >= kills * acknowledgedEachTime)
    assert.equal(await service.kill('SIGTERM'), 0)
    const db = await openDatabase(loadConfig(place.env))
    const { problems } = await checkLedger(db)
    const open = await db.one<{ count: number }>(
      `select count(*) as count from tasks where state not in ('success', 'fail')`,
    )
    const jobs = await db.one<{ count: number }>('select count(*) as count from jobs')
    await db.close()
    assert.deepEqual(problems, [])
    assert.equal(open!.count, 0)
    assert.equal(jobs!.count, 0)
  })
})
