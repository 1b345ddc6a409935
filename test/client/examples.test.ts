// The examples as a reader runs them: copied elsewhere, with the packed client beside them, against a real service.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { Webhook } from 'standardwebhooks'
import { taskBody } from '../support/service/api.ts'
import { untilDelivery } from '../support/service/deliveries.ts'
import { startService, type TestService, testKey } from '../support/service/service.ts'
import { installClient, run, tools } from './support/install-client.ts'

let service: TestService
let folder: string

before(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'dailies-examples-'))
  await installClient(folder)
  await cp(fileURLToPath(new URL('../../examples', import.meta.url)), join(folder, 'examples'), { recursive: true })
  const png = sharp({ create: { width: 64, height: 48, channels: 3, background: '#c63' } }).png()
  await writeFile(join(folder, 'boat.png'), await png.toBuffer())
})
after(async () => {
  await service?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

describe('an image to a video', () => {
  const examples: [string, string[]][] = [
    ['curl', ['bash', 'examples/curl.sh']],
    ['TypeScript', [process.execPath, 'examples/typescript/generate.ts']],
    ['Python', ['python3', 'examples/python/generate.py']],
  ]
  for (const [name, [program, file]] of examples as [string, [string, string]][]) {
    const start = (prompt: string) => {
      const env = { ...process.env, DAILIES_URL: service.url, DAILIES_KEY: testKey }
      return run(program, [file, 'boat.png', prompt, `${name}.mp4`], { cwd: folder, env })
    }

    test(name, async () => {
      const prompt = `a "big" boat\\ by ${name} script: progress 40, wait 200ms`
      const { stdout } = await start(prompt)
      assert.match(stdout, /success 100/)
      const video = await readFile(join(folder, `${name}.mp4`), 'utf8')
      assert.equal(video.slice(video.indexOf('scripted: ')), `scripted: ${prompt}`)
    })

    test(`${name}, when the task fails`, async () => {
      const failure = await start('a boat script: fail The boat sank.').catch((error) => error)
      assert.notEqual(failure.code, 0)
      assert.match(failure.stderr, /The boat sank\./)
    })
  }
})

describe('callbacks', () => {
  let secret: string
  before(async () => {
    secret = (await service.api.get('/api/v1/webhooks/secret')).body.data.secret
  })
  const body = JSON.stringify({
    code: 200,
    msg: 'success',
    data: { taskId: 't1', state: 'success', resultJson: '{"resultUrls":["http://127.0.0.1/v.mp4"]}' },
  })
  const headers = (text: string, at = new Date()) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, text),
  })
  const old = new Date(Date.now() - 3_600_000)

  test('the receiver takes what is signed, once, and refuses the rest', async () => {
    const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' }
    const child = spawn(process.execPath, ['examples/webhook-receiver/receiver.ts'], { cwd: folder, env })
    const lines: string[] = []
    let taskId = ''
    const url = await new Promise<string>((resolve, reject) => {
      createInterface(child.stdout).on('line', (line) => {
        lines.push(line)
        const address = /listening on (\S+)/.exec(line)?.[1]
        if (address) resolve(address)
      })
      child.once('exit', (code) => reject(new Error(`the receiver ended with ${code}`)))
    })
    try {
      const post = async (text: string, signed: Record<string, string>) =>
        (await fetch(url, { method: 'POST', headers: signed, body: text })).status
      assert.equal(await post(body, headers(body)), 204)
      assert.equal(await post(body, headers(body)), 204)
      assert.equal(await post(`${body} `, headers(body)), 401)
      assert.equal(await post(body, headers(body, old)), 401)
      assert.equal(await post(body, {}), 401)
      // And one that the service itself sends.
      const { body: created } = await service.api.post('/api/v1/jobs/createTask', { ...taskBody(), callBackUrl: url })
      taskId = created.data.taskId
      assert.equal((await untilDelivery(service.api, taskId, ['delivered', 'failed'])).state, 'delivered')
    } finally {
      child.kill()
      await once(child, 'close')
    }
    assert.equal(lines.filter((line) => line === 'task t1 success http://127.0.0.1/v.mp4').length, 1)
    assert.equal(lines.filter((line) => line.startsWith('refused')).length, 3)
    assert.equal(lines.filter((line) => line.startsWith(`task ${taskId} success http`)).length, 1)
  })

  test('the Python verifier says the same', async () => {
    const verify = async (text: string, signed: Record<string, string>) => {
      const given = Object.entries(signed).map(([name, value]) => [name.toUpperCase().replaceAll('-', '_'), value])
      const env = { ...process.env, WEBHOOK_SECRET: secret, ...Object.fromEntries(given) }
      return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
        const options = { cwd: folder, env }
        const child = execFile('python3', ['examples/webhook-receiver/verify.py'], options, (error, stdout, stderr) =>
          resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
        )
        child.stdin!.end(text)
      })
    }
    const good = await verify(body, headers(body))
    assert.deepEqual(JSON.parse(good.stdout), JSON.parse(body))
    const both = { ...headers(body), 'webhook-signature': `v1,AAAA v2,x v1,*** ${headers(body)['webhook-signature']}` }
    assert.equal((await verify(body, both)).code, 0)
    assert.match((await verify(`${body} `, headers(body))).stderr, /no signature matches/)
    assert.match((await verify(body, headers(body, old))).stderr, /too far from now/)
    assert.match((await verify(body, {})).stderr, /missing or wrong/)
  })
})

test('the TypeScript examples, and those of the pages of the client and of callbacks, hold under strict checks', async () => {
  const names = ['client.md', 'callbacks.md']
  const pages = await Promise.all(names.map((name) => readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8')))
  const blocks = [...pages.join('\n').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => match[1]!)
  assert.ok(blocks.length >= 6)
  const files = ['examples/typescript/generate.ts', 'examples/webhook-receiver/receiver.ts']
  for (const [index, block] of blocks.entries()) {
    await writeFile(join(folder, `block-${index}.ts`), block)
    files.push(`block-${index}.ts`)
  }
  const types = ['--typeRoots', join(tools, '..', '@types'), '--types', 'node']
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--skipLibCheck', ...types]
  await run(join(tools, 'tsc'), ['--ignoreConfig', ...options, ...files], { cwd: folder }).catch((error) =>
    assert.fail(error.stdout || error.message),
  )
})

test('the Python lines of the client’s page verify what is signed', async () => {
  const page = await readFile(new URL('../../docs/client.md', import.meta.url), 'utf8')
  const lines = /^```python\n([\s\S]*?)^```$/m.exec(page)![1]!
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const at = new Date()
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': `v1,AAAA ${new Webhook(secret).sign('msg_1', at, '{}')}`,
  }
  for (const [body, verdict] of [
    ['{}', 'True True'],
    ['{ }', 'False True'],
  ] as const) {
    const script = [
      'import base64, hashlib, hmac, json, sys, time',
      'secret, headers, body = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3].encode()',
      lines,
      'print(is_genuine, is_recent)',
    ].join('\n')
    const { stdout } = await run('python3', ['-c', script, secret, JSON.stringify(headers), body])
    assert.equal(stdout.trim(), verdict)
  }
})
