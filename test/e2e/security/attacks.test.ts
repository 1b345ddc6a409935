// While one account attacks with small requests, another's are served and the process answers: measured from here, which
// is another process.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeAttacks, type Target } from '../../support/attacks/attacks.ts'
import { formAttacks } from '../../support/attacks/forms.ts'
import { observe } from '../../support/attacks/observe.ts'
import { png } from '../../support/files/image-files.ts'
import { type BadServer, startBadServer } from '../../support/network/bad-server.ts'
import { places } from '../../support/places/places.ts'
import { createApi } from '../../support/service/api.ts'
import { cliJson, type ServiceProcess, startProcess } from '../../support/service/process.ts'
import { testKey } from '../../support/service/service.ts'

/** Generous, for busy machines: on an idle one, without defences, these took 12 to 60 s. */
const victimMsMax = 20_000
const livezMsMax = 3_000
const attackMs = 1_000

describe('under attack', { timeout: 300_000 }, () => {
  let place: Awaited<ReturnType<(typeof places)[0]['create']>>
  let service: ServiceProcess
  let server: BadServer
  let victim: Target

  before(async () => {
    place = await places[0].create()
    service = await startProcess({ ...place.env, TEST_ENGINE: 'studio' })
    server = await startBadServer({ files: { '/good.png': { body: await png(640, 360), type: 'image/png' } } })
    const { key } = await cliJson(['accounts', 'create', 'victim', '--credits', '100000'], place.env)
    victim = { url: service.url, key }
    // Starts the processes that the requests need.
    await observe(victim, 1)
  })
  after(async () => {
    await service?.kill('SIGTERM')
    await server?.close()
    await place?.stop()
  })

  test('another account is served, and the process responds', async (t) => {
    const target = { url: service.url, key: testKey }
    for (const { name, run } of [...(await makeAttacks(target)), ...(await formAttacks(target))]) {
      await t.test(name, async () => {
        const stop = new AbortController()
        const attack = run(stop.signal)
        await sleep(attackMs)
        const { times, refusals } = await observe(victim, 3).finally(() => stop.abort())
        await attack
        assert.deepEqual(refusals, [])
        for (const request of ['balance', 'upload', 'embedding'] as const) {
          assert.ok(Math.max(...times[request]) < victimMsMax, `${request} took ${times[request]} ms`)
        }
        assert.ok(Math.max(...times.livez) < livezMsMax, `/livez took up to ${Math.max(...times.livez)} ms`)
      })
    }
  })

  test('slow inputs of one sub-key do not keep the tasks of another waiting', async () => {
    const { key } = await cliJson(['accounts', 'create', 'family', '--credits', '100000'], place.env)
    const parent = createApi(service.url, key)
    const subKey = async (name: string) =>
      createApi(service.url, (await parent.post('/api/v1/keys', { name })).body.data.key)
    const [slow, quick] = [await subKey('slow'), await subKey('quick')]
    const dripping = Array.from({ length: 72 }, (_, i) =>
      slow.createTask('a boat', { image_url: `${server.origin}/drip?${i}` }),
    )
    await Promise.all(dripping)
    await sleep(attackMs)
    const taskId = await quick.createTask('a boat', { image_url: `${server.origin}/good.png` })
    // A dripping server is given up after 60 s.
    await quick.until(taskId, ['queueing', 'generating', 'success'], 40_000)
    await quick.post('/api/v1/jobs/cancelTask', { taskId })
  })

  test('the service itself has loaded no decoder', async () => {
    const maps = await readFile(`/proc/${service.child.pid}/maps`, 'utf8')
    for (const library of ['libvips', 'sharp-', 'node-av', 'onnxruntime']) {
      assert.ok(!maps.includes(library), `${library} is loaded in the service's process`)
    }
  })
})
