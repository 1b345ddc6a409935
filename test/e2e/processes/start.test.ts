// Starting: what is printed, who gets a key, and that a mistake of the operator's is one clear line and exit code 1.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { loadConfig, ownUrl } from '../../../src/config.ts'
import { OperatorError } from '../../../src/platform/errors.ts'
import { databases } from '../../support/places/places.ts'
import { createApi } from '../../support/service/api.ts'
import { commandJson, runCommand } from '../../support/service/command.ts'
import { runCli, startProcess } from '../../support/service/process.ts'

describe('starting', () => {
  let root = ''
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'dailies-start-'))
  })
  after(() => rm(root, { recursive: true, force: true }))

  /**
   * Runs `serve` with settings that must stop it, and returns its one line. In this process, unless `run` starts one: a
   * process takes a second of the processor.
   */
  async function refusal(env: Record<string, string>, run = runCommand): Promise<string> {
    const umask = process.umask()
    const settings = { DAILIES_PORT: '0', DAILIES_DATA: join(root, 'x'), DAILIES_START_WAIT: '0s', ...env }
    const { code, stdout, stderr } = await run(['serve'], settings).finally(() => process.umask(umask))
    assert.equal(code, 1, stdout + stderr)
    assert.equal(stdout, '')
    assert.match(stderr, /^dailies: [^\n]+\n$/)
    return stderr
  }

  test('a new installation prints its address, its key once, and a call that works', async () => {
    const dataDir = join(root, 'new')
    // A start that fails must not use up the key, which can be shown only once.
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    await refusal({ DAILIES_DATA: dataDir, DAILIES_API_KEY: '', DAILIES_PORT: String(port) })
    taken.close()
    const first = await startProcess({ DAILIES_DATA: dataDir, DAILIES_API_KEY: '', DAILIES_PROT: '80' })
    const output = first.output()
    assert.match(output, /"host":"[^"]+","pid":\d+,"role":"server","release":"\d+\.\d+\.\d+"/)
    assert.match(output, /"msg":"DAILIES_PROT is not a setting; did you mean DAILIES_PORT\?"/)
    assert.match(output, /^Dailies listens on http:\/\/127\.0\.0\.1:\d+$/m)
    const key = /^API key: (\S+)/m.exec(output)?.[1]
    assert.match(key!, /^dk_\w+$/)
    assert.match(output, /curl http:\/\/127\.0\.0\.1:\d+\/\S+ /)
    assert.equal((await createApi(first.url, key!).get('/api/v1/account/credit')).body.data, 1_000_000)
    assert.equal((await createApi(first.url, key!).get('/api/v1/operator/status')).status, 200)
    assert.equal(await first.kill('SIGTERM'), 0)

    const again = await startProcess({ DAILIES_DATA: dataDir, DAILIES_API_KEY: '' })
    assert.doesNotMatch(again.output(), /dk_/)
    assert.equal((await createApi(again.url, key!).get('/api/v1/account/credit')).status, 200)
    assert.equal(await again.kill('SIGINT'), 0)
    const replacement = /^A lost key is replaced by: npx dailies keys create --account default --operator$/m
    assert.doesNotMatch(first.output(), replacement)
    assert.match(again.output(), replacement)
  })

  test('how a lost key is replaced names an account only if it exists', async () => {
    const env = { DAILIES_DATA: join(root, 'no-default'), DAILIES_API_KEY: '' }
    await commandJson(['accounts', 'create', 'studio'], env)
    const service = await startProcess(env)
    const help = /^A lost key is replaced by: npx dailies (keys create .*)$/m.exec(service.output())?.[1]
    assert.equal(help, 'keys create --account NAME --operator (accounts list shows the names)')
    assert.equal(await service.kill('SIGTERM'), 0)
  })

  test('with a key of the operator no key is printed, and a second server is refused', async () => {
    const dataDir = join(root, 'own-key')
    const service = await startProcess({ DAILIES_DATA: dataDir, DAILIES_API_KEY: 'short', DAILIES_LOG_LEVEL: 'debug' })
    try {
      assert.equal((await createApi(service.url, 'short').get('/api/v1/account/credit')).status, 200)
      const line = await refusal({ DAILIES_DATA: dataDir }, runCli)
      assert.match(line, /another server already runs on the data folder .*DAILIES_DATA/)
      assert.equal((await service.api.get('/api/v1/account/credit')).status, 200)
    } finally {
      assert.equal(await service.kill('SIGTERM'), 0)
    }
    assert.doesNotMatch(service.output(), /API key: |Bearer short|lost key/)
    // In quotes in which a shell puts the key in its place.
    assert.match(service.output(), /curl \S+ -H "Authorization: Bearer \$DAILIES_KEY"/)
  })

  test('a server whose port is set only for itself is found by commands on its data folder', async () => {
    const dataDir = join(root, 'other-port')
    const commands = { DAILIES_DATA: dataDir, DAILIES_PORT: '1', DAILIES_API_KEY: '' }
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const service = await startProcess({ DAILIES_DATA: dataDir })
      try {
        assert.deepEqual((await commandJson(['tasks', 'list'], commands)).items, [])
        const { checks } = await commandJson(['doctor'], commands)
        const server = checks.find(({ name }: { name: string }) => name === 'server')
        assert.equal(server.message, `responds on ${service.url}`)
      } finally {
        await service.kill(signal)
      }
      const { stderr } = await runCommand(['tasks', 'list'], commands)
      assert.match(stderr, /^dailies: no server runs here/)
    }
  })

  test('a server that listens on all addresses prints one that reaches it', () => {
    const hosts = ['127.0.0.1', '0.0.0.0', '::', '::1', '[::1]', 'films.example']
    assert.deepEqual(
      hosts.map((host) => ownUrl({ host, port: 8080 })),
      ['127.0.0.1', '127.0.0.1', '[::1]', '[::1]', '[::1]', 'films.example'].map((host) => `http://${host}:8080`),
    )
  })

  test('a port that is taken is reported, whatever the database', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    for (const { create } of databases) {
      const place = await create()
      const line = await refusal({ ...place.env, DAILIES_PORT: String(port) }, runCli)
      assert.match(line, new RegExp(`port ${port} is taken by another program; set DAILIES_PORT`))
      await place.stop()
    }
    taken.close()
  })

  test('places that cannot be used are reported by the name of their setting', async () => {
    const file = join(root, 'a-file')
    await writeFile(file, 'not a folder')
    assert.match(await refusal({ DAILIES_DATA: file }), /DAILIES_DATA/)
    assert.match(await refusal({ DAILIES_DATA: '/dev/null/data' }), /DAILIES_DATA/)
    // Where not even root may create a folder.
    if (process.platform === 'linux') assert.match(await refusal({ DAILIES_DATA: '/proc/data/here' }), /DAILIES_DATA/)
    assert.match(await refusal({ DAILIES_DATABASE_URL: 'postgres://127.0.0.1:1/none' }), /DAILIES_DATABASE_URL/)
    assert.match(await refusal({ DAILIES_HOST: 'no-such-host.invalid' }), /DAILIES_HOST/)
    const garbage = join(root, 'garbage')
    await mkdir(garbage)
    await writeFile(join(garbage, 'dailies.sqlite'), 'this is no database, but long enough to look like one'.repeat(99))
    assert.match(await refusal({ DAILIES_DATA: garbage }), /not a database/)
  })

  test('a bad value is refused with its name and what is allowed', async () => {
    const bad: Record<string, string[]> = {
      DAILIES_PORT: ['x', '-1', '65536', '80.5'],
      PORT: ['x'],
      DAILIES_PUBLIC_URL: ['example.com', 'ftp://example.com', 'https://example.com?x=1', 'https://a:b@example.com'],
      DAILIES_DATABASE_URL: [
        'mysql://x',
        'x',
        'postgres://a,b/dailies',
        'postgres://u:p@a:1,b:2/dailies',
        'postgres://u:a/b@c/d',
      ],
      DAILIES_STORAGE_URL: ['/folder', 's3://'],
      DAILIES_API_KEY: ['with space', 'ünïcode'],
      DAILIES_CELL: ['EU', 'ninechars', 'a-b', 'test'],
      DAILIES_CREDITS: ['-1', '1.5', 'many', '1000000000001'],
      DAILIES_VIDEO_TTL: ['14', '14 days', '0s', '-1d', '36501d'],
      DAILIES_RECORD_TTL: ['x', '1s'],
      DAILIES_UPSTREAM_SILENCE: ['x', '1ms'],
      DAILIES_START_WAIT: ['x', '2d'],
      DAILIES_STOP_GRACE: ['x', '2d'],
      DAILIES_QUEUE_TIMEOUT: ['x'],
      DAILIES_WEBHOOK_DELAYS: ['1s,x', '5'],
      DAILIES_RATE_LIMIT: ['0/10s', '10', '10/', 'x'],
      DAILIES_RENDER_SLOTS: ['0', 'x', '100000'],
      DAILIES_MODERATION: ['maybe'],
      DAILIES_ALLOW_PRIVATE_NETWORK: ['maybe', '10.0.0.0/99'],
      DAILIES_UPLOAD_QUOTA: ['x'],
      DAILIES_OPEN_TASKS: ['0'],
      DAILIES_SYNC_WAIT: ['x', '40d'],
      DAILIES_DEFAULT_MODEL: ['x'],
      DAILIES_SECRET_KEY: ['x', 'none,x'],
      OTEL_TRACES_SAMPLER: ['often'],
      OTEL_TRACES_SAMPLER_ARG: ['2', 'x'],
      DAILIES_LOG_LEVEL: ['loud'],
      DAILIES_CORS_ORIGINS: ['example.com', 'https://example.com/path'],
    }
    for (const [name, values] of Object.entries(bad)) {
      for (const value of values) {
        assert.throws(
          () => loadConfig({ [name]: value }),
          (error: Error) =>
            error instanceof OperatorError && error.message.startsWith(`${name} `) && !/\n/.test(error.message),
          `${name}=${value}`,
        )
      }
    }
    assert.throws(() => loadConfig({ DAILIES_HOST: '0.0.0.0', DAILIES_API_KEY: 'short' }), /DAILIES_API_KEY .*16/)
    const ofOther = { DAILIES_CELL: 'a', DAILIES_API_KEY: 'dk_b_of-another-cell' }
    assert.throws(() => loadConfig(ofOther), /^Error: DAILIES_API_KEY is a key of the cell b, but DAILIES_CELL is a$/)
    assert.match(await refusal({ DAILIES_RENDER_SLOTS: 'x' }), /DAILIES_RENDER_SLOTS must be a whole number/)
    assert.match(await refusal({ DAILIES_CONFIG: join(root, 'none.json') }), /DAILIES_CONFIG must name a file/)
  })
})
