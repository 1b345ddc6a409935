// A start whose database comes up late, never, or refuses the role.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import pg from 'pg'
import { startStallableProxy } from '../../support/network/stallable-proxy.ts'
import { createTestDatabase } from '../../support/places/postgres.ts'
import { runCommand } from '../../support/service/command.ts'
import { startProcess } from '../../support/service/process.ts'
import { untilTrue } from '../../support/until.ts'

describe('the database at a start', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  let env: Record<string, string>
  before(async () => {
    database = await createTestDatabase()
    const dataDir = await mkdtemp(join(tmpdir(), 'dailies-late-'))
    env = { DAILIES_DATA: dataDir, DAILIES_DATABASE_URL: database.url }
  })
  after(async () => {
    await database.stop()
    await rm(env.DAILIES_DATA!, { recursive: true, force: true })
  })

  /** As a user of the whole server. */
  async function run(sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }

  /** An address behind which nothing is ready yet. */
  async function startLate(t: TestContext) {
    let refused = 0
    const closing = createServer((socket) => {
      refused++
      socket.destroy()
    })
    closing.listen(0, '127.0.0.1')
    await once(closing, 'listening')
    t.after(() => closing.close())
    const line = await startStallableProxy((closing.address() as AddressInfo).port)
    t.after(line.stop)
    const url = new URL(database.url)
    url.port = String(line.port)
    return {
      env: { ...env, DAILIES_DATABASE_URL: url.href },
      untilRefused: (count: number) => untilTrue('it has been refused', () => refused >= count, 30_000),
      comeUp: () => line.moveTo(Number(new URL(database.url).port)),
    }
  }

  test('serve waits until it is there, and says what for', async (t) => {
    const late = await startLate(t)
    const starting = startProcess(late.env)
    t.after(() => starting.then((service) => service.kill('SIGKILL')))
    await late.untilRefused(2)
    late.comeUp()
    const service = await starting
    assert.equal((await service.api.get('/readyz')).status, 200)
    const said = /"msg":"the database of DAILIES_DATABASE_URL does not respond: [^"]+; it is waited for, up to 1m/g
    assert.equal(service.output().match(said)?.length, 1)
  })

  test('migrate waits too', async (t) => {
    const late = await startLate(t)
    const migrating = runCommand(['migrate'], late.env)
    await late.untilRefused(2)
    late.comeUp()
    const { code, stderr } = await migrating
    assert.equal(code, 0, stderr)
    assert.match(stderr, /^dailies: the database of DAILIES_DATABASE_URL does not respond: .*; it is waited for/)
  })

  test('a database that never comes up, or refuses the password, ends the start with one line', async (t) => {
    const late = await startLate(t)
    const { code, stderr } = await runCommand(['migrate'], { ...late.env, DAILIES_START_WAIT: '1s' })
    assert.equal(code, 1)
    const [first, last, ...more] = stderr.trimEnd().split('\n')
    assert.match(first!, /; it is waited for, up to 1s \(DAILIES_START_WAIT\)$/)
    assert.match(last!, /^dailies: the database of DAILIES_DATABASE_URL does not respond: .*waited for 1s/)
    assert.deepEqual(more, [])
    const nowhere = new URL(database.url)
    nowhere.pathname = '/none'
    const refused = await runCommand(['migrate'], { ...env, DAILIES_DATABASE_URL: nowhere.href })
    assert.match(refused.stderr, /^dailies: [^\n]*"none" does not exist\n$/)
  })

  test('doctor does not wait', async (t) => {
    const late = await startLate(t)
    const { code, stdout } = await runCommand(['doctor', '--json'], late.env)
    assert.equal(code, 1)
    assert.match(stdout, /the database of DAILIES_DATABASE_URL does not respond/)
  })

  test('a role without rights is reported by doctor, and by migrate in one line', async (t) => {
    const role = `poor_${process.pid}`
    await run('revoke create on schema public from public')
    await run(`create role ${role} login`)
    t.after(() => run(`drop owned by ${role}; drop role ${role}`))
    const url = new URL(database.url)
    url.username = role
    const poor = { ...env, DAILIES_DATABASE_URL: url.href }
    const doctor = await runCommand(['doctor', '--json'], poor)
    assert.equal(doctor.code, 1)
    const { checks } = JSON.parse(doctor.stdout) as { checks: { name: string; status: string; message: string }[] }
    const rights = checks.find(({ name }) => name === 'rights')
    assert.equal(rights?.status, 'problem', doctor.stdout)
    assert.match(rights.message, new RegExp(`the role ${role} may not`))
    assert.doesNotMatch(doctor.stdout, /backup/)
    const { code, stderr } = await runCommand(['migrate'], poor)
    assert.equal(code, 1)
    assert.match(
      stderr,
      /^dailies: the role of DAILIES_DATABASE_URL lacks a right: permission denied[^\n]*\nTry: dailies doctor\n$/,
    )
  })
})
