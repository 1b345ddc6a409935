// The listening socket: which connection is closed where there is no room for another.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { createBoundedServer } from '../../src/http/server/connections/bounded-server.ts'
import { silentLogger } from '../../src/platform/logger.ts'

for (const header of ['accept: */*', 'expect: 100-continue', 'expect: patience']) {
  test(`not the one whose request waits for its response (${header})`, { timeout: 10_000 }, async (t) => {
    const { promise: arrived, resolve: serve } = Promise.withResolvers<ServerResponse>()
    const server = createBoundedServer((_request, response) => serve(response), {
      limits: { total: 10, perAddress: 1 },
      isProxy: () => false,
      unreadableResponse: () => '',
      log: silentLogger,
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const open = () => {
      const socket = connect(port, '127.0.0.1')
      t.after(() => socket.destroy())
      return socket
    }
    t.after(() => server.close())
    const asking = open()
    asking.write(`GET / HTTP/1.1\r\nhost: a\r\n${header}\r\n\r\n`)
    const response = await arrived
    const [asked, other] = [once(asking, 'close'), once(open().resume(), 'close')]
    assert.equal(await Promise.race([asked.then(() => 'asked'), other.then(() => 'other')]), 'other')
    response.setHeader('connection', 'close').end('served')
    assert.match(await text(asking), /200 OK[\s\S]*served/)
  })
}
