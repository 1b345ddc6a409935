// dailies queue …, beside a running service and at it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startReceiver } from '../support/network/receiver.ts'
import { places, type TestPlace } from '../support/places/places.ts'
import { taskBody } from '../support/service/api.ts'
import { commandJson, runCommand } from '../support/service/command.ts'
import { startService, type TestService, testKey } from '../support/service/service.ts'
import { untilTrue } from '../support/until.ts'

const withinMs = 10_000

for (const { name, create } of places) {
  describe(`dailies queue on ${name}`, () => {
    let place: TestPlace
    let service: TestService
    before(async () => {
      place = await create()
      // One retry, so late that only the command brings it about.
      service = await startService({ ...place.env, DAILIES_WEBHOOK_DELAYS: '1h' })
    })
    after(async () => {
      await service?.stop()
      await place?.stop()
    })

    type Found = { queue: string; paused: boolean; later: number; workers: number }
    const queueOf = async (queue: string, ...args: string[]) =>
      (await commandJson(['queue', 'list', ...args], place.env)).items.find(
        (each: Found) => each.queue === queue,
      ) as Found

    test('list shows every queue and the workers that serve it', async () => {
      const { items } = await commandJson(['queue', 'list'], place.env)
      const names = items.map(({ queue }: Found) => queue)
      for (const queue of ['deliver', 'deliver:later', 'infer', 'prepare']) assert.ok(names.includes(queue), queue)
      assert.equal((await queueOf('prepare')).workers, 1)
      const { stdout } = await runCommand(['queue', 'list'], place.env)
      assert.match(stdout, /^QUEUE +STATE +WAITING +LATER +RUNNING +OLDEST +WORKERS\n/)
      assert.match(stdout, /^prepare +active +0 +0 +0 +- +1$/m)
    })

    test('a queue is paused and resumed, and the log names the command line', async () => {
      assert.deepEqual(await commandJson(['queue', 'pause', 'infer'], place.env), { queue: 'infer', paused: true })
      assert.match((await runCommand(['queue', 'list'], place.env)).stdout, /^infer +paused/m)
      const atServer = ['--url', service.url, '--key', testKey]
      assert.equal((await queueOf('infer', ...atServer)).paused, true)
      const resumed = await runCommand(['queue', 'resume', 'infer', ...atServer], place.env)
      assert.equal(resumed.stdout, 'The queue infer is active.\n')
      const [atService, here] = (await commandJson(['audit', '--action', 'queue'], place.env)).items
      assert.deepEqual(
        [atService.action, here.action, here.target, here.address],
        ['queue.resume', 'queue.pause', 'infer', null],
      )
      assert.match(here.actor, /^command line:./)
      assert.doesNotMatch(atService.actor, /^command line:/)
    })

    test('jobs that wait for a later time are retried now', async () => {
      let status = 500
      const receiver = await startReceiver({ '/mended': (response) => response.writeHead(status).end() })
      try {
        const callBackUrl = `${receiver.origin}/mended`
        await service.api.post('/api/v1/jobs/createTask', { ...taskBody(), callBackUrl })
        await untilTrue('the retry waits', async () => (await queueOf('deliver:later'))?.later === 1, withinMs)
        status = 200
        const retried = await runCommand(['queue', 'retry', 'deliver:later'], place.env)
        assert.equal(retried.stdout, '1 job of the queue deliver:later is due now.\n')
        await receiver.until((received) => received.length === 2)
      } finally {
        await receiver.close()
      }
    })

    test('an unknown queue is named, with those that there are', async () => {
      const { code, stderr } = await runCommand(['queue', 'pause', 'nothing'], place.env)
      assert.equal(code, 1)
      assert.match(stderr, /^dailies: there is no queue "nothing"; there are deliver, /)
    })
  })
}
