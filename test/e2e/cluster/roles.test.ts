// The roles as real processes: a server that leaves the work to workers, and what is refused with a clear message.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startPoolerWithoutNotify } from '../../support/network/pooler-without-notify.ts'
import { createTestDatabase, freePort } from '../../support/places/postgres.ts'
import { runCli, type ServiceProcess, startProcess, startWorker } from '../../support/service/process.ts'

describe('roles', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  let dataDir: string
  let env: Record<string, string>
  before(async () => {
    database = await createTestDatabase()
    dataDir = await mkdtemp(join(tmpdir(), 'dailies-roles-'))
    env = { DAILIES_DATA: dataDir, DAILIES_DATABASE_URL: database.url, DAILIES_PUBLIC_URL: 'http://127.0.0.1:1' }
  })
  after(async () => {
    await database.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** What `dailies doctor` says of the workers: status, message and advice. */
  async function workersInDoctor(): Promise<string> {
    const { stdout } = await runCli(['doctor', '--json'], env)
    const { checks } = JSON.parse(stdout) as {
      checks: { name: string; status: string; message: string; advice: string | null }[]
    }
    const found = checks.find(({ name }) => name === 'workers')
    return found ? `${found.status}: ${found.message}; ${found.advice}` : 'not checked'
  }

  test('a server leaves the work to workers; each does its queues, and both stop at a signal', async (t) => {
    const started: Omit<ServiceProcess, 'api'>[] = []
    t.after(() => started.map(({ child }) => child.kill('SIGKILL')))
    const server = await startProcess({ ...env, DAILIES_PORT: String(await freePort()) }, ['serve'])
    started.push(server)
    assert.match(server.output(), /jobs wait for processes started with dailies work/)
    assert.match(await workersInDoctor(), /^warning: none runs.*start dailies work/)
    const taskId = await server.api.createTask('a boat')
    const preparer = await startWorker(env, ['--queues', 'prepare'])
    started.push(preparer)
    await server.api.until(taskId, ['queueing'])
    assert.match(await workersInDoctor(), /^warning: none runs the jobs of generate, deliver, infer/)
    const generator = await startWorker(env, ['--queues', 'generate,deliver', '--slots', '2', '--port', '0'])
    started.push(generator)
    await server.api.until(taskId, ['success'])
    assert.match(preparer.output(), /works on prepare\n/)
    const health = /works on generate, deliver; health on (\S+)/.exec(generator.output())?.[1]
    assert.equal((await fetch(`${health}/readyz`)).status, 200)
    assert.match(await (await fetch(`${health}/metrics`)).text(), /dailies_engine_attempts_total\{.*success.*\} 1/)
    assert.equal((await fetch(`${health}/api/v1/account/credit`)).status, 404)
    for (const each of started) assert.equal(await each.kill('SIGTERM'), 0)
  })

  const refusals: [string, string[], () => Record<string, string>, number, RegExp][] = [
    ['work on SQLite', ['work'], () => ({ DAILIES_DATA: dataDir }), 1, /needs a PostgreSQL.*the one server does all/],
    ['work without the URL of the service', ['work'], () => ({ ...env, DAILIES_PUBLIC_URL: '' }), 1, /PUBLIC_URL/],
    ['an unknown queue', ['work', '--queues', 'prepare,paint'], () => env, 2, /no "paint"; there are prepare, gen/],
    ['no slots', ['work', '--slots', '0'], () => env, 2, /at least 1/],
  ]
  for (const [what, args, settings, code, words] of refusals) {
    test(`${what} is refused with a clear message`, async () => {
      const result = await runCli(args, settings())
      assert.equal(result.code, code)
      assert.match(result.stderr, words)
    })
  }

  test('a connection that passes on no notifications is refused with a clear message', async (t) => {
    const pooler = await startPoolerWithoutNotify(database.url)
    t.after(() => pooler.stop())
    const result = await runCli(['serve'], { ...env, DAILIES_DATABASE_URL: pooler.url, DAILIES_PORT: '0' })
    assert.equal(result.code, 1)
    assert.match(
      result.stderr,
      /^dailies: the database connection does not pass on notifications.*DAILIES_DATABASE_DIRECT_URL/,
    )
  })
})
