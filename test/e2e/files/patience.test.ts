// Servers of input files that are away for a while, through the front door: tasks wait for them and do not fail.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { createScriptedEngine } from '../../support/engines/scripted.ts'
import { startBadServer } from '../../support/network/bad-server.ts'
import { variantA } from '../../support/service/api.ts'
import { startService, type TestService } from '../../support/service/service.ts'
import { untilTrue } from '../../support/until.ts'

/** Under a name of its own, so that input files are fetched for it. */
const engine = { ...createScriptedEngine(), name: 'quick' }

let service: TestService
let server: Server
let origin: string
let picture: Buffer
/** Requests so far, by path. */
const asked = new Map<string, number>()
/** Paths whose response waits for another one. */
const heldBack = new Map<string, Promise<unknown>>()

before(async () => {
  picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#456' } })
    .png()
    .toBuffer()
  // `/503/2/any` responds twice with 503, then with the picture; `/reset/1/any` resets the first connection.
  server = createServer((request, response) => {
    const [, how, times] = request.url!.split('/')
    const count = (asked.get(request.url!) ?? 0) + 1
    asked.set(request.url!, count)
    const respond = () => {
      if (count > Number(times)) response.end(picture)
      else if (how === 'reset') request.socket.resetAndDestroy()
      else response.writeHead(Number(how), { 'retry-after': '0' }).end(() => server.emit(`sent ${request.url}`))
    }
    const other = heldBack.get(request.url!)
    if (other) void other.then(respond)
    else respond()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  service = await startService({ DAILIES_MODERATION: 'off', DAILIES_FETCH_PATIENCE: '2s' }, { engine })
})
after(async () => {
  await service?.stop()
  server?.closeAllConnections()
  server?.close()
})

const create = (imageUrl: string) => service.api.createTask('a boat', { image_url: imageUrl })
const endOf = (taskId: string) => service.api.until(taskId, ['success', 'fail'], 60_000)

async function timelineOf(taskId: string): Promise<{ at: number; state: string; note: string | null }[]> {
  return (await service.api.get(`/api/v1/jobs/timeline?taskId=${taskId}`)).body.data.items
}

describe('an input file is fetched again', () => {
  for (const path of ['/503/2/a.png', '/429/1/a.png', '/408/1/a.png', '/425/1/a.png', '/reset/2/a.png']) {
    test(`after ${path}`, async () => {
      const record = await endOf(await create(origin + path))
      assert.equal(record.state, 'success', String(record.failMsg))
      assert.equal(asked.get(path), Number(path.split('/')[2]) + 1)
    })
  }

  test('after a server that was away has returned, while the task waits; the timeline shows it', async () => {
    const away = await startBadServer()
    await away.close()
    const taskId = await create(`${away.origin}/a.png`)
    await untilTrue('a retry is in the timeline', async () => (await timelineOf(taskId)).length > 1)
    assert.equal((await service.api.record(taskId)).state, 'wait')
    const back = await startBadServer({ port: away.port, files: { '/a.png': { body: picture } } })
    try {
      assert.equal((await endOf(taskId)).state, 'success')
      const moves = await timelineOf(taskId)
      const retries = moves.slice(1, -3)
      assert.ok(retries.length > 0)
      for (const { state, note } of retries) {
        assert.equal(state, 'wait')
        assert.match(note!, /^retry in \d\.\d s, failed on worker .*: image_url: .*the server could not be reached\.$/)
      }
      assert.deepEqual(
        moves.filter((move) => !retries.includes(move)).map(({ state }) => state),
        ['wait', 'queueing', 'generating', 'success'],
      )
      assert.deepEqual(
        moves.map(({ at }) => at).toSorted(),
        moves.map(({ at }) => at),
      )
    } finally {
      await back.close()
    }
  })

  test('for an inference request too', async () => {
    const input = { prompt: 'a boat', image_url: `${origin}/503/1/inference.png` }
    const { body } = await service.api.post(`/v1/inference/${variantA}`, { input })
    assert.equal(body.inference_status.status, 'succeeded')
  })

  test('until the patience is used up; then the message says how often, and the credits are released', async () => {
    const record = await endOf(await create(`${origin}/503/1000/a.png`))
    assert.deepEqual([record.state, record.failCode, record.creditsConsumed], ['fail', '451', 0])
    const tried = /^image_url: The image could not be fetched: .* with 503\. It was tried (\d+) times within \d+ s\.$/
    const [, times] = tried.exec(String(record.failMsg)) ?? assert.fail(String(record.failMsg))
    assert.equal(asked.get('/503/1000/a.png'), Number(times))
    assert.ok(Number(times) >= 3)
  })
})

describe('an input file is fetched once', () => {
  for (const path of ['/404/1000/a.png', '/403/1000/a.png', '/410/1000/a.png']) {
    test(`from ${path}`, async () => {
      const record = await endOf(await create(origin + path))
      assert.equal(record.failCode, '451')
      assert.doesNotMatch(String(record.failMsg), /tried/)
      assert.equal(asked.get(path), 1)
    })
  }

  test('when another file of its task fails finally, although its own failure may pass', async () => {
    const [away, missing] = ['/503/1000/first-frame.png', '/404/1000/last-frame.png']
    heldBack.set(missing, once(server, `sent ${away}`))
    const input = { image_url: origin + away, tail_image_url: origin + missing }
    const record = await endOf(await service.api.createTask('a boat', input))
    assert.equal(record.failCode, '451')
    assert.match(String(record.failMsg), /^tail_image_url: .* with 404\.$/)
    assert.deepEqual([asked.get(away), asked.get(missing)], [1, 1])
  })

  test('from an address that is refused', async () => {
    const { failCode, failMsg } = await endOf(await create('http://169.254.169.254/a.png'))
    assert.equal(failCode, '451')
    assert.doesNotMatch(String(failMsg), /tried/)
  })

  test('for an upload by URL, whose client waits', async () => {
    const fileUrl = `${origin}/503/1/upload.png`
    assert.equal((await service.api.post('/api/v1/files/upload', { fileUrl })).status, 422)
    assert.equal(asked.get('/503/1/upload.png'), 1)
  })
})

test('a task that waits for a server can be canceled, and its retries are deleted with it', async () => {
  const taskId = await create(`${origin}/503/1000/cancel.png`)
  await untilTrue('it was tried', async () => (await timelineOf(taskId)).length > 1)
  assert.equal((await service.api.post('/api/v1/jobs/cancelTask', { taskId })).status, 200)
  assert.equal((await service.api.delete(`/api/v1/jobs/${taskId}`)).status, 200)
  assert.deepEqual(await service.app.db.all('select * from input_retries where task_id = ?', [taskId]), [])
})
