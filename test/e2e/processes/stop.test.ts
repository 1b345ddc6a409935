// A stop while clients are in the middle of something: requests that end in time are answered, and clients that do not go
// on keep neither the process nor the tasks of its worker.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { jpeg } from '../../support/files/image-files.ts'
import { places } from '../../support/places/places.ts'
import { startService, type TestService, testKey } from '../../support/service/service.ts'
import { within } from '../../support/within.ts'

const boundary = 'part'
const formStart = Buffer.from(
  `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`,
)
const formEnd = Buffer.from(`\r\n--${boundary}--\r\n`)
/** More than what fits between a server that writes and a client that does not read. */
const largeBytes = 40 * 2 ** 20

const uploadHead = (fileBytes: number) =>
  [
    'POST /api/v1/files/upload HTTP/1.1',
    'host: test',
    `authorization: Bearer ${testKey}`,
    `content-type: multipart/form-data; boundary=${boundary}`,
    `content-length: ${formStart.length + fileBytes + formEnd.length}`,
    '\r\n',
  ].join('\r\n')

async function open({ url }: TestService, head: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(head)
  return socket
}

async function pausedDownload(service: TestService): Promise<Socket> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(await jpeg(64, 36)), new Uint8Array(largeBytes)]), 'large.jpg')
  const headers = { authorization: `Bearer ${testKey}` }
  const response = await fetch(`${service.url}/api/v1/files/upload`, { method: 'POST', headers, body: form })
  const { data } = (await response.json()) as { data: { downloadUrl: string } }
  const socket = await open(service, `GET ${new URL(data.downloadUrl).pathname} HTTP/1.1\r\nhost: test\r\n\r\n`)
  await once(socket, 'readable')
  return socket
}

async function stalledUpload(service: TestService): Promise<Socket> {
  const socket = await open(service, uploadHead(1000))
  socket.write(formStart)
  return socket
}

const halfRequest = (service: TestService) => open(service, 'GET /livez HTTP/1.1\r\n')

for (const { name, create } of places) {
  test(`clients that stall do not keep a stop from releasing the tasks (${name})`, async () => {
    await using opened = new AsyncDisposableStack()
    const place = opened.adopt(await create(), ({ stop }) => stop())
    const first = await startService(place.env)
    for (const stall of [pausedDownload, stalledUpload, halfRequest]) {
      const socket = await stall(first)
      opened.defer(() => void socket.destroy())
    }
    const taskId = await first.api.createTask('script: stall')
    await first.api.until(taskId, ['generating'])
    await within(5_000, 'the stop', first.stop())
    const second = opened.adopt(await startService(place.env), ({ stop }) => stop())
    const { items } = (await second.api.get(`/api/v1/jobs/timeline?taskId=${taskId}`)).body.data
    assert.match(JSON.stringify(items), /the worker was stopped/)
  })
}

test('a client that has sent half a request does not keep a stop waiting', async () => {
  const service = await startService({}, { stopGraceMs: 20_000 })
  const socket = await halfRequest(service)
  // A response on another connection: the server has read what was sent before.
  await service.api.get('/api/v1/account/credit')
  await within(5_000, 'the stop', service.stop())
  socket.destroy()
})

test('an upload that ends in time is answered', async () => {
  const service = await startService({}, { stopGraceMs: 10_000 })
  const picture = await jpeg(64, 36)
  const socket = await open(service, uploadHead(picture.length))
  let received = ''
  socket.setEncoding('latin1').on('data', (text) => {
    received += text
  })
  socket.write(formStart)
  // A response on another connection: the server has read what was sent before.
  await service.api.get('/api/v1/account/credit')
  const stopped = service.stop()
  socket.write(Buffer.concat([picture, formEnd]))
  await within(5_000, 'the stop', stopped)
  assert.match(received, /^HTTP\/1\.1 200 [\s\S]*"fileName":"a\.jpg"/)
})

test('a job that does not end is cut off after DAILIES_STOP_GRACE', async () => {
  // Undefined: the tests' own grace gives way to the setting.
  const service = await startService({ DAILIES_STOP_GRACE: '300ms' }, { stopGraceMs: undefined as never })
  await service.api.until(await service.api.createTask('script: stall'), ['generating'])
  await within(10_000, 'the stop', service.stop())
})
