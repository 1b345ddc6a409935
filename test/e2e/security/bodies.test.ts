// Large and strange bodies: none of them holds up the event loop, and none is answered with a 500.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { places, type TestPlace } from '../../support/places/places.ts'
import { type CallOptions, taskBody } from '../../support/service/api.ts'
import { type ServiceProcess, startProcess } from '../../support/service/process.ts'

/** The figure to hold is 50 ms; the deadline is for a machine that is busy with other tests. */
const stallMaxMs = 1500
const uploadPath = '/api/v1/files/upload'
const createPath = '/api/v1/jobs/createTask'
const boundary = 'a-boundary'
const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` }
const json = { 'content-type': 'application/json' }

const junk = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, i]))
const part = (headers: string, body: string) => `--${boundary}\r\n${headers}\r\n\r\n${body}\r\n`

const attacks: Record<string, { path: string; options: CallOptions; status: number }> = {
  'many fields and an Idempotency-Key': {
    path: createPath,
    options: { raw: JSON.stringify({ ...taskBody(), ...junk(60_000) }), headers: { ...json, 'idempotency-key': 'a' } },
    status: 422,
  },
  'many fields in 250 kB': {
    path: createPath,
    options: { raw: JSON.stringify({ ...taskBody(), ...junk(15_000) }), headers: { ...json, 'idempotency-key': 'b' } },
    status: 422,
  },
  'a form of 20,000 fields': {
    path: uploadPath,
    options: {
      raw: Array.from({ length: 20_000 }, (_, i) => part(`content-disposition: form-data; name="f${i}"`, 'x')).join(''),
      headers: multipart,
    },
    status: 422,
  },
  'a part with 500,000 header lines': {
    path: uploadPath,
    options: { raw: part(`a: b\r\n${'x: y\r\n'.repeat(500_000)}`, 'x'), headers: multipart },
    status: 422,
  },
  '13.5 MB of base64': {
    path: uploadPath,
    options: { raw: JSON.stringify({ base64Data: 'A'.repeat(13.5 * 2 ** 20) }), headers: json },
    status: 422,
  },
  '13 MB of parameters in a data URL': {
    path: uploadPath,
    options: { raw: JSON.stringify({ base64Data: `data:x${';a'.repeat(6.5 * 2 ** 20)}` }), headers: json },
    status: 422,
  },
  '13 MB of line breaks in base64': {
    path: uploadPath,
    options: { raw: JSON.stringify({ base64Data: 'A\n'.repeat(4 * 2 ** 20) }), headers: json },
    status: 422,
  },
}

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

  for (const [name, { path, options, status }] of Object.entries(attacks)) {
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
    const head = Buffer.from(`--${boundary}\r\n${disposition}\r\ncontent-type: image/png\r\n\r\n`)
    const raw = Buffer.concat([head, Buffer.from(picture, 'base64'), Buffer.from(`\r\n--${boundary}--\r\n`)])
    const answer = await service.api.post(uploadPath, undefined, { raw, headers: multipart })
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await fetch(answer.body.data.downloadUrl)).status, 200)
  })
})
