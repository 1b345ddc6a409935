// The commands that talk to a server: login, tasks, and operator commands from afar.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { omniModel } from '../../client/src/public.ts'
import { videoFileName } from '../../client/src/records.ts'
import { proseTable, table } from '../../src/cli/terminal/print.ts'
import type { Param } from '../../src/db/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { editDistance, nearest } from '../../src/schema/nearest.ts'
import { commandJson, runCommand } from '../support/service/command.ts'
import { startService, type TestService, testKey } from '../support/service/service.ts'

let service: TestService
let folder: string
let env: Record<string, string>

before(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'dailies-cli-'))
  env = {
    XDG_CONFIG_HOME: join(folder, 'config'),
    DAILIES_DATA: join(folder, 'nothing-here'),
    DAILIES_API_KEY: '',
    DAILIES_KEY: '',
    DAILIES_URL: '',
  }
  const png = sharp({ create: { width: 64, height: 48, channels: 3, background: '#c63' } }).png()
  for (const name of ['a.png', 'b.png']) await writeFile(join(folder, name), await png.toBuffer())
})
after(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

test('without a server, commands say so and create no data folder', async () => {
  const { code, stderr } = await runCommand(['tasks', 'list'], env)
  assert.deepEqual(
    [code, stderr],
    [1, 'dailies: no server runs here; start one with npm start, or name one with --url or dailies login\n'],
  )
  assert.equal((await readdir(folder)).includes('nothing-here'), false)
})

describe('a saved login', () => {
  test('is refused with a wrong key, kept for its owner alone, and used by the commands after it', async () => {
    const wrong = await runCommand(['login', service.url, '--key', 'wrong'], env)
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /does not know this key/)
    const homeless = { ...env, XDG_CONFIG_HOME: '/dev/null' }
    const unsaved = await runCommand(['login', service.url, '--key', testKey], homeless)
    assert.equal(unsaved.code, 1)
    assert.match(
      unsaved.stderr,
      /^dailies: \/dev\/null\/dailies\/login\.json cannot be written \(\w+\); set DAILIES_URL/,
    )
    const { savedTo } = await commandJson(['login', service.url, '--key', testKey], env)
    assert.equal((await stat(savedTo)).mode & 0o777, 0o600)
    assert.deepEqual((await commandJson(['tasks', 'list'], env)).items, [])
    assert.equal((await readdir(folder)).includes('nothing-here'), false)
  })

  test('gives way to DAILIES_URL and DAILIES_KEY, and those to flags', async () => {
    const elsewhere = { ...env, DAILIES_URL: 'http://127.0.0.1:1', DAILIES_KEY: 'k' }
    assert.match(
      (await runCommand(['tasks', 'list'], elsewhere)).stderr,
      /no server responds at http:\/\/127\.0\.0\.1:1/,
    )
    assert.match(
      (await runCommand(['tasks', 'list', '--url', service.url], elsewhere)).stderr,
      /does not know this key/,
    )
    await commandJson(['tasks', 'list', '--url', service.url, '--key', testKey], elsewhere)
  })

  test('is made of DAILIES_URL and DAILIES_KEY without a terminal, which keys list honours too', async () => {
    const named = { ...env, XDG_CONFIG_HOME: join(folder, 'other'), DAILIES_URL: service.url, DAILIES_KEY: testKey }
    const { url, savedTo } = await commandJson(['login'], named)
    assert.equal(url, service.url)
    assert.equal(JSON.parse(await readFile(savedTo, 'utf8')).key, testKey)
    assert.deepEqual((await commandJson(['keys', 'list'], named)).items, [])
    assert.equal((await readdir(folder)).includes('nothing-here'), false)
  })
})

test('a command on the database makes none while DAILIES_URL names a server', async () => {
  const { code, stderr } = await runCommand(['accounts', 'list'], { ...env, DAILIES_URL: service.url })
  assert.equal(code, 1)
  assert.match(stderr, /^dailies: there is no database .*dailies\.sqlite\. For the server of DAILIES_URL, add --remote/)
  assert.equal((await readdir(folder)).includes('nothing-here'), false)
})

test('a command without a key says that the server needs one, and makes no database', async () => {
  const expected = `dailies: the server at ${service.url} needs a key: name one with --key, DAILIES_KEY or dailies login\n`
  const named = { ...env, XDG_CONFIG_HOME: join(folder, 'no-login'), DAILIES_URL: service.url }
  for (const [command, environment] of [
    [['tasks', 'list'], named],
    [['keys', 'list', '--remote'], named],
    [['tasks', 'list', '--url', service.url], { ...named, DAILIES_URL: '' }],
  ] as const) {
    const { code, stderr } = await runCommand([...command], environment)
    assert.deepEqual([code, stderr], [1, expected])
  }
  assert.equal((await readdir(folder)).includes('nothing-here'), false)
})

