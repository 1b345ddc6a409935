// The audit log through the front door, on both databases: which acts are in it, by whom and from where, how it is read,
// that it cannot be changed, and that it expires.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { databases, type TestPlace } from '../support/places/places.ts'
import type { Api } from '../support/service/api.ts'
import { newCaller } from '../support/service/callers.ts'
import { commandJson, runCommand } from '../support/service/command.ts'
import { startOneService, type TestService, testKey } from '../support/service/one-service.ts'

interface Entry {
  id: string
  time: number
  actor: string
  address: string | null
  action: string
  target: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

const path = '/api/v1/operator/audit'
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg=='

for (const { name, create } of databases) {
  describe(`the audit log on ${name}`, () => {
    let place: TestPlace
    let service: TestService
    let api: Api
    before(async () => {
      place = await create()
      service = await startOneService({ ...place.env, DAILIES_TRUST_PROXY: '127.0.0.0/8' })
      api = service.api
    })
    after(async () => {
      await service?.stop()
      await place?.stop()
    })

    const entries = async (query = ''): Promise<Entry[]> => (await api.get(`${path}?limit=100${query}`)).body.data.items
    const last = async (action: string): Promise<Entry> => {
      const [entry] = await entries(`&action=${action}`)
      assert.ok(entry, `no entry ${action}`)
      return entry
    }
    const ownKeyId = async () => (await last('maintenance.off')).actor

    test('has the first account and key, made by the service itself', async () => {
      const account = await last('account.create')
      assert.deepEqual([account.actor, account.target, account.after], ['service', 'default', { credits: 1_000_000 }])
      const key = await last('key.create')
      assert.equal(key.actor, 'service')
      assert.deepEqual([key.after!.name, key.after!.operator], ['first key', true])
    })

    test('has every act over HTTP with the key, the address behind a trusted proxy, before and after', async () => {
      const headers = { 'x-forwarded-for': '203.0.113.9' }
      await api.post('/api/v1/operator/maintenance', { on: true }, { headers })
      await api.post('/api/v1/operator/maintenance', { on: false })
      await api.post('/api/v1/operator/features', { name: '4k', enabled: false }, { headers })
      await api.post('/api/v1/operator/features', { name: '4k', enabled: true })
      const balance = (await api.get('/api/v1/account/credit')).body.data
      await api.post('/api/v1/operator/accounts/default/credit', { credits: 7 })
      await api.post('/api/v1/webhooks/secret/rotate', {})
      const { id } = (await api.post('/api/v1/keys', { name: 'a sub-key', creditLimit: 5 })).body.data
      await api.post(`/api/v1/keys/${id}/rotate`, {})
      await api.delete(`/api/v1/keys/${id}`)

      const on = await last('maintenance.on')
      assert.match(on.actor, /^[0-9a-f-]{36}$/)
      assert.deepEqual([on.address, on.before, on.after], ['203.0.113.9', { on: false }, { on: true }])
      const off = await last('maintenance.off')
      assert.deepEqual([off.actor, off.address], [on.actor, '127.0.0.1'])
      assert.ok(off.time >= on.time)
      const disabled = await last('feature.disable')
      assert.deepEqual(
        [disabled.target, disabled.before, disabled.after],
        ['4k', { enabled: true }, { enabled: false }],
      )
      assert.deepEqual((await last('feature.enable')).after, { enabled: true })
      const credited = await last('account.credit')
      assert.deepEqual(
        [credited.target, credited.before, credited.after],
        ['default', { balance }, { balance: balance + 7 }],
      )
      assert.equal((await last('secret.rotate')).target, 'default')
      const [made, rotated, revoked] = [await last('key.create'), await last('key.rotate'), await last('key.revoke')]
      assert.deepEqual([made.target, rotated.target, revoked.target], [id, id, id])
      assert.deepEqual([made.before, made.after!.creditLimit, made.after!.name], [null, 5, 'a sub-key'])
      assert.equal(revoked.before!.revokedAt, null)
      assert.equal(typeof revoked.after!.revokedAt, 'number')
    })

    test('has share links, made and revoked', async () => {
      const taskId = await api.createTask('a boat')
      await api.until(taskId, ['success'])
      const { id, expiresAt } = (await api.post(`/api/v1/jobs/${taskId}/shares`, {})).body.data
      const made = await last('share.create')
      assert.deepEqual([made.target, made.after], [id, { account: 'default', taskId, expiresAt }])
      await api.delete(`/api/v1/jobs/${taskId}/shares/${id}`)
      const revoked = await last('share.revoke')
      assert.deepEqual([revoked.target, revoked.before], [id, { account: 'default', taskId }])
      assert.equal((await api.delete(`/api/v1/jobs/${taskId}/shares/${id}`)).status, 404)
      assert.equal((await entries('&action=share.revoke')).length, 1)
    })

    test('has deletions of tasks and files', async () => {
      const taskId = await api.createTask('a boat')
      await api.until(taskId, ['success', 'fail'])
      await api.delete(`/api/v1/jobs/${taskId}`)
      const task = await last('task.delete')
      assert.equal(task.target, taskId)
      assert.equal(task.before!.account, 'default')
      const again = await api.createTask('a boat')
      await api.until(again, ['success', 'fail'])
      await api.delete(`/v1/videos/${again}`)
      assert.equal((await last('task.delete')).target, again)
      const { downloadUrl } = (await api.post('/api/v1/files/upload', { base64Data: png, fileName: 'secret-name.png' }))
        .body.data
      const [file] = (await api.get('/api/v1/files')).body.data.items
      assert.equal(file.downloadUrl, downloadUrl)
      await api.delete(`/api/v1/files/${file.id}`)
      assert.equal((await last('file.delete')).target, file.id)
      const count = (await entries('&action=file.delete')).length
      assert.equal((await api.delete(`/api/v1/files/${file.id}`)).status, 404)
      assert.equal((await entries('&action=file.delete')).length, count, 'an act that was not done is not recorded')
    })

    test('has logins to the console that failed, and a bounded number of them', async () => {
      const signIn = (key: string) =>
        service.as(null).post('/console/session', { key }, { headers: { 'x-dailies-console': '1' } })
      const statuses = new Set<number>()
      for (let i = 0; i < 30; i++) statuses.add((await signIn(`not-a-key-${i}`)).status)
      assert.ok(statuses.has(401))
      assert.equal((await signIn(testKey)).status, 200)
      const failed = await entries('&action=session.failed')
      assert.ok(failed.length >= 1 && failed.length <= 20, `${failed.length} entries`)
      assert.deepEqual([failed[0]!.actor, failed[0]!.address], ['unknown', '127.0.0.1'])
    })

    test('has what the command line did, with its user', async () => {
      const env = { ...place.env, DAILIES_API_KEY: testKey }
      await commandJson(['accounts', 'create', 'studio', '--credits', '10'], env)
      await commandJson(['accounts', 'credit', 'studio', '5'], env)
      await commandJson(['features', 'disable', 'audio'], env)
      await commandJson(['features', 'enable', 'audio'], env)
      const key = await commandJson(['keys', 'create', '--account', 'studio'], env)
      await commandJson(['keys', 'rotate', key.id], env)
      await commandJson(['keys', 'revoke', key.id], env)
      const actor = (await last('key.revoke')).actor
      assert.match(actor, /^command line:./)
      const acts = (await entries(`&actor=${encodeURIComponent(actor)}`)).reverse()
      assert.deepEqual(
        acts.map(({ action }) => action),
        [
          'account.create',
          'key.create',
          'account.credit',
          'feature.disable',
          'feature.enable',
          'key.create',
          'key.rotate',
          'key.revoke',
        ],
      )
      assert.deepEqual([acts[2]!.before, acts[2]!.after, acts[2]!.address], [{ balance: 10 }, { balance: 15 }, null])
    })

    test('is read by the command line from the database and from a server, as a table, JSON or NDJSON', async () => {
      const env = { ...place.env, DAILIES_API_KEY: testKey }
      await commandJson(['accounts', 'create', 'agency', '--credits', '10'], env)
      await commandJson(['accounts', 'credit', 'agency', '5'], env)
      const { items } = await commandJson(['audit', '--action', 'account', '--limit', '2'], env)
      assert.deepEqual(
        items.map((entry: Entry) => [entry.action, entry.target]),
        [
          ['account.credit', 'agency'],
          ['account.create', 'agency'],
        ],
      )
      const text = await runCommand(['audit', '--action', 'account.credit'], env)
      assert.match(text.stdout, /account\.credit\s+agency\s+balance 10 → 15/)
      // A new key: what it has, with times to read, and not what it lacks.
      const keys = await runCommand(['audit', '--action', 'key.create'], env)
      assert.match(keys.stdout, /operator \w+.*, createdAt \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/m)
      assert.doesNotMatch(keys.stdout, /null|none/)
      const remote = await commandJson(['audit', '--action', 'account', '--limit', '2', '--url', service.url], {
        ...env,
        DAILIES_KEY: testKey,
      })
      assert.deepEqual(remote.items, items)
      const exported = await runCommand(['audit', '--export', '--since', '1h'], env)
      const lines = exported.stdout.trimEnd().split('\n')
      assert.deepEqual(
        lines.map((line) => JSON.parse(line).id),
        (await entries()).map(({ id }) => id),
      )
      assert.equal((await runCommand(['audit', '--action', 'nonsense'], env)).code, 2)
    })

    test('is read in pages', async () => {
      const all = await entries()
      const paged: Entry[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const { data }: { data: { items: Entry[]; cursor: string | null } } = (
          await api.get(`${path}?limit=7${cursor && `&cursor=${cursor}`}`)
        ).body
        paged.push(...data.items)
        cursor = data.cursor
      }
      assert.deepEqual(paged, all)
      const { body } = await api.get(`${path}?cursor=nonsense`)
      assert.equal(body.msg, 'query.cursor: must be the cursor of the page before')
      assert.deepEqual(Object.keys(all[0]!).sort(), [
        'action',
        'actor',
        'address',
        'after',
        'before',
        'id',
        'target',
        'time',
      ])
    })

    test('is filtered by action, actor and time', async () => {
      const all = await entries()
      const keys = await entries('&action=key')
      assert.ok(keys.length > 0 && keys.every(({ action }) => action.startsWith('key.')))
      const own = await entries(`&actor=${await ownKeyId()}`)
      assert.ok(own.length > 0 && own.length < all.length)
      const middle = all[Math.floor(all.length / 2)]!.time
      assert.deepEqual(
        await entries(`&since=${middle}`),
        all.filter(({ time }) => time >= middle),
      )
      assert.deepEqual(
        await entries(`&until=${middle}`),
        all.filter(({ time }) => time < middle),
      )
      for (const wrong of ['action=nonsense', 'since=x', 'cursor=x', 'format=xml', 'limit=0']) {
        assert.equal((await api.get(`${path}?${wrong}`)).status, 422, wrong)
      }
    })

    test('is returned whole as NDJSON', async () => {
      const all = await entries()
      for (const asked of [
        await api.get(`${path}?format=ndjson&limit=1`),
        await api.get(path, { headers: { accept: 'application/x-ndjson' } }),
      ]) {
        assert.match(asked.headers.get('content-type')!, /^application\/x-ndjson/)
        assert.deepEqual(
          asked.text
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line)),
          all,
        )
      }
    })

    test('is for operators only', async () => {
      const { api: other } = await newCaller(service, 0)
      assert.equal((await other.get(path)).status, 404)
      assert.equal((await service.as(null).get(path)).status, 401)
    })

    test('holds no key and no secret', async () => {
      const { key, id } = (await api.post('/api/v1/keys', { name: 'watched' })).body.data
      const rotated = (await api.post(`/api/v1/keys/${id}/rotate`, {})).body.data.key
      const { secret } = (await api.post('/api/v1/webhooks/secret/rotate', {})).body.data
      const { text } = await api.get(`${path}?format=ndjson`)
      for (const hidden of [key, rotated, secret, testKey, 'not-a-key', 'secret-name', 'whsec_', 'dk_']) {
        assert.ok(!text.includes(hidden), hidden)
      }
    })

    test('cannot be changed', async () => {
      const { db } = service.app
      await assert.rejects(db.run(`update audit set actor = 'nobody'`), /append-only/)
      await assert.rejects(db.run('delete from audit'), /append-only/)
    })
  })
}
