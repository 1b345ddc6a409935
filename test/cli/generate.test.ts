// dailies generate: against a server that it is given, one that it finds, and one of its own.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { omniModel } from '../../client/src/public.ts'
import { barText, createProgressLine, durationText, lineText } from '../../src/cli/terminal/progress-line.ts'
import { commandJson, runCommand } from '../support/service/command.ts'
import { mainFor, runCli, type ServiceProcess, startProcess } from '../support/service/process.ts'
import { testKey } from '../support/service/service.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
let folder: string
let image: string
let service: ServiceProcess

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dailies-test-'))
  image = join(folder, 'boat.png')
  await writeFile(image, await picture())
  service = await startProcess({ DAILIES_DATA: join(folder, 'data') })
})
after(async () => {
  await service?.kill('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

const picture = () =>
  sharp({ create: { width: 320, height: 240, channels: 3, background: '#c63' } })
    .composite([
      { input: Buffer.from('<svg width="90" height="90"><circle cx="45" cy="45" r="40" fill="#fff"/></svg>') },
    ])
    .png()
    .toBuffer()

let count = 0
const newOut = () => join(folder, `video-${++count}.mp4`)
const generate = (prompt: string, out: string, ...more: string[]) => [
  'generate',
  '--image',
  image,
  '--prompt',
  prompt,
  '--out',
  out,
  ...more,
]
const atServer = () => ['--url', service.url, '--key', testKey]
/** A data folder and port of its own; none of the settings of the machine. */
const alone = (name: string) => ({
  DAILIES_DATA: join(folder, name),
  DAILIES_PORT: '1',
  TEST_ENGINE: 'scripted',
  DAILIES_API_KEY: '',
})

describe('dailies generate', () => {
  test('at a given server: lines of progress on stderr, the video in the file', async () => {
    const out = newOut()
    const prompt = 'a boat script: progress 40, wait 500ms'
    const { code, stdout, stderr } = await runCommand(generate(prompt, out, ...atServer()))
    assert.equal(code, 0, stderr)
    assert.match(await readFile(out, 'latin1'), /^.{4}ftypisom.*scripted: a boat/s)
    assert.match(stdout, /^Saved .*video-1\.mp4 \(.*, 42 credits\)\.\n$/)
    assert.match(stderr, /^Generating: 40 %(, \d s left)?$/m)
    assert.match(stderr, /^Done$/m)
    assert.equal(stderr.includes('\r'), false)
  })

  test('with --json prints one document and nothing else', async () => {
    const out = newOut()
    const flags = ['--model', omniModel, '--duration', '4', '--resolution', '1080p', '--audio', '--tail-image', image]
    const { code, stdout, stderr } = await runCommand(generate('a boat', out, ...atServer(), ...flags, '--json'))
    assert.equal(code, 0, stderr)
    assert.equal(stderr, '')
    const made = JSON.parse(stdout)
    assert.equal(made.out, out)
    assert.equal(made.state, 'success')
    assert.equal(made.creditsConsumed, 4 * 23)
    assert.deepEqual(made.ignoredFields, [])
    assert.equal((await readFile(out)).length, made.bytes)
    const { param } = await service.api.record(made.taskId)
    const { model, input } = JSON.parse(String(param))
    assert.equal(model, omniModel)
    assert.equal(input.image_urls.length, 2)
    assert.equal(input.audio, true)
  })

  test('finds the server that runs here and makes itself a key for an hour', async () => {
    const out = newOut()
    const env = {
      DAILIES_DATA: join(folder, 'data'),
      // Not the server's: its own setting is not known here.
      DAILIES_PORT: '1',
      DAILIES_HOST: '127.0.0.1',
      DAILIES_API_KEY: '',
    }
    const { taskId } = await commandJson(generate('a boat', out), env)
    assert.equal((await service.api.record(taskId)).state, 'success')
    const { items } = await commandJson(['keys', 'list'], env)
    const key = items.find(({ name }: { name: string }) => name === 'command line')
    assert.equal(key.expiresAt - key.createdAt, 3_600_000)
    assert.equal(key.operator, false)
  })

  test('runs the service by itself when none runs, and shows a first key once', async () => {
    const out = newOut()
    const first = await runCli(generate('a boat', out), alone('alone'))
    assert.equal(first.code, 0, first.stderr)
    assert.match(first.stdout, /^A first API key was made: dk_\w+ /)
    assert.match(await readFile(out, 'latin1'), /ftyp/)
    const second = await runCli([...generate('a boat', out, '--resolution', '4k'), '--json'], alone('alone'))
    assert.equal(second.stderr, '')
    assert.deepEqual(JSON.parse(second.stdout).ignoredFields, ['input.resolution'])
    assert.equal(
      (await readdir(folder)).some((name) => name.endsWith('.part')),
      false,
    )
  })
})

describe('Ctrl-C', () => {
  for (const [where, flags, env] of [
    ['at a server', atServer, () => ({})],
    ['by itself', () => [], () => alone('interrupted')],
  ] as const) {
    test(`cancels the task and exits with 130, ${where}`, async () => {
      const args = generate('a boat script: progress 30, stall', newOut(), ...flags())
      const child = spawn(process.execPath, [mainFor(env()), ...args], { env: { ...process.env, ...env() } })
      let stdout = ''
      let stderr = ''
      child.stdout.on('data', (chunk) => {
        stdout += chunk
      })
      child.stderr.on('data', (chunk) => {
        stderr += chunk
        if (!child.killed && /Generating/.test(stderr)) child.kill('SIGINT')
      })
      const [code] = await once(child, 'close')
      assert.equal(code, 130, stderr)
      assert.match(stdout, /Canceled; nothing was charged\.\n$/)
    })
  }

  test('left the task canceled and free', async () => {
    const { items } = await commandJson(['ledger', 'list'], alone('interrupted'))
    assert.equal(items.filter(({ kind }: { kind: string }) => kind === 'release').length, 1)
    const { body } = await service.api.get('/api/v1/jobs/list?state=fail')
    assert.equal(body.data.items[0].failReason, 'canceled')
  })
})

describe('mistakes', () => {
  const cases: [string, string[], number, RegExp][] = [
    ['no --prompt', ['--image', 'x', '--out', 'y'], 2, /generate needs --prompt/],
    ['no such file', ['--image', 'nowhere.png', '--prompt', 'p', '--out', 'y'], 1, /there is no file nowhere\.png/],
    ['a folder', ['--image', '.', '--prompt', 'p', '--out', 'y'], 1, /\. is not a file/],
    ['not an image', ['--image', main, '--prompt', 'p', '--out', 'y'], 1, /main\.ts is .*; it must be a JPEG or PNG/],
  ]
  for (const [what, args, exitCode, words] of cases) {
    test(`${what} is reported in one line`, async () => {
      const { code, stderr, stdout } = await runCommand(['generate', ...args], { DAILIES_LOG_LEVEL: 'nonsense' })
      assert.equal(code, exitCode)
      assert.match(stderr, words)
      assert.equal(stdout, '')
    })
  }

  test('what the server says is printed in one line', async () => {
    const nowhere = join(folder, 'nowhere', 'a.mp4')
    const refused: [string[], RegExp][] = [
      [generate('p', nowhere, ...atServer()), /there is no folder .*nowhere for --out/],
      [generate('p', folder, ...atServer()), /--out .* is a folder/],
      [
        generate('p', newOut(), '--url', 'http://127.0.0.1:1', '--key', 'k'),
        /no server responds at http:\/\/127\.0\.0\.1:1/,
      ],
      [generate('p', newOut(), '--url', service.url, '--key', 'wrong'), /does not know this key; give one of its keys/],
      [
        generate('p', newOut(), ...atServer(), '--duration', '7'),
        /refused \(422\): input\.duration: must be "5" or "10"/,
      ],
      [generate('p', newOut(), ...atServer(), '--model', 'none'), /refused \(422\): model: /],
    ]
    for (const [args, words] of refused) {
      const { code, stdout, stderr } = await runCommand([...args, '--json'])
      assert.equal(code, 1, stderr)
      assert.match(stderr, words)
      assert.equal(stderr.trim().split('\n').length, 1)
      assert.equal(stdout, '')
    }
  })

  test('a task that fails is reported in one line, or as its record with --json', async () => {
    const args = generate('p script: fail The boat sank.', newOut(), ...atServer())
    const { code, stdout, stderr } = await runCommand([...args, '--json'])
    assert.equal(code, 1, stderr)
    assert.match(stderr, /^dailies: the task failed: The boat sank\. \(.*\)\n$/)
    const { state, failMsg } = JSON.parse(stdout)
    assert.deepEqual([state, failMsg], ['fail', 'The boat sank.'])
  })
})

describe('the line of progress', () => {
  const state = { state: 'generating', progress: 50, queuePosition: null, timeLeftMs: 7500 } as const

  test('is drawn over itself on a terminal', () => {
    let screen = ''
    const line = createProgressLine({ isTTY: true, write: (text) => (screen += text) })
    line.show(state)
    line.end()
    assert.equal(screen, `\r${barText(state)}\x1b[K\r\x1b[K`)
    assert.equal(barText(state), 'Generating          [████████████            ]  50 %  8 s left')
  })

  test('says the place in the queue, and times as people do', () => {
    const queued = { ...state, state: 'queueing', progress: 0, timeLeftMs: null } as const
    assert.equal(lineText({ ...queued, queuePosition: 1 }), 'Queueing: next in line')
    assert.equal(lineText({ ...queued, queuePosition: 12 }), 'Queueing: number 12 in line')
    const estimated = { ...queued, queuePosition: 2, timeLeftMs: 61_000 }
    assert.equal(lineText(estimated), 'Queueing: number 2 in line, about 1 min 1 s left')
    assert.equal(lineText({ ...queued, state: 'wait' }), 'Checking the image')
    assert.match(barText({ ...queued, queuePosition: 3 }), /^Queueing +\[ {24}\] {2}number 3 in line$/)
    assert.deepEqual([400, 59_900, 61_000, 3_700_000].map(durationText), ['1 s', '1 min 0 s', '1 min 1 s', '1 h 1 min'])
  })
})
