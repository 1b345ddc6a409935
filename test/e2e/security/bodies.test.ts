// Large and strange bodies, and many streams: none of them holds up the event loop, and none is answered with a 500.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { requestBytes } from '../../support/attacks/lanes.ts'
import {
  largeBodies,
  largestBodies,
  multipart,
  multipartBoundary,
  uploadPath,
} from '../../support/attacks/large-bodies.ts'
import { startWatchedProcess, type WatchedProcess } from '../../support/attacks/watched-process.ts'
import { places, type TestPlace } from '../../support/places/places.ts'
import { testKey } from '../../support/service/service.ts'

/** The figure to hold is 50 ms of processor time; a busy machine with cold caches needs more. */
const turnMsMax = 200

describe('large and strange bodies', { timeout: 300_000 }, () => {
  let place: TestPlace
  let service: WatchedProcess

  before(async () => {
    place = await places[0].create()
    service = await startWatchedProcess({ ...place.env, TEST_ENGINE: 'studio' })
  })
  after(async () => {
    await service?.kill('SIGTERM')
    await place?.stop()
  })

  test('hold up no turn of the event loop', async (context) => {
    for (const [name, { path, options, status }] of Object.entries({ ...largeBodies, ...(await largestBodies()) })) {
      await context.test(name, async (each) => {
        // The first of its kind compiles the code and starts the children that it needs.
        await service.api.post(path, undefined, options)
        const headers = { ...options.headers, 'idempotency-key': name }
        await service.report()
        const answer = await service.api.post(path, undefined, { ...options, headers })
        const { longestTurnMs } = await service.report()
        assert.equal(answer.status, status, answer.text)
        each.diagnostic(`the longest turn took ${Math.round(longestTurnMs)} ms`)
        assert.ok(longestTurnMs < turnMsMax, `a turn took ${Math.round(longestTurnMs)} ms`)
      })
    }
  })

  test('nor do hundreds of streams that open together and follow one task', async () => {
    const taskId = await service.api.createTask()
    const target = { url: service.url, key: testKey }
    const bytes = requestBytes(target, 'GET', `/api/v1/jobs/events?taskId=${taskId}`)
    const { hostname, port } = new URL(service.url)
    async function openStreams(): Promise<void> {
      const sockets = Array.from({ length: 300 }, () => connect(Number(port), hostname))
      for (const socket of sockets) socket.write(bytes)
      await Promise.all(sockets.map((socket) => once(socket, 'data')))
      for (const socket of sockets) socket.destroy()
    }
    // The first of them compile the code.
    await openStreams()
    await service.report()
    await openStreams()
    const { longestTurnMs } = await service.report()
    assert.ok(longestTurnMs < turnMsMax, `a turn took ${Math.round(longestTurnMs)} ms`)
  })

  test('a file name that ends in the middle of a character is taken', async () => {
    const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const disposition = `content-disposition: form-data; name="file"; filename="a${'\u{1f600}'.repeat(150)}.png"`
    const head = Buffer.from(`--${multipartBoundary}\r\n${disposition}\r\ncontent-type: image/png\r\n\r\n`)
    const raw = Buffer.concat([head, Buffer.from(picture, 'base64'), Buffer.from(`\r\n--${multipartBoundary}--\r\n`)])
    const answer = await service.api.post(uploadPath, undefined, { raw, headers: multipart })
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await fetch(answer.body.data.downloadUrl)).status, 200)
  })
})
