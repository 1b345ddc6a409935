// How the command line speaks: help, exact messages for wrong calls, one JSON document or nothing on stdout.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { commands } from '../../src/cli/commands.ts'
import { table } from '../../src/cli/terminal/print.ts'
import { lockServer } from '../../src/db/sqlite/server-lock.ts'
import { commandJson, runCommand } from '../support/service/command.ts'
import { runCli } from '../support/service/process.ts'

describe('the command line', () => {
  let folder: string
  let env: Record<string, string>
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dailies-cli-'))
    env = { DAILIES_DATA: join(folder, 'data') }
  })
  after(() => rm(folder, { recursive: true, force: true }))

  test('help leaves no data folder behind and names every command', async () => {
    const { code, stdout, stderr } = await runCli(['--help'], env)
    assert.equal(code, 0)
    assert.equal(stderr, '')
    for (const command of commands) assert.ok(stdout.includes(`\n${command.name}`), command.name)
    assert.deepEqual(await readdir(folder), [])
  })

  test('every command has help with a usage line and an example of itself', async () => {
    for (const command of commands) {
      assert.ok(
        command.examples?.some((example) => example.includes(`dailies ${command.name}`)),
        command.name,
      )
    }
    const one = await runCommand(['keys', 'create', '--help'], env)
    assert.equal(one.code, 0)
    assert.match(one.stdout, /^Usage: dailies keys create \[flags\]$/m)
    assert.match(one.stdout, /^--request-limit 100\/day {2}\S/m)
    const group = await runCommand(['keys'], env)
    assert.equal(group.code, 0)
    assert.match(group.stdout, /^keys rotate ID {2}\S/m)
    assert.ok(!group.stdout.includes('ledger'))
    assert.deepEqual(await runCommand(['help', 'keys', 'create'], env), one)
    assert.deepEqual(await readdir(folder), [])
  })

  const wrongCalls: [args: string[], stderr: RegExp][] = [
    [['nonsense'], /^dailies: there is no command "nonsense"\nTry: dailies --help\n$/],
    [['keyz', 'list'], /there is no command "keyz"; did you mean "keys"\?/],
    [['keys', 'lsit'], /there is no command "keys lsit"; did you mean "keys list"\?\nTry: dailies --help\n$/],
    [['keys', 'list', '--acount', 'a'], /does not know --acount; did you mean "--account"\?/],
    [['keys', 'nonsense'], /there is no command "keys nonsense"; keys has create, list, update, rotate, revoke/],
    [['keys', '--nonsense'], /there is no command "keys --nonsense"; keys has create, list/],
    [['--json'], /the command must come first, not --json/],
    [['accounts', 'create'], /NAME is missing: dailies accounts create NAME\nTry: dailies accounts create --help/],
    [['accounts', 'list', 'all'], /"all" is one argument too many: dailies accounts list/],
    [['accounts', 'create', ' '], /NAME must not be empty/],
    [['accounts', 'create', 'a\tb'], /NAME must have no control characters/],
    [['accounts', 'create', 'a', '--credits', 'many'], /--credits must be a whole number, not "many"/],
    [['accounts', 'create', 'a', '--credits', '-5'], /--credits must be a whole number, not "-5"/],
    [['accounts', 'credit', 'a', '1.5'], /N must be a whole number of credits other than 0, not "1\.5"/],
    [
      ['accounts', 'list', '--all'],
      /accounts list does not know --all; it takes --limit, --url, --remote, --key, --json, --help/,
    ],
    [['keys', 'create'], /give either --account NAME for a key, or --parent ID for a sub-key/],
    [['keys', 'create', '--account', 'a', '--parent', 'b'], /give either --account/],
    [['keys', 'create', '--account'], /--account needs a value: --account NAME/],
    [['keys', 'create', '--account', 'a', '--rate', 'fast'], /--rate must be requests\/duration .* not "fast"/],
    [['keys', 'create', '--account', 'a', '--credit-limit', '5'], /--credit-limit is for sub-keys/],
    [['keys', 'create', '--parent', 'a', '--operator'], /a sub-key cannot have --operator/],
    [
      ['keys', 'create', '--parent', 'a', '--request-limit', '5/week'],
      /must be N\/hour, N\/day or N\/total, not "5\/week"/,
    ],
    [
      ['keys', 'create', '--parent', 'a', '--request-limit', 'x/day'],
      /before the slash must be a whole number, not "x"/,
    ],
    [['maintenance', 'maybe'], /maintenance is on or off, not "maybe"/],
    [['ledger', 'list', '--limit', '0'], /--limit must be at least 1/],
    [['tasks', 'list', '--limit', '0'], /--limit must be at least 1\nTry: dailies tasks list --help/],
    [['tasks', 'list', '--state', 'done'], /--state must be one of wait, queueing, generating, success, fail/],
    [['tasks', 'list', '--until', 'soon'], /--until must be a duration such as 2h or a date/],
    [['tasks', 'extend', 'x'], /tasks extend needs --prompt/],
    [['tasks', 'share', 'x', '--for', 'ever'], /--for must be a duration such as 12h or 7d, not "ever"/],
    [['audit', '--remote', '--limit', '0'], /--limit must be at least 1/],
    [['webhooks', 'list', '--remote', '--state', 'x'], /--state must be one of pending, delivered, failed/],
    [['audit', '--since', 'soon'], /--since must be a duration such as 2h or a date/],
    [['webhooks', 'list', '--limit', '0'], /--limit must be at least 1/],
    [['webhooks', 'list', '--state', 'x'], /--state must be one of pending, delivered, failed/],
    [['accounts', 'create', 'studio', '--credits', 'x', '--remote'], /--credits must be a whole number, not "x"/],
    [['keys', 'rotate', 'x', '--overlap', '9d', '--remote'], /--overlap must be a duration such as 24h, at most 7d/],
    [['keys', 'create', '--parent', 'x', '--remote'], /makes a sub-key of the key in use, without --account, --parent/],
    ...[
      ['ledger', 'list'],
      ['webhooks', 'list'],
      ['webhooks', 'secret'],
      ['webhooks', 'rotate-secret'],
    ].map((words): [string[], RegExp] => [
      [...words, '--account', 'studio', '--remote'],
      /at a server, this command is about the account of the key in use, without --account/,
    ]),
    [['webhooks', 'listen', '--forward-to', 'x'], /must be a URL\nTry: dailies webhooks listen --help/],
  ]
  for (const [args, expected] of wrongCalls) {
    test(`dailies ${args.join(' ')}: called wrongly`, async () => {
      const { code, stdout, stderr } = await runCommand(args, env)
      assert.equal(code, 2)
      assert.equal(stdout, '')
      assert.match(stderr, expected)
      assert.deepEqual(await readdir(folder), [], 'nothing was opened')
    })
  }

  test('dailies tasks list without a server: says so once the call is right', async () => {
    const { code, stderr } = await runCommand(['tasks', 'list', '--limit', '1'], env)
    assert.equal(code, 1)
    assert.match(stderr, /^dailies: no server runs here; start one with npm start/)
  })

  test('dailies tasks list while another command runs a service on the folder: says so', async (t) => {
    const data = await mkdtemp(join(tmpdir(), 'dailies-cli-'))
    const lock = lockServer(join(data, 'server.lock'), data)
    t.after(() => rm(data, { recursive: true, force: true }))
    t.after(() => lock.release())
    const { code, stderr } = await runCommand(['tasks', 'list'], { DAILIES_DATA: data, DAILIES_PORT: '1' })
    assert.equal(code, 1)
    assert.match(
      stderr,
      /^dailies: a server, or another dailies generate, uses the data folder .* wait until it has ended/,
    )
  })

  const unknowns: [args: string[], stderr: RegExp][] = [
    [['accounts', 'credit', 'nobody', '5'], /there is no account "nobody"; there are default/],
    [['keys', 'list', '--account', 'nobody'], /there is no account "nobody"/],
    [['keys', 'revoke', 'x'], /there is no key with the id "x"; dailies keys list shows them/],
    [['keys', 'create', '--parent', 'x'], /there is no key with the id "x"/],
    [['features', 'disable', '8k'], /there is no feature "8k"; there are .*\b4k, audio, elements/],
    [['webhooks', 'secret', '--account', 'nobody'], /there is no account "nobody"/],
  ]
  for (const [args, expected] of unknowns) {
    test(`dailies ${args.join(' ')} --json: says so on stderr only`, async () => {
      const data = await mkdtemp(join(tmpdir(), 'dailies-cli-'))
      const { code, stdout, stderr } = await runCommand([...args, '--json'], {
        DAILIES_DATA: data,
        DAILIES_API_KEY: 'a-key-of-the-operator',
      })
      await rm(data, { recursive: true, force: true })
      assert.equal(code, 1)
      assert.equal(stdout, '')
      assert.match(stderr, expected)
    })
  }

  test('a sub-key has no sub-keys', async () => {
    const data = { DAILIES_DATA: join(folder, 'sub') }
    const { keyId } = await commandJson(['accounts', 'create', 'a'], data)
    const { id } = await commandJson(['keys', 'create', '--parent', keyId], data)
    assert.match((await runCommand(['keys', 'create', '--parent', id], data)).stderr, /is a sub-key itself/)
  })

  test("the operator's own key is there before the first start, with the operator's right", async () => {
    const data = { DAILIES_DATA: join(folder, 'own'), DAILIES_API_KEY: 'a-key-of-the-operator' }
    await commandJson(['accounts', 'create', 'a'], { DAILIES_DATA: data.DAILIES_DATA })
    await commandJson(['accounts', 'create', 'b'], data)
    const { items } = await commandJson(['keys', 'list', '--account', 'default'], data)
    assert.equal(items.length, 1)
    assert.equal(items[0].operator, true)
  })

  test('a wrong call ends its process with code 2 and one message on stderr', async () => {
    const { code, stdout, stderr } = await runCli(['nonsense'], env)
    assert.deepEqual([code, stdout], [2, ''])
    assert.equal(stderr, 'dailies: there is no command "nonsense"\nTry: dailies --help\n')
  })

  test('a bad setting stops a command with one line', async () => {
    const { code, stdout, stderr } = await runCli(['accounts', 'list', '--json'], { ...env, DAILIES_PORT: 'high' })
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.equal(stderr, 'dailies: DAILIES_PORT must be a port number from 0 to 65535\n')
  })
})

test('tables are aligned, numbers to the right', () => {
  assert.equal(
    table(
      ['NAME', 'CREDITS', 'NOTE'],
      [
        ['a', 5, null],
        ['longer', 1000, 'x'],
      ],
    ),
    ['NAME    CREDITS  NOTE', 'a             5  -', 'longer     1000  x'].join('\n'),
  )
})
