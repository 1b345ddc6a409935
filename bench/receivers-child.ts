// Receivers for bench/callbacks.ts, in a process of their own: one that answers at once and remembers when each
// callback came, and any number that accept and never answer.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const hanging = Number(process.argv[2] ?? 0)
let arrivals: [id: string, atMs: number][] = []

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const healthy = await listen(
  createServer((request, response) => {
    arrivals.push([String(request.headers['webhook-id']), performance.timeOrigin + performance.now()])
    request.resume()
    request.on('end', () => response.end('ok'))
  }),
)
const dead: string[] = []
let held = 0
for (let i = 0; i < hanging; i++) {
  const server = createServer((request) => {
    held++
    request.resume()
  })
  dead.push(await listen(server))
}

process.on('message', () => {
  process.send!({ arrivals, held })
  arrivals = []
})
process.on('disconnect', () => process.exit())
process.send!({ healthy, dead })
