// Exports everything of an account to a folder, then deletes it, on both databases and beside a running server.
import assert from 'node:assert/strict'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startReceiver } from '../support/network/receiver.ts'
import { databases, type TestPlace } from '../support/places/places.ts'
import { type Api, createApi, taskBody } from '../support/service/api.ts'
import { commandJson, runCommand } from '../support/service/command.ts'
import { untilDelivery } from '../support/service/deliveries.ts'
import { type ServiceProcess, startProcess } from '../support/service/process.ts'
import { untilStatus, untilTrue } from '../support/until.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg=='

for (const { name, create } of databases) {
  describe(`the data of an account on ${name}`, () => {
    let place: TestPlace
    let server: ServiceProcess
    let key: string
    let api: Api
    let done: string
    let running: string
    let fileUrl: string
    before(async () => {
      place = await create()
      server = await startProcess({ ...place.env, DAILIES_ALLOW_PRIVATE_NETWORK: '127.0.0.0/8' })
      key = (await cli('accounts', 'create', 'studio', '--credits', '1000')).key
      api = createApi(server.url, key)
      const receiver = await startReceiver()
      const body = { ...taskBody('a prompt to export'), callBackUrl: `${receiver.origin}/ok` }
      done = (await api.post('/api/v1/jobs/createTask', body)).body.data.taskId
      await api.until(done, ['success'])
      await untilDelivery(api, done, ['delivered'])
      await receiver.close()
      const uploaded = await api.post('/api/v1/files/upload', { base64Data: png, fileName: 'dot.png' })
      fileUrl = uploaded.body.data.downloadUrl
      await api.post('/v1/inference/google/universal-sentence-encoder', { inputs: ['a sentence to export'] })
      await api.post('/api/v1/keys', { name: 'a sub-key' })
      running = await api.createTask('runs on script: wait 600000ms')
      await api.until(running, ['generating'])
    })
    after(async () => {
      await server?.kill('SIGTERM')
      await place?.stop()
    })
    const cli = (...args: string[]) => commandJson(args, place.env)

    test('is exported as records and files, without keys and secrets', async () => {
      const folder = join(place.env.DAILIES_DATA!, 'export')
      const { secret } = (await api.get('/api/v1/webhooks/secret')).body.data
      const written = await cli('accounts', 'export', 'studio', '--out', folder)
      const text = await readFile(join(folder, 'records.ndjson'), 'utf8')
      const records = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
      assert.equal(written.records, records.length)
      const kinds = new Set(records.map(({ record }) => record))
      assert.deepEqual([...kinds].sort(), ['account', 'delivery', 'file', 'key', 'ledger', 'request', 'task'])
      assert.equal(records.find(({ record }) => record === 'account').name, 'studio')
      assert.ok(text.includes('a prompt to export') && text.includes('a sentence to export'))
      for (const hidden of [key, secret, 'whsec_', '"hash"']) assert.ok(!text.includes(hidden), hidden)
      const tokens = await readdir(join(folder, 'files'))
      assert.equal(tokens.length, written.files)
      const token = fileUrl.split('/').at(-2)!
      const exported = await readFile(join(folder, 'files', token, 'dot.png'))
      assert.deepEqual(exported, Buffer.from(await (await fetch(fileUrl)).arrayBuffer()))
      assert.equal((await stat(folder)).mode & 0o777, 0o700)
      const again = await runCommand(['accounts', 'export', 'studio', '--out', folder], place.env)
      assert.equal(again.code, 1)
    })

    test('is deleted only with --yes, and then all of it but the sums of the ledger', async () => {
      assert.equal((await runCommand(['accounts', 'delete', 'studio'], place.env)).code, 2)
      assert.equal((await api.get('/api/v1/account/credit')).status, 200)
      const deleted = await cli('accounts', 'delete', 'studio', '--yes')
      assert.deepEqual([deleted.name, deleted.tasks, deleted.keys, deleted.requests], ['studio', 2, 2, 1])
      await untilStatus(() => api.get('/api/v1/account/credit'), 401)
      await untilTrue('the file is gone', async () => (await fetch(fileUrl)).status === 404)

      assert.deepEqual(await cli('ledger', 'check').then(({ ok, problems }) => [ok, problems]), [true, []])
      const { items } = await cli('accounts', 'list')
      assert.deepEqual(
        items.map((account: { name: string }) => account.name),
        ['default'],
      )
      assert.deepEqual((await cli('webhooks', 'list')).items, [])
      const ledger = await cli('ledger', 'list', '--task', running)
      assert.deepEqual(
        ledger.items.map(({ kind, account }: { kind: string; account: string }) => [kind, /studio/.test(account)]),
        [
          ['release', false],
          ['hold', false],
        ],
      )
      const [entry] = (await cli('audit', '--action', 'account.delete')).items
      assert.deepEqual([entry.target, entry.after.tasks], ['studio', 2])
      // The name is free again.
      assert.equal((await cli('accounts', 'create', 'studio')).account, 'studio')
      const files = await readdir(join(place.env.DAILIES_DATA!, 'files'), { recursive: true, withFileTypes: true })
      assert.deepEqual(
        files.filter((file) => file.isFile()).map((file) => file.name),
        [],
      )
    })
  })
}
