// dailies webhooks list, resend and listen, beside a running service.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { type Receiver, startReceiver } from '../support/network/receiver.ts'
import { places, type TestPlace } from '../support/places/places.ts'
import { taskBody } from '../support/service/api.ts'
import { commandJson, runCommand } from '../support/service/command.ts'
import { untilDelivery } from '../support/service/deliveries.ts'
import { startService, type TestService, testKey } from '../support/service/service.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

for (const { name, create } of places) {
  describe(`webhook commands on ${name}`, () => {
    let place: TestPlace
    let service: TestService
    let receiver: Receiver
    let broken = true
    before(async () => {
      place = await create()
      receiver = await startReceiver({ '/moody': (response) => response.writeHead(broken ? 500 : 200).end('words') })
      const env = { DAILIES_WEBHOOK_DELAYS: '50ms', DAILIES_ALLOW_PRIVATE_NETWORK: '127.0.0.1/32' }
      service = await startService({ ...place.env, ...env })
    })
    after(async () => {
      await service?.stop()
      await receiver?.close()
      await place?.stop()
    })

    test('list shows what was given up, and resend sends it again', async () => {
      const callBackUrl = `${receiver.origin}/moody`
      const { taskId } = (await service.api.post('/api/v1/jobs/createTask', { ...taskBody(), callBackUrl })).body.data
      await untilDelivery(service.api, taskId, ['failed'])
      const { items } = await commandJson(['webhooks', 'list', '--state', 'failed', '--account', 'default'], place.env)
      assert.equal(items.length, 1)
      assert.equal(items[0].taskId, taskId)
      assert.deepEqual(
        items[0].attempts.map((each: { answer: string }) => each.answer),
        ['words', 'words'],
      )
      broken = false
      const nowhere = await runCommand(['webhooks', 'resend', '00000000'], place.env)
      assert.match(nowhere.stderr, /there is no callback whose id ends with 00000000/)
      assert.deepEqual(await commandJson(['webhooks', 'resend', items[0].id.slice(-8)], place.env), {
        id: items[0].id,
        state: 'pending',
      })
      await untilDelivery(service.api, taskId, ['delivered'])
      const shown = await runCommand(['webhooks', 'list'], place.env)
      assert.match(shown.stdout, new RegExp(`${items[0].id}\\s+delivered`))
      const unknown = await runCommand(['webhooks', 'resend', 'nope'], place.env)
      assert.equal(unknown.code, 1)
      assert.match(unknown.stderr, /there is no callback nope/)
    })

    test('listen forwards callbacks unchanged, also of a URL that cannot be reached', async () => {
      const local = await startReceiver()
      const args = [
        'webhooks',
        'listen',
        '--forward-to',
        `${local.origin}/hook`,
        '--url',
        service.url,
        '--key',
        testKey,
      ]
      const child = spawn(process.execPath, [main, ...args], {
        env: { ...process.env, ...place.env },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const exited = once(child, 'exit')
      try {
        const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
        assert.match(String((await lines.next()).value), /^Listening at/)
        const callBackUrl = 'http://10.255.255.1/unreachable'
        const { taskId } = (await service.api.post('/api/v1/jobs/createTask', { ...taskBody(), callBackUrl })).body.data
        await local.until((received) => received.length === 1)
        const [callback] = local.received
        assert.equal(callback!.body.data.taskId, taskId)
        const { secret } = (await service.api.get('/api/v1/webhooks/secret')).body.data
        new Webhook(secret).verify(callback!.raw, callback!.headers)
        assert.match(
          String((await lines.next()).value),
          new RegExp(`${callback!.headers['webhook-id']}  200  \\d+ ms$`),
        )
        const { id } = await untilDelivery(service.api, taskId, ['failed'])
        await service.api.post(`/api/v1/webhooks/deliveries/${id}/resend`)
        await local.until((received) => received.length === 2)
      } finally {
        child.kill('SIGTERM')
        const [code] = await exited
        await local.close()
        assert.equal(code, 0)
      }
    })

    test('listen says what is wrong with a key', async () => {
      const wrong = await runCommand([
        'webhooks',
        'listen',
        '--forward-to',
        'http://127.0.0.1:9/',
        '--url',
        service.url,
        '--key',
        'nobody',
      ])
      assert.equal(wrong.code, 1)
      assert.match(wrong.stderr, /does not know this key/)
    })
  })
}
