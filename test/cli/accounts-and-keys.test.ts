// Accounts, keys, ledger and the callback secret from the command line, at every place, beside a running server.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { places, type TestPlace } from '../support/places/places.ts'
import { createApi } from '../support/service/api.ts'
import { commandJson, runCommand } from '../support/service/command.ts'
import { type ServiceProcess, startProcess } from '../support/service/process.ts'
import { untilTrue } from '../support/until.ts'

const seenWithinMs = 1000

for (const { name, create } of places) {
  describe(`the command line on ${name}`, () => {
    let place: TestPlace
    let server: ServiceProcess
    before(async () => {
      place = await create()
      server = await startProcess(place.env)
    })
    after(async () => {
      await server?.kill('SIGTERM')
      await place?.stop()
    })
    const cli = (...args: string[]) => commandJson(args, place.env)
    const credit = async (key: string) => (await createApi(server.url, key).get('/api/v1/account/credit')).body

    /** Asks until the response is as wanted: changes of another process are seen within a second. */
    const soon = (what: string, ask: () => Promise<boolean>) => untilTrue(what, ask, seenWithinMs + 4000)

    test('an account made beside the server can be used at once', async () => {
      const { account, key } = await cli('accounts', 'create', 'studio', '--credits', '100')
      assert.equal(account, 'studio')
      assert.match(key, /^dk_\w+$/)
      assert.deepEqual(await credit(key), { code: 200, msg: 'success', data: 100 })
      assert.equal((await cli('accounts', 'credit', 'studio', '50')).balance, 150)
      assert.equal((await cli('accounts', 'credit', 'studio', '-30')).balance, 120)
      assert.equal((await credit(key)).data, 120)
      const { items } = await cli('accounts', 'list')
      assert.deepEqual(
        items.map((item: { name: string; balance: number }) => [item.name, item.balance]),
        [
          ['default', 1_000_000],
          ['studio', 120],
        ],
      )
    })

    test('the name of an account is unique, and no more credits can be withdrawn than it has', async () => {
      await cli('accounts', 'create', 'twice')
      const again = await runCommand(['accounts', 'create', 'twice', '--json'], place.env)
      assert.deepEqual(again, {
        code: 1,
        stdout: '',
        stderr: 'dailies: there is an account "twice" already; choose another name\n',
      })
      const below = await runCommand(['accounts', 'credit', 'twice', '-1'], place.env)
      assert.equal(below.code, 1)
      assert.match(below.stderr, /account "twice" has 0 credits; 1 cannot be withdrawn/)
    })

    test('a rotated key replaces the old one, and revoking a key revokes its sub-keys', async () => {
      const { id, key } = await cli('keys', 'create', '--account', 'default', '--name', 'backend')
      const sub = await cli('keys', 'create', '--parent', id, '--credit-limit', '60', '--request-limit', '1000/day')
      assert.equal((await credit(key)).code, 200)
      assert.equal((await credit(sub.key)).code, 200)

      const rotated = await cli('keys', 'rotate', id)
      assert.equal(rotated.id, id)
      await soon('the old key still works', async () => (await credit(key)).code === 401)
      assert.equal((await credit(rotated.key)).code, 200)

      assert.deepEqual(await cli('keys', 'revoke', id), { id, revoked: true, subKeys: 1 })
      await soon('a revoked key still works', async () => (await credit(rotated.key)).code === 401)
      assert.equal((await credit(sub.key)).code, 401)
      const { items } = await cli('keys', 'list', '--account', 'default')
      const listed = items.find((item: { id: string }) => item.id === sub.id)
      assert.equal(listed.parentId, id)
      assert.equal(listed.creditLimit, 60)
      assert.deepEqual(listed.requestLimit, { requests: 1000, per: 'day' })
      assert.ok(listed.revokedAt > 0)
      assert.ok(!JSON.stringify(items).includes(sub.key), 'a list shows no key')
      assert.match((await runCommand(['keys', 'rotate', id], place.env)).stderr, /the key \S+ is revoked/)
    })

    test('a key has the rate and the right it was made with', async () => {
      const limited = createApi(
        server.url,
        (await cli('keys', 'create', '--account', 'default', '--rate', '2/60s')).key,
      )
      const codes = []
      for (let i = 0; i < 3; i++) codes.push((await limited.get('/api/v1/account/credit')).status)
      assert.deepEqual(codes, [200, 200, 429])
      const operator = (await cli('keys', 'create', '--account', 'default', '--operator')).key
      assert.equal((await createApi(server.url, operator).get('/api/v1/operator/status')).status, 200)
    })

    test('a key has the rights it was made with, until they are changed', async () => {
      const rights = ['--expires', '30d', '--scopes', 'tasks:read,keys', '--addresses', '127.0.0.0/8']
      const { id, key } = await cli('keys', 'create', '--account', 'default', '--name', 'narrow', ...rights)
      const api = createApi(server.url, key)
      assert.equal((await api.get('/api/v1/jobs/list')).status, 200)
      assert.equal((await api.get('/api/v1/webhooks/secret')).status, 404)
      const find = async () =>
        (await cli('keys', 'list', '--account', 'default')).items.find((item: { id: string }) => item.id === id)
      await soon('the last use is listed', async () => (await find()).lastUsedAt !== null)
      const listed = await find()
      assert.deepEqual([listed.scopes, listed.addresses], [['tasks:read', 'keys'], ['127.0.0.0/8']])
      assert.ok(Math.abs(listed.expiresAt - Date.now() - 30 * 86_400_000) < 600_000)

      const changed = await cli('keys', 'update', id, '--scopes', 'webhooks', '--expires', 'none', '--rate', '100/1s')
      assert.deepEqual([changed.scopes, changed.expiresAt, changed.rate], [['webhooks'], null, '100/1s'])
      await soon('the scope is taken away', async () => (await api.get('/api/v1/jobs/list')).status === 404)
      assert.equal((await api.get('/api/v1/webhooks/secret')).status, 200)
      await cli('keys', 'update', id, '--addresses', '203.0.113.7')
      await soon('the address is refused', async () => (await api.get('/api/v1/account/credit')).status === 401)

      for (const [args, problem] of [
        [['create', '--parent', id, '--scopes', 'tasks:write'], /scopes: tasks:write cannot be given to this key/],
        [['create', '--account', 'default', '--scopes', 'operator'], /scopes: operator cannot be given to this key/],
        [['update', id, '--expires', 'soon'], /--expires must be a duration such as 30d, or a date, not "soon"/],
        [['update', id, '--expires', '104000000d'], /--expires must be a duration such as 30d, or a date, not "104/],
        [['update', id, '--addresses', 'home'], /--addresses must be a list of addresses or networks, not "home"/],
        [['update', id, '--scopes', 'sleep'], /--scopes must be a list of tasks:read/],
        [['update', id, '--credit-limit', '5'], /are for sub-keys/],
      ] as [string[], RegExp][]) {
        const refused = await runCommand(['keys', ...args], place.env)
        assert.notEqual(refused.code, 0)
        assert.match(refused.stderr, problem)
      }
      const table = await runCommand(['keys', 'list'], place.env)
      assert.match(table.stdout, /EXPIRES \(UTC\) +LAST USED \(UTC\)/)
    })

    test('a key rotates with an overlap, and has a signing secret of its own', async () => {
      const { id, key } = await cli('keys', 'create', '--account', 'default')
      const sub = await cli('keys', 'create', '--parent', id)
      const rotated = await cli('keys', 'rotate', id, '--overlap', '1h')
      await soon('the new key works', async () => (await credit(rotated.key)).code === 200)
      assert.equal((await credit(key)).code, 200)
      // The key in use rotates itself at the server.
      const again = await cli('keys', 'rotate', 'self', '--url', server.url, '--key', rotated.key)
      assert.equal(again.id, id)
      await soon('both old keys are invalid', async () => {
        return (await credit(key)).code === 401 && (await credit(rotated.key)).code === 401
      })
      assert.equal((await credit(again.key)).code, 200)

      const ofAccount = (await cli('webhooks', 'secret')).secret
      const ofSub = (await cli('webhooks', 'secret', '--of', sub.id)).secret
      const atServer = ['--of', sub.id, '--url', server.url, '--key', again.key]
      assert.match(ofSub, /^whsec_/)
      assert.notEqual(ofSub, ofAccount)
      assert.equal((await cli('webhooks', 'secret', ...atServer)).secret, ofSub)
      const renewed = (await cli('webhooks', 'rotate-secret', '--of', sub.id)).secret
      assert.notEqual(renewed, ofSub)
      assert.equal((await cli('webhooks', 'secret', ...atServer)).secret, renewed)
      assert.equal((await cli('webhooks', 'secret')).secret, ofAccount)
      const late = await runCommand(['keys', 'rotate', id, '--overlap', '1y'], place.env)
      assert.match(late.stderr, /--overlap must be a duration such as 24h, at most 7d, not "1y"/)
    })

    test('the ledger lists what a task did and balances', async () => {
      const taskId = await server.api.createTask('a boat script: fail words')
      await server.api.until(taskId, ['fail'])
      const { items } = await cli('ledger', 'list', '--task', taskId)
      assert.deepEqual(
        items.map((entry: { kind: string; amount: number; account: string }) => [
          entry.kind,
          entry.amount,
          entry.account,
        ]),
        [
          ['release', 42, 'default'],
          ['hold', -42, 'default'],
        ],
      )
      const named = await cli('ledger', 'list', '--task', taskId.slice(-8))
      assert.deepEqual(named.items, items)
      const nowhere = await runCommand(['ledger', 'list', '--task', '00000000'], place.env)
      assert.match(nowhere.stderr, /there is no task or request whose id ends with 00000000/)
      const all = (await cli('ledger', 'list', '--account', 'default')).items as { amount: number }[]
      assert.equal(
        all.reduce((sum, entry) => sum + entry.amount, 0),
        1_000_000,
      )
      const check = await cli('ledger', 'check')
      assert.equal(check.ok, true)
      assert.deepEqual(check.problems, [])
    })

    test('every account has a secret of its own', async () => {
      const first = await cli('webhooks', 'secret')
      assert.match(first.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      const other = await cli('webhooks', 'secret', '--account', 'studio')
      assert.notEqual(other.secret, first.secret)
      assert.equal((await cli('webhooks', 'secret', '--account', 'default')).secret, first.secret)
    })

    test('maintenance and features are seen by the server', async () => {
      assert.deepEqual(await cli('maintenance', 'on'), { maintenance: true })
      const create = async () => (await server.api.post('/api/v1/jobs/createTask', {})).status
      await soon('maintenance was not seen', async () => (await create()) === 455)
      assert.deepEqual(await cli('maintenance'), { maintenance: true })
      await cli('maintenance', 'off')
      await soon('the end of maintenance was not seen', async () => (await create()) === 422)

      assert.deepEqual(await cli('features', 'disable', 'last_frame'), { name: 'last_frame', enabled: false })
      const input = { prompt: 'a boat', image_url: 'http://127.0.0.1:9/a', tail_image_url: 'http://127.0.0.1:9/b' }
      const model = 'videomodel/v2-5-turbo-image-to-video-pro'
      const withTail = async () => (await server.api.post('/api/v1/jobs/createTask', { model, input })).status
      await soon('the feature was not switched off', async () => (await withTail()) === 505)
      await cli('features', 'enable', 'last_frame')
      await soon('the feature was not switched on', async () => (await withTail()) === 200)
      const { items } = await cli('features', 'list')
      assert.ok(items.every((item: { enabled: boolean }) => item.enabled))
    })

    test('migrate has nothing to do, and doctor finds nothing wrong', async () => {
      assert.deepEqual(await cli('migrate'), { applied: [] })
      const port = new URL(server.url).port
      const healthy = await commandJson(['doctor'], { ...place.env, DAILIES_PORT: port })
      assert.equal(healthy.ok, true)
      const messages = Object.fromEntries(
        healthy.checks.map((check: { name: string; message: string }) => [check.name, check.message]),
      )
      assert.match(messages.server, /^responds on /)
      assert.match(messages.database, name === 'SQLite' ? /^SQLite in / : /^PostgreSQL 18/)
      assert.equal(messages.ledger, 'balances')
    })
  })
}
