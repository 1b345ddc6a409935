// The largest upload that is accepted, and the smallest that is not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { startService, testKey } from '../../support/service/service.ts'

const bytesMax = 100 * 2 ** 20

test('an image may have 100 MB, like any upload, and not a byte more', async () => {
  await using opened = new AsyncDisposableStack()
  const service = opened.adopt(await startService(), ({ stop }) => stop())
  const png = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#c63' } })
    .png()
    .toBuffer()
  const send = (bytes: number) => {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(png), new Uint8Array(bytes - png.length)]), 'ship.png')
    const headers = { authorization: `Bearer ${testKey}` }
    return fetch(`${service.url}/api/v1/files/upload`, { method: 'POST', body: form, headers })
  }
  assert.equal((await send(bytesMax)).status, 200)
  const over = await send(bytesMax + 1)
  assert.equal(over.status, 422)
  assert.match(await over.text(), /file: must be at most 100 MB/)
})
