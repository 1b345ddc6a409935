// Files: uploads in, byte ranges and conditions out, and their end by the clock.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { createManualClock } from '../../../src/platform/clock.ts'
import { makeAudio } from '../../support/files/av-files.ts'
import { startService, type TestService, testKey } from '../../support/service/service.ts'
import { untilTrue } from '../../support/until.ts'

const day = 86_400_000
const clock = createManualClock(Date.parse('2026-01-01T00:00:00Z'))
let service: TestService
let png: Buffer
let source: Server

before(async () => {
  service = await startService({ DAILIES_UPLOAD_QUOTA: '1MB' }, { clock })
  png = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#c63' } })
    .png()
    .toBuffer()
  source = createServer((request, response) => {
    if (request.url === '/picture.png') response.end(png)
    else response.writeHead(404).end('<html>nothing</html>')
  })
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
})
after(async () => {
  source?.close()
  await service?.stop()
})

function upload(parts: Record<string, Blob | string>, name = 'ship.png') {
  const form = new FormData()
  for (const [field, value] of Object.entries(parts)) {
    if (typeof value === 'string') form.append(field, value)
    else form.append(field, value, name)
  }
  return fetch(`${service.url}/api/v1/files/upload`, {
    method: 'POST',
    headers: { authorization: 'Bearer test-key-of-sixteen' },
    body: form,
  })
}

const storedFiles = async () =>
  (await readdir(service.filesDir, { recursive: true, withFileTypes: true }).catch(() => [])).filter((entry) =>
    entry.isFile(),
  ).length

