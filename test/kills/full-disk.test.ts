// A full disk: creation is 500 with a request id and stores nothing, reads go on, and everything works again once there
// is room.
import assert from 'node:assert/strict'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { checkLedger } from '../../src/account-data/check-ledger.ts'
import { loadConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/db/open.ts'
import { createSmallDisk, type SmallDisk } from '../support/faults/small-disk.ts'
import { taskBody } from '../support/service/api.ts'
import { type ServiceProcess, startProcess } from '../support/service/process.ts'
import { untilStatus, untilTrue } from '../support/until.ts'

describe('a full disk (SQLite)', () => {
  test('gives 500 with a request id, no half-written task, and heals', async () => {
    const disk = await createSmallDisk(64)
    try {
      const env = { DAILIES_DATA: join(disk.dir, 'data') }
      const service = await startProcess(env)
      const create = (extra = '') => service.api.post('/api/v1/jobs/createTask', { ...taskBody(), extra })
      const accepted: string[] = []
      const keep = (answer: Awaited<ReturnType<typeof create>>) => {
        if (answer.status === 200) accepted.push(answer.body.data.taskId)
        return answer
      }
      keep(await create())
      await service.api.until(accepted[0]!, ['success'])
      await disk.fill([service.child.pid!])
      // Whatever room is left inside the write-ahead log is used up by large bodies.
      const refused = await untilStatus(async () => keep(await create('x'.repeat(100_000))), 500, 20_000)
      assert.match(refused.body.msg, new RegExp(refused.headers.get('x-request-id')!))
      assert.doesNotMatch(refused.text, /SQL|disk|ENOSPC|\//i)
      const refusedTogether = await Promise.all(Array.from({ length: 20 }, () => create('x'.repeat(100_000))))
      assert.deepEqual(new Set(refusedTogether.map(({ status }) => status)), new Set([500]))
      assert.equal((await service.api.get(`/api/v1/jobs/recordInfo?taskId=${accepted[0]}`)).status, 200)
      assert.equal((await service.api.get('/api/v1/account/credit')).status, 200)
      const unready = await untilStatus(() => service.api.get('/readyz'), 503, 2_000)
      assert.match(unready.body.msg, /the database accepts no writes/)

      await disk.free([service.child.pid!])
      await untilStatus(() => service.api.get('/readyz'), 200, 10_000)
      await untilStatus(async () => keep(await create()), 200, 10_000)
      for (const taskId of accepted) await service.api.until(taskId, ['success', 'fail'], 20_000)
      const spent = (await Promise.all(accepted.map((taskId) => service.api.record(taskId)))).reduce(
        (total, record) => total + (record.creditsConsumed as number),
        0,
      )
      assert.equal((await service.api.get('/api/v1/account/credit')).body.data, 1_000_000 - spent)
      assert.equal(await service.kill('SIGTERM'), 0)

      const db = await openDatabase(loadConfig(env))
      const { problems } = await checkLedger(db)
      const stored = await db.all<{ id: string }>('select id from tasks')
      await db.close()
      assert.deepEqual(problems, [])
      assert.deepEqual(stored.map(({ id }) => id).sort(), accepted.toSorted())
    } finally {
      await disk.remove()
    }
  })

  test('makes a running task wait, and its timeline says why', async () => {
    await using opened = new AsyncDisposableStack()
    const disk = opened.adopt(await createSmallDisk(64), ({ remove }) => remove())
    const service = await startProcess({ DAILIES_DATA: join(disk.dir, 'data') })
    opened.defer(() => void service.child.kill('SIGKILL'))
    const pids = [service.child.pid!]
    const taskId = await service.api.createTask('script: wait 2s')
    await service.api.until(taskId, ['generating'])
    await disk.fill(pids)
    const waits = () => service.output().includes(`"task":"${taskId}","msg":"a task waits`)
    await untilTrue('its result could not be stored', waits, 20_000)
    await disk.free(pids)
    const record = await service.api.until(taskId, ['success', 'fail'], 60_000)
    assert.equal(record.state, 'success')
    const { items } = (await service.api.get(`/api/v1/jobs/timeline?taskId=${taskId}`)).body.data
    assert.doesNotMatch(JSON.stringify(items), /crashed/)
    assert.match(JSON.stringify(items), /the worker could not store the result/)
    assert.equal(await service.kill('SIGTERM'), 0)
  })

  /** A service whose files alone are on the small disk. */
  async function withFilesOn(disk: SmallDisk, check: (service: ServiceProcess) => Promise<void>): Promise<void> {
    const data = await mkdtemp(join(tmpdir(), 'dailies-full-disk-'))
    await symlink(disk.dir, join(data, 'files'))
    try {
      const service = await startProcess({ DAILIES_DATA: data })
      await check(service)
      assert.equal(await service.kill('SIGTERM'), 0)
    } finally {
      await disk.remove()
      await rm(data, { recursive: true, force: true })
    }
  }

  /** Where the limit is one of the process, its database cannot be written either. */
  const cannotStore = async (service: ServiceProcess) => {
    const { status, body } = await service.api.get('/readyz')
    return status === 503 || body.data.storage === 'down'
  }

  test('of files alone is reported, and tasks wait, until there is room', async () => {
    const disk = await createSmallDisk(64)
    await withFilesOn(disk, async (service) => {
      const pids = [service.child.pid!]
      const running = await service.api.createTask('script: wait 2s')
      await service.api.until(running, ['generating'])
      await disk.fill(pids)
      await untilTrue('it is reported', () => cannotStore(service))
      // Where the limit is one of the process, none of these is accepted.
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => service.api.post('/api/v1/jobs/createTask', taskBody())),
      )
      const accepted = answers.flatMap(({ body }) => (body.code === 200 ? [body.data.taskId as string] : []))
      const waits = () => service.output().includes(`"task":"${running}","msg":"a task waits`)
      await untilTrue('the running task could not store its video', waits, 20_000)
      await disk.free(pids)
      await untilTrue('the storage is up', async () => !(await cannotStore(service)))
      for (const taskId of [running, ...accepted]) await service.api.until(taskId, ['success'], 60_000)
    })
  })

  test('with room for a page but not for a video makes tasks wait too', async () => {
    const disk = await createSmallDisk(64)
    await withFilesOn(disk, async (service) => {
      const pids = [service.child.pid!]
      await disk.fill(pids, 2 ** 20)
      await untilTrue('it is reported', () => cannotStore(service))
      const { body } = await service.api.post('/api/v1/jobs/createTask', taskBody())
      for (let looks = 0; looks < 3; looks++) {
        assert.equal(await cannotStore(service), true)
        // Where the limit is one of the process, the task is not accepted.
        if (body.code === 200) assert.equal((await service.api.record(body.data.taskId)).state, 'wait')
      }
      await disk.free(pids)
      await untilTrue('the storage is up', async () => !(await cannotStore(service)))
      if (body.code === 200) await service.api.until(body.data.taskId, ['success'], 20_000)
    })
  })
})
