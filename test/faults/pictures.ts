// Serves the pictures of the load: one at once; after a while another one, one that is not there, and one that
// is none, so that faults meet workers that wait for a response. It can go away, as a host does that is restarted.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'

const whileMs = 1500

export interface Pictures {
  origin: string
  /** Breaks every connection; new ones are refused. */
  leave(): Promise<void>
  comeBack(): Promise<void>
  close(): Promise<void>
}

export async function startPictures(): Promise<Pictures> {
  const background = { r: 70, g: 120, b: 180 }
  const picture = await sharp({ create: { width: 640, height: 360, channels: 3, background } })
    .jpeg()
    .toBuffer()
  const server = createServer((request, response) => {
    const answer = () => {
      if (request.url === '/missing') response.writeHead(404).end()
      else response.writeHead(200, { 'content-type': 'image/jpeg' }).end(request.url === '/text' ? 'words' : picture)
    }
    if (request.url === '/picture') answer()
    else setTimeout(answer, whileMs)
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const leave = async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  const port = await listen(0)
  return {
    origin: `http://127.0.0.1:${port}`,
    leave,
    comeBack: async () => void (await listen(port)),
    async close() {
      if (server.listening) await leave()
    },
  }
}