describe('uploads', () => {
  test('a multipart file comes back byte for byte, with what its bytes say it is', async () => {
    const answer = await upload(
      { file: new Blob([new Uint8Array(png)], { type: 'text/html' }) },
      '../../etc/ship<1>.png',
    )
    assert.equal(answer.status, 200)
    const { data } = (await answer.json()) as { data: Record<string, string | number> }
    assert.equal(data.fileName, 'ship1.png')
    assert.equal(data.mimeType, 'image/png')
    assert.equal(data.fileSize, png.length)
    assert.equal(data.expiresAt, clock.now() + 3 * day)
    const file = await fetch(String(data.downloadUrl))
    assert.equal(file.headers.get('content-type'), 'image/png')
    assert.deepEqual(Buffer.from(await file.arrayBuffer()), png)
  })

  test('base64 and a URL work too', async () => {
    const base64Data = `data:image/png;base64,${png.toString('base64')}`
    const byText = await service.api.post('/api/v1/files/upload', { base64Data, fileName: 'a.png' })
    assert.equal(byText.body.data.fileName, 'a.png')
    const { port } = source.address() as AddressInfo
    const byUrl = await service.api.post('/api/v1/files/upload', { fileUrl: `http://127.0.0.1:${port}/picture.png` })
    assert.equal(byUrl.status, 200)
    assert.equal(byUrl.body.data.fileName, 'picture.png')
  })

  test('what cannot be used is refused in words', async () => {
    const { port } = source.address() as AddressInfo
    const cases: [unknown, RegExp][] = [
      [{}, /give either base64Data or fileUrl/],
      [{ base64Data: 'AAAA', fileUrl: 'http://a.b/c' }, /give either base64Data or fileUrl/],
      [{ base64Data: '***' }, /base64Data: must be base64/],
      [
        { base64Data: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64') },
        /file: The file is an SVG image/,
      ],
      [{ base64Data: png.subarray(0, 60).toString('base64') }, /file: /],
      [{ fileUrl: `http://127.0.0.1:${port}/missing` }, /fileUrl: could not be fetched/],
      [{ fileUrl: 'http://169.254.169.254/latest' }, /fileUrl: could not be fetched: address not allowed$/],
      [{ fileUrl: 'ftp://a.b/c' }, /fileUrl: /],
    ]
    for (const [body, sentence] of cases) {
      const answer = await service.api.post('/api/v1/files/upload', body)
      assert.equal(answer.status, 422, JSON.stringify(body))
      assert.match(answer.body.msg, sentence)
    }
    const wrongField = await upload({ picture: new Blob([new Uint8Array(png)]) })
    assert.equal(wrongField.status, 422)
    assert.match(((await wrongField.json()) as { msg: string }).msg, /file: is required/)
  })

  test('sound is taken in whatever a task takes it in, also where the format is one of videos', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dailies-sound-'))
    for (const [extension, mime] of [
      ['mp3', 'audio/mpeg'],
      ['mp4', 'audio/mp4'],
      ['webm', 'audio/webm'],
      ['mkv', 'audio/x-matroska'],
    ] as const) {
      const bytes = await readFile(await makeAudio(join(folder, `sound.${extension}`), 1))
      const answer = await upload({ file: new Blob([bytes]) }, `sound.${extension}`)
      assert.equal(answer.status, 200)
      assert.equal(((await answer.json()) as { data: { mimeType: string } }).data.mimeType, mime)
    }
    await rm(folder, { recursive: true })
  })

  test('uploads are listed, newest first, and can be deleted', async () => {
    const names = ['one.png', 'two.png', 'three.png']
    for (const name of names) await upload({ file: new Blob([new Uint8Array(png)]) }, name)
    const listed: { id: string; fileName: string; downloadUrl: string; createdAt: number }[] = []
    let cursor: string | null = null
    do {
      const query: string = `limit=2${cursor === null ? '' : `&cursor=${cursor}`}`
      const page = (await service.api.get(`/api/v1/files?${query}`)).body.data
      listed.push(...page.items)
      cursor = page.nextCursor
    } while (cursor !== null)
    assert.equal(new Set(listed.map(({ id }) => id)).size, listed.length, 'each once')
    assert.ok(listed.every(({ createdAt }, at) => at === 0 || createdAt <= listed[at - 1]!.createdAt))
    for (const name of names) assert.equal(listed.filter(({ fileName }) => fileName === name).length, 1, name)
    const { id, downloadUrl } = listed.find(({ fileName }) => fileName === 'one.png')!
    assert.equal((await fetch(downloadUrl)).status, 200)
    const deleted = await service.api.delete(`/api/v1/files/${id}`)
    assert.deepEqual(deleted.body.data, { id })
    assert.equal((await fetch(downloadUrl)).status, 404)
    assert.equal((await service.api.delete(`/api/v1/files/${id}`)).status, 404)
    assert.equal((await service.api.get('/api/v1/files?cursor=x')).status, 422)
  })

  test('an image may have 100 MB, like any upload, and not a byte more', async () => {
    const padded = (bytes: number) => new Blob([new Uint8Array(png), new Uint8Array(bytes - png.length)])
    const roomy = await startService()
    const send = async (url: string, bytes: number) => {
      const form = new FormData()
      form.set('file', padded(bytes))
      const headers = { authorization: `Bearer ${testKey}` }
      return fetch(`${url}/api/v1/files/upload`, { method: 'POST', body: form, headers })
    }
    try {
      assert.equal((await send(roomy.url, 100 * 2 ** 20)).status, 200)
      const over = await send(roomy.url, 100 * 2 ** 20 + 1)
      assert.equal(over.status, 422)
      assert.match(await over.text(), /file: must be at most 100 MB/)
    } finally {
      await roomy.stop()
    }
    // The service of these tests keeps 1 MB: the rest is not even written.
    const answer = await upload({ file: padded(100 * 2 ** 20) })
    assert.equal(answer.status, 422)
    assert.match(await answer.text(), /may keep 1 MB of uploads/)
  })

  test('the quota holds under concurrency, and what has expired makes room', async () => {
    const noise = await sharp(
      Buffer.alloc(400 * 400 * 3).map((_, i) => (i * 2654435761) >>> 24),
      { raw: { width: 400, height: 400, channels: 3 } },
    )
      .png()
      .toBuffer()
    const fits = Math.floor(2 ** 20 / noise.length)
    clock.advance(3 * day)
    const answers = await Promise.all(
      Array.from({ length: fits + 5 }, () => upload({ file: new Blob([new Uint8Array(noise)]) })),
    )
    const statuses = answers.map((answer) => answer.status)
    assert.equal(statuses.filter((status) => status === 200).length, fits)
    assert.equal(statuses.filter((status) => status === 422).length, 5)
    clock.advance(3 * day)
    assert.equal((await upload({ file: new Blob([new Uint8Array(noise)]) })).status, 200)
  })

  test('one that could not be stored takes no room', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'dailies-room-'))
    const small = await startService({ DAILIES_DATA: dataDir, DAILIES_UPLOAD_QUOTA: String(png.length) })
    const base64Data = png.toString('base64')
    try {
      await rm(small.filesDir, { recursive: true, force: true })
      await writeFile(small.filesDir, 'in the way')
      assert.equal((await small.api.post('/api/v1/files/upload', { base64Data })).status, 500)
      await rm(small.filesDir)
      assert.equal((await small.api.post('/api/v1/files/upload', { base64Data })).status, 200)
      assert.equal((await small.api.post('/api/v1/files/upload', { base64Data })).status, 422)
    } finally {
      await small.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  })

  test('switched off, it answers 505', async () => {
    const answers = async (status: number) =>
      (await upload({ file: new Blob([new Uint8Array(png)]) })).status === status
    await service.api.post('/api/v1/operator/features', { name: 'uploads', enabled: false })
    await untilTrue('uploads are refused', () => answers(505), 1000)
    await service.api.post('/api/v1/operator/features', { name: 'uploads', enabled: true })
    await untilTrue('uploads are taken', () => answers(200), 1000)
  })
})

