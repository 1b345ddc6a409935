// Receivers for bench/callbacks.ts, in a process of their own: one that responds at once and remembers when each
// callback came, and any number that accept and never respond. Each hanging one has an address of its own (Linux responds
// at all of 127.0.0.0/8), because the service limits what an account sends to one address.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const hanging = Number(process.argv[2] ?? 0)
let arrivals: [id: string, atMs: number][] = []

async function listen(server: Server, address: string): Promise<string> {
  server.listen(0, address)
  await once(server, 'listening')
  return `http://${address}:${(server.address() as AddressInfo).port}`
}

const healthy = await listen(
  createServer((request, response) => {
    arrivals.push([String(request.headers['webhook-id']), performance.timeOrigin + performance.now()])
    request.resume()
    request.on('end', () => response.end('ok'))
  }),
  '127.0.0.1',
)
const dead: string[] = []
let held = 0
for (let i = 0; i < hanging; i++) {
  const server = createServer((request) => {
    held++
    request.resume()
  })
  dead.push(await listen(server, `127.0.1.${i + 1}`))
}

process.on('message', () => {
  process.send!({ arrivals, held })
  arrivals = []
})
process.on('disconnect', () => process.exit())
process.send!({ healthy, dead })
