// Serves the pictures of the load: one at once, one after a while, and one that is not there after a while, so that
// faults meet workers that wait for an answer.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'

const whileMs = 1500

export async function startPictures(): Promise<{ origin: string; close(): Promise<void> }> {
  const background = { r: 70, g: 120, b: 180 }
  const picture = await sharp({ create: { width: 640, height: 360, channels: 3, background } })
    .jpeg()
    .toBuffer()
  const server = createServer((request, response) => {
    const isThere = request.url !== '/missing'
    const answer = () =>
      response.writeHead(isThere ? 200 : 404, { 'content-type': 'image/jpeg' }).end(isThere ? picture : '')
    if (request.url === '/picture') answer()
    else setTimeout(answer, whileMs)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