describe('reading files', () => {
  let url: string
  let bytes: Buffer
  before(async () => {
    const taskId = await service.api.createTask('a file to read')
    await service.api.until(taskId, ['success'])
    const record = await service.api.get(`/api/v1/video/recordInfo?taskId=${taskId}`)
    url = record.body.data.videoInfo.videoUrl
    bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
  })

  test('the answer carries the headers that keep a file a file', async () => {
    const answer = await fetch(url)
    assert.equal(answer.headers.get('content-type'), 'video/mp4')
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.match(answer.headers.get('content-security-policy')!, /sandbox/)
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
    assert.equal(answer.headers.get('accept-ranges'), 'bytes')
    assert.match(answer.headers.get('content-disposition')!, /^inline; filename="video.mp4"/)
    assert.equal(answer.headers.get('cache-control'), 'private, max-age=86400, immutable')
    assert.match((await fetch(`${url}?download`)).headers.get('content-disposition')!, /^attachment/)
  })

  test('byte ranges', async () => {
    const n = bytes.length
    const cases: [string, number, string | null, Buffer][] = [
      ['bytes=0-3', 206, `bytes 0-3/${n}`, bytes.subarray(0, 4)],
      ['Bytes=0-3', 206, `bytes 0-3/${n}`, bytes.subarray(0, 4)],
      ['bytes=4-', 206, `bytes 4-${n - 1}/${n}`, bytes.subarray(4)],
      ['bytes=-5', 206, `bytes ${n - 5}-${n - 1}/${n}`, bytes.subarray(n - 5)],
      [`bytes=-${n + 100}`, 206, `bytes 0-${n - 1}/${n}`, bytes],
      [`bytes=2-${n + 100}`, 206, `bytes 2-${n - 1}/${n}`, bytes.subarray(2)],
      ['bytes=0-1,4-5', 200, null, bytes],
      ['bytes=5-2', 200, null, bytes],
      ['lines=1-2', 200, null, bytes],
      [`bytes=${n}-`, 416, `bytes */${n}`, Buffer.alloc(0)],
    ]
    for (const [range, status, contentRange, expected] of cases) {
      const answer = await fetch(url, { headers: { range } })
      assert.equal(answer.status, status, range)
      assert.equal(answer.headers.get('content-range'), contentRange, range)
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), expected, range)
    }
  })

  test('HEAD and conditional requests', async () => {
    const head = await fetch(url, { method: 'HEAD' })
    assert.equal(head.status, 200)
    assert.equal(head.headers.get('content-length'), String(bytes.length))
    assert.equal((await head.arrayBuffer()).byteLength, 0)
    const headOfPart = await fetch(url, { method: 'HEAD', headers: { range: 'bytes=0-1' } })
    assert.equal(headOfPart.status, 200)
    assert.equal(headOfPart.headers.get('content-length'), String(bytes.length))
    const etag = head.headers.get('etag')!
    assert.equal((await fetch(url, { headers: { 'if-none-match': etag } })).status, 304)
    assert.equal((await fetch(url, { headers: { 'if-none-match': '"other"' } })).status, 200)
    assert.equal(
      (await fetch(url, { headers: { 'if-modified-since': head.headers.get('last-modified')! } })).status,
      304,
    )
    const ifRange = async (condition: string) =>
      (await fetch(url, { headers: { range: 'bytes=0-1', 'if-range': condition } })).status
    assert.equal(await ifRange(etag), 206)
    assert.equal(await ifRange(head.headers.get('last-modified')!), 206)
    assert.equal(await ifRange('"other"'), 200)
    assert.equal(await ifRange('Mon, 01 Jan 2001 00:00:00 GMT'), 200)
  })

  test('a wrong token, another method and a swept file are 404', async () => {
    const wrong = url.replace(/files\/./, (start) => `files/${start.endsWith('A') ? 'B' : 'A'}`)
    assert.equal((await fetch(wrong)).status, 404)
    assert.equal((await fetch(url, { method: 'POST' })).status, 404)
    assert.equal((await fetch(`${service.url}/files/..%2f..%2fdailies.sqlite/x`)).status, 404)
    const taskId = await service.api.createTask('a file to lose')
    await service.api.until(taskId, ['success'])
    const record = await service.api.get(`/api/v1/video/recordInfo?taskId=${taskId}`)
    await rm(service.filesDir, { recursive: true })
    assert.equal((await fetch(record.body.data.videoInfo.videoUrl)).status, 404)
  })

  test('expiry is exact to the second, and the sweeper removes the bytes', async () => {
    const taskId = await service.api.createTask('a file that dies')
    await service.api.until(taskId, ['success'])
    const read = () => service.api.get(`/api/v1/video/recordInfo?taskId=${taskId}`)
    const { videoUrl } = (await read()).body.data.videoInfo
    clock.advance(14 * day - 1000)
    assert.equal((await fetch(videoUrl)).status, 200)
    assert.equal((await fetch(videoUrl)).headers.get('cache-control'), 'private, max-age=1, immutable')
    assert.equal((await read()).body.data.expireFlag, 0)
    clock.advance(1000)
    assert.equal((await fetch(videoUrl)).status, 404)
    const expired = (await read()).body.data
    assert.equal(expired.expireFlag, 1)
    assert.equal(expired.videoInfo.videoUrl, videoUrl)
    assert.ok((await storedFiles()) > 0)
    await service.app.upkeep()
    assert.equal(await storedFiles(), 0)
    assert.ok(existsSync(service.dataDir))
  })
})

