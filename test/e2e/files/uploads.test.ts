// Uploads: what is accepted, kept within the quota, listed and deleted.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { makeAudio } from '../../support/files/av-files.ts'
import { createManualClock } from '../../support/manual-clock.ts'
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
    else if (request.url === '/page.html') response.end('<!doctype html><html></html>')
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
    headers: { authorization: `Bearer ${testKey}` },
    body: form,
  })
}

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
    for (const head of ['DATA:IMAGE/PNG;BASE64', 'data:;Base64', 'data:image/png;charset=utf-8;base64']) {
      const { body } = await service.api.post('/api/v1/files/upload', {
        base64Data: `${head},${png.toString('base64')}`,
      })
      assert.equal(body.data?.mimeType, 'image/png', `${head}: ${body.msg}`)
    }
    const { port } = source.address() as AddressInfo
    const byUrl = await service.api.post('/api/v1/files/upload', { fileUrl: `http://127.0.0.1:${port}/picture.png` })
    assert.equal(byUrl.status, 200)
    assert.equal(byUrl.body.data.fileName, 'picture.png')
  })

  test('base64 in lines works, wherever its padding is', async () => {
    // The text is read in slices of this length.
    const sliceCharacters = 65_536
    const padded = Buffer.concat([png, Buffer.alloc((4 - (png.length % 3)) % 3)]).toString('base64')
    assert.match(padded, /[^=]==$/)
    for (const after of [0, 1, 2]) {
      const base64Data = `${' '.repeat(sliceCharacters + after - padded.length)}${padded}\n`
      const { status, body } = await service.api.post('/api/v1/files/upload', { base64Data })
      assert.equal(status, 200, `${after} characters in the second slice: ${body.msg}`)
    }
    for (const wrong of ['AA==AA==', 'AA===', `AA=${' '.repeat(sliceCharacters)}A`]) {
      const { body } = await service.api.post('/api/v1/files/upload', { base64Data: wrong })
      assert.equal(body.msg, 'base64Data: must be base64', wrong.trim())
    }
  })

  test('what cannot be used is refused with a clear message', async () => {
    const { port } = source.address() as AddressInfo
    const cases: [unknown, RegExp][] = [
      [{}, /give either base64Data or fileUrl/],
      [{ base64Data: 'AAAA', fileUrl: 'http://a.b/c' }, /give either base64Data or fileUrl/],
      [{ base64Data: '***' }, /base64Data: must be base64/],
      [
        { base64Data: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64') },
        /^base64Data: The file is an SVG image/,
      ],
      [{ base64Data: png.subarray(0, 60).toString('base64') }, /^base64Data: The image is damaged/],
      [{ fileUrl: `http://127.0.0.1:${port}/page.html` }, /^fileUrl: The file is an HTML page/],
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

  test('a form that ends inside its file is refused, and the service goes on', async () => {
    const boundary = 'form-of-a-test'
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="ship.png"\r\n\r\n`
    for (const size of [png.length - 10, png.length]) {
      const answer = await service.api.post('/api/v1/files/upload', undefined, {
        raw: Buffer.concat([Buffer.from(head), png.subarray(0, size)]),
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      })
      assert.equal(answer.status, 422, answer.text)
      assert.match(answer.body.msg, /^body: is not a multipart form/)
    }
    assert.equal((await upload({ file: new Blob([new Uint8Array(png)]) })).status, 200)
  })

  test('a form with a second file, or with too many parts, is refused instead of read in part', async () => {
    const image = () => new Blob([new Uint8Array(png)])
    const fields = Object.fromEntries(Array.from({ length: 31 }, (_, i) => [`field${i}`, 'x']))
    for (const [parts, problem] of [
      [{ file: image(), other: image() }, 'file: must be the only file of the form'],
      [{ other: image(), file: image() }, 'file: must be the only file of the form'],
      [{ ...fields, file: image() }, 'body: must have at most 30 fields besides the file'],
      [{ file: image(), ...fields, more: 'x' }, 'body: must have at most 30 fields besides the file'],
    ] as const) {
      const answer = await upload(parts)
      assert.equal(answer.status, 422)
      assert.equal(((await answer.json()) as { msg: string }).msg, problem)
    }
    const form = new FormData()
    for (const name of ['one.png', 'two.png']) form.append('file', image(), name)
    const headers = { authorization: `Bearer ${testKey}` }
    const twice = await fetch(`${service.url}/api/v1/files/upload`, { method: 'POST', body: form, headers })
    assert.equal(twice.status, 422)
    assert.match(await twice.text(), /file: must be the only file of the form/)
    const { items } = (await service.api.get('/api/v1/files')).body.data
    assert.ok(items.every(({ fileName }: { fileName: string }) => !/^(one|two)\.png$/.test(fileName)))
  })

  test('a client that leaves in the middle of its file leaves no open file behind', async () => {
    const openUploads = async () => {
      const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''))
      return (await Promise.all(links)).filter((path) => path.includes('/upload-'))
    }
    const head = 'content-disposition: form-data; name="file"; filename="ship.png"\r\n\r\n'
    const client = connect(Number(new URL(service.url).port), '127.0.0.1')
    client.on('error', () => {})
    client.write(
      `POST /api/v1/files/upload HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${testKey}\r\ncontent-length: 500000\r\n` +
        `content-type: multipart/form-data; boundary=x\r\n\r\n--x\r\n${head}`,
    )
    client.write(png)
    await untilTrue('the file is being written', async () => (await openUploads()).length === 1)
    client.destroy()
    await untilTrue('the file is closed', async () => (await openUploads()).length === 0)
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

  test('an upload over the quota is refused before the rest of it is written', async () => {
    const padded = new Blob([new Uint8Array(png), new Uint8Array(10 * 2 ** 20 - png.length)])
    const answer = await upload({ file: padded })
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
    const refused = answers.filter((answer) => answer.status === 422)
    assert.equal(refused.length, 5)
    assert.match(await refused[0]!.text(), /"file: the account may keep 1 MB .* has 0 MB left; delete some, or wait/)
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

  test('switched off, it is 505', async () => {
    const answers = async (status: number) =>
      (await upload({ file: new Blob([new Uint8Array(png)]) })).status === status
    await service.api.post('/api/v1/operator/features', { name: 'uploads', enabled: false })
    await untilTrue('uploads are refused', () => answers(505), 1000)
    await service.api.post('/api/v1/operator/features', { name: 'uploads', enabled: true })
    await untilTrue('uploads are taken', () => answers(200), 1000)
  })
})
