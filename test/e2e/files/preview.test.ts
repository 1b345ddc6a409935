// Previews of images elsewhere: small, fetched under the rules of input files, and paid from the budget of free work.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { lyingJpeg } from '../../support/files/image-files.ts'
import { startService, type TestService, testKey } from '../../support/service/service.ts'
import { untilTrue } from '../../support/until.ts'

let source: Server
let service: TestService
const origin = () => `http://127.0.0.1:${(source.address() as AddressInfo).port}`

before(async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const photo = await sharp({ create: { width: 2000, height: 1000, channels: 3, background: '#c63', noise } })
    .jpeg()
    .withMetadata({ orientation: 6 })
    .toBuffer()
  const lying = await lyingJpeg(640, 800)
  source = createServer((request, response) => {
    if (request.url === '/photo.jpg') response.end(photo)
    else if (request.url === '/svg.png') response.end('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    else if (request.url === '/metadata')
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end()
    else if (request.url === '/lying.jpg') response.end(lying)
    else if (request.url === '/cut.jpg') response.end(photo.subarray(0, photo.length / 2))
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
  service = await startService()
})
after(async () => {
  await service?.stop()
  source?.close()
})

const preview = (url: unknown, { url: base } = service, key: string | null = testKey) =>
  fetch(`${base}/api/v1/files/preview`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ url }),
  })

describe('previews', () => {
  test('an image elsewhere comes as a small upright WebP, and nothing of it is kept', async () => {
    const answer = await preview(`${origin()}/photo.jpg`)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'image/webp')
    const { format, width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    assert.deepEqual({ format, width, height }, { format: 'webp', width: 320, height: 640 })
    const left = (await readdir(join(service.filesDir, '..'), { recursive: true })).filter((name) =>
      name.includes('preview-'),
    )
    assert.deepEqual(left, [])
    assert.deepEqual((await service.api.get('/api/v1/files')).body.data.items, [])
  })

  test('an image with flaws that a task accepts is shown', async () => {
    const answer = await preview(`${origin()}/lying.jpg`)
    assert.equal(answer.status, 200)
    const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    assert.deepEqual({ width, height }, { width: 512, height: 640 })
  })

  test('a file of this service is read from storage', async () => {
    const png = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#369' } })
      .png()
      .toBuffer()
    const upload = await service.api.post('/api/v1/files/upload', { base64Data: png.toString('base64') })
    const answer = await preview(upload.body.data.downloadUrl)
    const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    assert.deepEqual({ width, height }, { width: 64, height: 48 })
    assert.equal((await preview(upload.body.data.downloadUrl.replace(/files\/.{4}/, 'files/aaaa'))).status, 422)
  })

  test('a name that does not exist is refused as one that is not allowed', async () => {
    const [unknown, refused] = await Promise.all(
      ['http://no-such-name.invalid/a.png', 'http://169.254.169.254/a.png'].map((url) => preview(url)),
    )
    assert.deepEqual(await unknown!.text(), await refused!.text())
  })

  for (const [name, url, says] of [
    ['a metadata address', () => 'http://169.254.169.254/latest/meta-data', /address not allowed/],
    ['a redirect to one', () => `${origin()}/metadata`, /address not allowed/],
    ['an SVG that calls itself PNG', () => `${origin()}/svg.png`, /must be a still JPEG or PNG/],
    ['half an image', () => `${origin()}/cut.jpg`, /image/],
    ['nothing', () => `${origin()}/missing`, /could not be fetched/],
    ['another scheme', () => 'file:///etc/passwd', /^url: /],
    ['no text', () => 7, /^url: /],
  ] as [string, () => unknown, RegExp][]) {
    test(`${name} is refused with the reason`, async () => {
      const answer = await preview(url())
      const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: unknown }
      assert.deepEqual([answer.status, code, data], [422, 422, null])
      assert.match(msg, says)
    })
  }

  test('needs a key', async () => {
    assert.equal((await preview(`${origin()}/photo.jpg`, service, null)).status, 401)
  })

  test('uses up the free work of its key', async () => {
    const tight = await startService({ DAILIES_FREE_WORK: '1ms/1h' })
    try {
      assert.equal((await preview(`${origin()}/photo.jpg`, tight)).status, 200)
      await untilTrue('a refusal', async () => (await preview(`${origin()}/missing`, tight)).status === 429)
    } finally {
      await tight.stop()
    }
  })
})