describe('extension', () => {
  test('plays on from a finished video and names its parent', async () => {
    const parent = await service.api.createTask('the first part')
    await service.api.until(parent, ['success'])
    const answer = await service.api.post('/api/v1/video/extend', {
      taskId: parent,
      prompt: 'and then it rains',
      duration: '10',
    })
    assert.equal(answer.status, 200)
    const child = answer.body.data.taskId
    assert.equal((await service.api.until(child, ['success'])).creditsConsumed, 84)
    const record = (await service.api.get(`/api/v1/video/recordInfo?taskId=${child}`)).body.data
    assert.equal(record.parentTaskId, parent)
    assert.equal(record.generateParam.prompt, 'and then it rains')
    assert.equal((await fetch(record.generateParam.imageUrl)).headers.get('content-type'), 'image/jpeg')
  })

  test('is refused for what cannot be extended', async () => {
    const unknown = await service.api.post('/api/v1/video/extend', { taskId: 'nothing', prompt: 'x' })
    assert.equal(unknown.status, 404)
    const running = await service.api.createTask('script: stall')
    const early = await service.api.post('/api/v1/video/extend', { taskId: running, prompt: 'x' })
    assert.equal(early.status, 422)
    assert.match(early.body.msg, /only a finished video/)
    await service.api.post('/api/v1/jobs/cancelTask', { taskId: running })
    const parent = await service.api.createTask('soon gone')
    await service.api.until(parent, ['success'])
    const headers = { 'idempotency-key': 'once' }
    clock.advance(13.5 * day)
    const first = await service.api.post('/api/v1/video/extend', { taskId: parent, prompt: 'x' }, { headers })
    clock.advance(day / 2)
    const late = await service.api.post('/api/v1/video/extend', { taskId: parent, prompt: 'x' })
    assert.match(late.body.msg, /has expired/)
    const again = await service.api.post('/api/v1/video/extend', { prompt: 'x', taskId: parent }, { headers })
    assert.equal(again.body.data.taskId, first.body.data.taskId)
    clock.advance(day / 2 + 1)
    const forgotten = await service.api.post('/api/v1/video/extend', { taskId: parent, prompt: 'x' }, { headers })
    assert.match(forgotten.body.msg, /has expired/)
  })
})
