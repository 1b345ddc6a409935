// Files as clients read them: headers, byte ranges, conditions, and expiry by the clock.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readlink, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { TaskRecord } from '../../../client/src/contract.ts'
import { videoFileName, videoUrlOf } from '../../../client/src/records.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { startService, type TestService } from '../../support/service/service.ts'
import { untilTrue } from '../../support/until.ts'

const day = 86_400_000
const clock = createManualClock(Date.parse('2026-01-01T00:00:00Z'))
let service: TestService
before(async () => {
  service = await startService({}, { clock })
})
after(() => service?.stop())

const storedFiles = async () =>
  (await readdir(service.filesDir, { recursive: true, withFileTypes: true }).catch(() => [])).filter((entry) =>
    entry.isFile(),
  ).length

describe('reading files', () => {
  let url: string
  let taskId: string
  let bytes: Buffer
  before(async () => {
    taskId = await service.api.createTask('A “Zürich” file (to read)')
    await service.api.until(taskId, ['success'])
    const record = await service.api.get(`/api/v1/video/recordInfo?taskId=${taskId}`)
    url = record.body.data.videoInfo.videoUrl
    bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
  })

  test('the response carries the headers that keep a file a file', async () => {
    const answer = await fetch(url)
    assert.equal(answer.headers.get('content-type'), 'video/mp4')
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.match(answer.headers.get('content-security-policy')!, /sandbox/)
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
    assert.equal(answer.headers.get('accept-ranges'), 'bytes')
    assert.equal(answer.headers.get('cache-control'), 'private, max-age=86400, immutable')
    assert.match((await fetch(`${url}?download`)).headers.get('content-disposition')!, /^attachment/)
  })

  test('a saved file is named after the prompt and the id, as the client names it; its URL is not', async () => {
    const record = (await service.api.record(taskId)) as unknown as TaskRecord
    const name = videoFileName(record)
    assert.equal(name, `a-zurich-file-to-read-${taskId.slice(-8)}.mp4`)
    const answer = await fetch(url)
    assert.equal(answer.headers.get('content-disposition'), `inline; filename="${name}"; filename*=UTF-8''${name}`)
    assert.match(url, /\/video\.mp4$/)
    const japanese = await service.api.createTask('湖の上の日の出')
    const shown = (await service.api.until(japanese, ['success'])) as unknown as TaskRecord
    const { headers } = await fetch(videoUrlOf(shown)!)
    assert.equal(
      headers.get('content-disposition'),
      `inline; filename="_______-${japanese.slice(-8)}.mp4"; filename*=UTF-8''${encodeURIComponent(videoFileName(shown))}`,
    )
  })

  test('a name keeps the marks that scripts spell with, and syllables whole', async () => {
    for (const [prompt, slug] of [
      ['नदी पर सूर्योदय', 'नदी-पर-सूर्योदय'],
      ['호수의 일출', '호수의-일출'],
      ['Świt nad jeziorem', 'swit-nad-jeziorem'],
    ] as const) {
      const id = await service.api.createTask(prompt)
      const shown = (await service.api.until(id, ['success'])) as unknown as TaskRecord
      assert.equal(videoFileName(shown), `${slug}-${id.slice(-8)}.mp4`)
      const { headers } = await fetch(videoUrlOf(shown)!)
      assert.ok(headers.get('content-disposition')!.endsWith(`''${encodeURIComponent(videoFileName(shown))}`))
    }
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

  test('a client that hangs up at any moment leaves no file open', async () => {
    const { port, pathname } = new URL(url)
    // The list contains its own descriptor, which is closed by then.
    const openFiles = async () => {
      const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''))
      return (await Promise.all(links)).filter((path) => path.startsWith(service.filesDir))
    }
    for (let turns = 0; turns < 60; turns++) {
      const socket = connect(Number(port), '127.0.0.1')
      await once(socket, 'connect')
      socket.write(`GET ${pathname} HTTP/1.1\r\nhost: x\r\n\r\n`)
      for (let turn = 0; turn < turns; turn++) await setImmediate()
      socket.resetAndDestroy()
    }
    await untilTrue('every file is closed', async () => (await openFiles()).length === 0, 3_000)
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
