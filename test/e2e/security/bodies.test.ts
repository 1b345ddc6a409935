// Large and strange bodies: none of them holds up the event loop, and none is answered with a 500.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { largeBodies, multipart, multipartBoundary, uploadPath } from '../../support/attacks/large-bodies.ts'
import { places, type TestPlace } from '../../support/places/places.ts'
import { type ServiceProcess, startProcess } from '../../support/service/process.ts'

/** The figure to hold is 50 ms; the deadline is for a machine that is busy with other tests. */
const stallMaxMs = 1500
describe('large and strange bodies', () => {
  let place: TestPlace
  let service: ServiceProcess

  before(async () => {
    place = await places[0].create()
    service = await startProcess(place.env)
    await service.api.get('/livez')
  })
  after(async () => {
    await service.kill('SIGTERM')
    await place.stop()
  })

  for (const [name, { path, options, status }] of Object.entries(largeBodies)) {
    test(`${name}: others go on being served`, async (context) => {
      let over = false
      const attack = service.api.post(path, undefined, options).finally(() => {
        over = true
      })
      let worst = 0
      while (!over) {
        const startedAt = performance.now()
        await service.api.get('/livez')
        worst = Math.max(worst, performance.now() - startedAt)
      }
      const answer = await attack
      assert.equal(answer.status, status, answer.text)
      assert.equal(answer.body.code, status)
      context.diagnostic(`/livez took at most ${Math.round(worst)} ms`)
      assert.ok(worst < stallMaxMs, `/livez took ${Math.round(worst)} ms`)
    })
  }

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
