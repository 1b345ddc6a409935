// How a task at an upstream service is followed: by its events, or by reading its record where there are none.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { createRemoteHttp } from '../../../src/engines/remote/http.ts'
import { createUpstreamClient } from '../../../src/engines/upstream/client.ts'
import { upstreamSettings } from '../../../src/engines/upstream/settings.ts'
import { createGuardedFetch } from '../../../src/outbound/guarded-fetch.ts'

const json = (code: number, data: unknown): RequestListener => {
  return (_request, response) => {
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify({ code, msg: '', data }))
  }
}
const underWay = json(200, { state: 'generating', progress: 10 })
const ended = { state: 'success', resultJson: '{"resultUrls":["https://example.com/video.mp4"]}' }
const stream: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`event: end\ndata: ${JSON.stringify(ended)}\n\n`)
}

describe('a task at an upstream service', () => {
  let events = stream
  let record = underWay
  let streamsAsked = 0
  const server = createServer((request, response) => {
    const isStream = request.url!.startsWith('/api/v1/jobs/events')
    if (isStream) streamsAsked++
    return isStream ? events(request, response) : record(request, response)
  })
  const fetch = createGuardedFetch({ policy: { loopback: true, private: false, networks: [] } })
  let url = ''
  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(async () => {
    await fetch.close()
    server.close()
  })

  function connect() {
    const http = createRemoteHttp(url, undefined)
    const settings = upstreamSettings.parse({ type: 'upstream', url })
    const client = createUpstreamClient({ name: 'vendor', settings, http, fetch })
    const watch = () => client.watch('task', AbortSignal.timeout(10_000), () => {})
    return { watch, [Symbol.asyncDispose]: () => http.close() }
  }

  test('is followed by its record where the service has no events, which are then not asked for again', async () => {
    await using client = connect()
    events = json(404, null)
    record = underWay
    streamsAsked = 0
    for (let i = 0; i < 3; i++) assert.deepEqual(await client.watch(), { percent: 10 })
    assert.equal(streamsAsked, 1)
  })

  for (const [problem, code] of Object.entries({ 'could not respond for a while': 503, 'has deleted a task': 404 })) {
    test(`is followed by its events also after the service ${problem}`, async () => {
      await using client = connect()
      events = json(code, null)
      record = json(code, null)
      await assert.rejects(client.watch())
      events = stream
      record = underWay
      assert.deepEqual(await client.watch(), { done: { state: 'success', videoUrl: 'https://example.com/video.mp4' } })
    })
  }
})