test('tasks share makes a link, lists it and revokes it', async () => {
  const taskId = await service.api.createTask('shared script: wait 10ms')
  await service.api.until(taskId, ['success'])
  const task = ['tasks', 'share', taskId]
  const link = await commandJson([...task, '--for', '1d'], env)
  assert.equal((await fetch(link.url)).status, 200)
  assert.ok(link.expiresAt - link.createdAt <= 86_400_000)
  assert.deepEqual(
    (await commandJson([...task, '--list'], env)).items.map(({ id }: { id: string }) => id),
    [link.id],
  )
  await commandJson([...task, '--revoke', link.id], env)
  assert.equal((await fetch(link.url)).status, 404)
  assert.match((await runCommand([...task, '--for', 'ages'], env)).stderr, /--for must be a duration/)
  await service.api.delete(`/api/v1/jobs/${taskId}`)
})

describe('tasks', () => {
  let taskId: string

  test('generate --detach takes shots, subjects and a callback, and files of a JSON file', async () => {
    const request = {
      model: omniModel,
      input: { prompt: 'not this', image_url: [join(folder, 'a.png')], resolution: '1080p' },
    }
    await writeFile(join(folder, 'request.json'), JSON.stringify(request))
    const parts = [join(folder, 'a.png'), join(folder, 'b.png')].join(',')
    const args = ['--input', join(folder, 'request.json'), '--prompt', '@dog at sea script: wait 10ms', '--audio']
    const more = ['--shot', '2:wide', '--shot', '3s: close', '--element', `dog:${join(folder, 'a.png')}:${parts}`]
    taskId = (await commandJson(['generate', ...args, ...more, '--callback', 'http://127.0.0.1:1/x', '--detach'], env))
      .taskId
    const task = await service.api.until(taskId, ['success'])
    const { model, input, callBackUrl } = JSON.parse(String(task.param))
    assert.equal(model, omniModel)
    assert.equal(callBackUrl, 'http://127.0.0.1:1/x')
    assert.equal(input.resolution, '1080p')
    assert.equal(input.audio, true)
    assert.match(input.image_urls[0], /\/files\//)
    assert.equal(input.elements[0].element_input_urls.length, 2)
    for (const url of input.elements[0].element_input_urls) assert.match(url, /\/files\//)
    // Only in fields that name files is a path replaced by its upload.
    assert.equal(input.elements[0].description, join(folder, 'a.png'))
    assert.deepEqual(input.multi_prompt, [
      { duration: 2, prompt: 'wide' },
      { duration: 3, prompt: 'close' },
    ])
  })

  test('list, get, watch, download, extend, cancel and delete', async () => {
    const { items } = await commandJson(['tasks', 'list', '--state', 'success'], env)
    assert.deepEqual(
      items.map((task: { taskId: string }) => task.taskId),
      [taskId],
    )
    assert.match((await runCommand(['tasks', 'list'], env)).stdout, /ID +STATE +TOOK .*\n.*success .*wide \/ close/)
    assert.match((await runCommand(['tasks', 'get', taskId], env)).stdout, /^State {4}success\n[\s\S]*^Video {4}http/m)
    assert.equal((await commandJson(['tasks', 'watch', taskId], env)).state, 'success')
    const end = taskId.slice(-8)
    for (const named of [end, end.toUpperCase(), taskId.slice(-20)])
      assert.equal((await commandJson(['tasks', 'get', named], env)).taskId, taskId)
    const nowhere = await runCommand(['tasks', 'get', '00000000'], env)
    assert.equal(nowhere.stderr, 'dailies: there is no task whose id ends with 00000000\n')
    const row = await service.app.db.one<Record<string, Param>>('select * from tasks where id = ?', [taskId])
    const twin = newId(Date.now()).slice(0, -8) + end
    await service.app.db.insert('tasks', [{ ...row, id: twin }])
    const two = await runCommand(['tasks', 'delete', end], env)
    assert.equal(two.stderr, `dailies: more than one task has an id that ends with ${end}: ${twin}, ${taskId}\n`)
    await service.app.db.run('delete from tasks where id = ?', [twin])
    const atServer = ['--url', service.url, '--key', testKey]
    assert.equal((await commandJson(['ledger', 'list', '--task', end, ...atServer], env)).items[0].taskId, taskId)
    const out = join(folder, 'dog.mp4')
    const saved = await commandJson(['tasks', 'download', taskId, '--out', out], env)
    assert.equal((await readFile(out)).length, saved.bytes)
    const next = await commandJson(['tasks', 'extend', taskId, '--prompt', 'on script: progress 10, stall'], env)
    await service.api.until(next.taskId, ['generating'])
    assert.equal((await commandJson(['tasks', 'cancel', next.taskId], env)).state, 'fail')
    const none = await runCommand(['tasks', 'list', '--limit', '0'], env)
    assert.deepEqual([none.code, none.stdout], [2, ''])
    assert.match(none.stderr, /--limit must be at least 1/)
    const listed = await runCommand(['tasks', 'list', '--limit', '1'], env)
    assert.match(listed.stdout, /canceled/)
    const failed = await runCommand(['tasks', 'watch', next.taskId], env)
    assert.equal(failed.code, 1)
    assert.match(failed.stderr, /the task failed: /)
    const asJson = await runCommand(['tasks', 'watch', next.taskId, '--json'], env)
    const { state, failReason } = JSON.parse(asJson.stdout)
    assert.deepEqual([asJson.code, state, failReason], [1, 'fail', 'canceled'])
    await commandJson(['tasks', 'delete', next.taskId], env)
    assert.match((await runCommand(['tasks', 'get', next.taskId], env)).stderr, /the server responded with 404/)
  })

  test('generate takes the frames of a JSON file that was written for another model', async () => {
    const frames = { image_url: join(folder, 'a.png'), tail_image_url: join(folder, 'b.png') }
    await writeFile(join(folder, 'turbo.json'), JSON.stringify({ prompt: 'it moves script: wait 10ms', ...frames }))
    const args = ['generate', '--input', join(folder, 'turbo.json'), '--model', omniModel, '--detach']
    const { taskId: id } = await commandJson(args, env)
    const { param } = await service.api.record(id)
    const { input } = JSON.parse(String(param))
    assert.equal(input.image_urls.length, 2)
    for (const url of input.image_urls) assert.match(url, /\/files\//)
    await service.api.until(id, ['success'])
  })
})

describe('operator commands at a server', () => {
  test('say the same as at the database', async () => {
    const remote = (...args: string[]) => commandJson([...args, '--remote'], env)
    assert.equal((await remote('accounts', 'list')).items[0].name, 'default')
    const made = await remote('accounts', 'create', 'far away', '--credits', '7')
    assert.deepEqual([made.account, made.balance], ['far away', 7])
    assert.match(made.key, /^dk_/)
    const withdrawn = await runCommand(['accounts', 'credit', 'far away', '-5', '--remote'], env)
    assert.equal(withdrawn.code, 2)
    assert.match(withdrawn.stderr, /withdrawn without --remote/)
    const { balance } = await remote('accounts', 'credit', 'default', '5')
    assert.equal(typeof balance, 'number')
    assert.deepEqual(await remote('maintenance', 'on'), { maintenance: true })
    assert.deepEqual(await remote('maintenance', 'off'), { maintenance: false })
    assert.deepEqual(await remote('features', 'disable', '4k'), { name: '4k', enabled: false })
    assert.deepEqual(await remote('features', 'enable', '4k'), { name: '4k', enabled: true })
    const { id } = await remote('keys', 'create', '--name', 'far', '--credit-limit', '5')
    const [listed] = (await remote('keys', 'list')).items
    assert.equal(listed.id, id)
    assert.ok(!Object.values(listed).includes('-'), 'no dash stands for what the server does not say')
    const ofAccount = (await remote('keys', 'list', '--account', 'default')).items
    assert.deepEqual(
      ofAccount.map((key: Record<string, unknown>) => [key.account, key.parentId === null]),
      [
        ['default', true],
        ['default', false],
      ],
    )
    assert.equal((await remote('keys', 'revoke', id)).revoked, true)
    assert.ok((await remote('ledger', 'list', '--limit', '1')).items[0].kind)
    assert.match((await remote('webhooks', 'secret')).secret, /^whsec_/)
    assert.equal((await remote('webhooks', 'list')).items.length, 1)
  })
})

test('bash completes commands, verbs and flags', async () => {
  const { stdout: script } = await runCommand(['completion', 'bash'], env)
  const complete = (...words: string[]) =>
    new Promise<string[]>((resolve, reject) => {
      const line = `${script}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _dailies; echo "\${COMPREPLY[@]}"`
      execFile('bash', ['-c', line], (error, stdout) => (error ? reject(error) : resolve(stdout.trim().split(' '))))
    })
  assert.deepEqual(await complete('dailies', 'gen'), ['generate'])
  assert.deepEqual(await complete('dailies', 'tasks', 'd'), ['delete', 'download'])
  assert.deepEqual(await complete('dailies', 'tasks', 'list', '--st'), ['--state'])
  assert.deepEqual(await complete('dailies', 'doctor', '--j'), ['--json'])
  // Flags that many commands share are completed like their own.
  assert.deepEqual(await complete('dailies', 'tasks', 'get', '--u'), ['--url'])
  assert.deepEqual(await complete('dailies', 'accounts', 'list', '--re'), ['--remote'])
})

test('a similar word is suggested, another one is not', () => {
  assert.equal(nearest('genrate', ['generate', 'ledger']), 'generate')
  assert.equal(nearest('nonsense', ['generate', 'ledger']), null)
  assert.equal(editDistance('kitten', 'sitting'), 3)
})

test('control characters in a prompt do not reach the terminal', async () => {
  const taskId = await service.api.createTask('\x1b]0;owned\x07\x9b31m \u202e script: fail engine_failed')
  await service.api.until(taskId, ['success', 'fail'])
  for (const args of [
    ['tasks', 'list', '--limit', '1'],
    ['tasks', 'get', taskId],
  ]) {
    const { stdout } = await runCommand(args, env)
    assert.match(stdout, /owned/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
    assert.doesNotMatch(stdout, /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/)
  }
})

test('a table cuts text, not numbers, to fit the terminal', () => {
  const text = table(
    ['NAME', 'CREDITS', 'PROMPT'],
    [['studio', 1000, 'a long prompt that does not fit the terminal at all']],
    40,
  )
  assert.ok(
    text.split('\n').every((line) => line.length <= 40),
    text,
  )
  assert.match(text, /1000 {2}a long prompt.*…$/)
})

test('a table is aligned and cut by the columns that a terminal draws, and no character is divided', () => {
  const rows = (name: string) => table(['NAME', 'STATE'], [[name, 'fail']]).split('\n')[1]!
  for (const [name, columns] of [
    ['ボート', 6],
    ['한국어', 6],
    ['ﾎﾞｰﾄ', 4],
    ['🚣‍♀️', 2],
    ['❤️ 🇯🇵', 5],
    ['e\u0301te\u0301', 3],
    ['a\u200bb', 2],
    ['นี้', 1],
  ] as const) {
    assert.equal(rows(name), `${name}${' '.repeat(Math.max(4, columns) - columns)}  fail`)
  }
  const cut = (text: string) => table(['PROMPT'], [[text]], 10).split('\n')[1]
  assert.equal(cut('ゆっくりと近づく'), 'ゆっくり…')
  assert.equal(cut('12345678👨‍👩‍👧 and more'), '12345678…')
  assert.equal(cut('1234567👨‍👩‍👧 and more'), '1234567👨‍👩‍👧…')
  assert.equal(cut('ゆっくりと'), 'ゆっくりと')
})

test('a table never cuts ids and times: where they do not fit, a row takes several lines', () => {
  const id = '01a1ecc5-3b81-7000-aaa9-eb04dcf0faed'
  const text = table(
    ['ID', 'KIND', 'CREDITS', 'CREATED (UTC)', 'PROMPT'],
    [
      [id, 'main', 72, '2026-11-18 03:48:31', 'a boat on a lake'],
      [id, `sub of ${id}`, 7, '-', 'a long prompt that does not fit the terminal, neither on its own nor with others'],
    ],
    60,
  )
  assert.equal(
    text,
    [
      'ID',
      '  KIND                                         CREDITS',
      '  CREATED (UTC)',
      '  PROMPT',
      id,
      '  main                                              72',
      '  2026-11-18 03:48:31',
      '  a boat on a lake',
      id,
      `  sub of ${id}        7`,
      '  -',
      '  a long prompt that does not fit the terminal, neither on …',
    ].join('\n'),
  )
})

test('help and findings are wrapped to fit the terminal, and nothing of them is cut', () => {
  const rows = [
    ['--scopes LIST', 'what it may do: tasks:read,tasks:write,files:write'],
    ['--json', 'print one JSON document'],
  ]
  assert.deepEqual(proseTable(['FLAG', ''], rows, 40).split('\n'), [
    'FLAG',
    '--scopes LIST  what it may do:',
    '               tasks:read,tasks:write,',
    '               files:write',
    '--json         print one JSON document',
  ])
  assert.match(proseTable(['FLAG', ''], rows), /^--scopes LIST {2}what it may do: tasks:read,tasks:write,files:write$/m)
})

test('a video is named after its prompt and its id', () => {
  const param = JSON.stringify({ input: { prompt: 'Café: slow push‑in / on the BOAT!' } })
  assert.equal(videoFileName({ taskId: '0199-0000-12345678', param }), 'cafe-slow-push-in-on-the-boat-12345678.mp4')
  assert.equal(videoFileName({ taskId: '12345678', param: '{"prompt":"…"}' }), 'video-12345678.mp4')
})
