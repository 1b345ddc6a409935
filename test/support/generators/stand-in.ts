// What the stand-ins for generators have in common: jobs that end when a test says so, results of every bad kind, going
// down, coming back and forgetting. Each server's wire format, and the version it was taken from, is in its own file.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { videoOf } from '../engines/scripted.ts'
import { jpeg } from '../files/image-files.ts'

/** What a generator delivers: the ordered video, or something else. */
export type Result = 'video' | 'short' | 'still' | 'frozen' | 'garbage' | 'html' | 'endless' | 'gzip bomb' | 'nothing'

export interface StandInJob {
  id: string
  state: 'queued' | 'running' | 'done' | 'failed' | 'canceled'
  percent: number
  /** What was submitted, as the server read it. */
  request: Record<string, unknown>
  /** How long the video was ordered. */
  seconds: number
}

export interface StandIn {
  url: string
  submissions(): number
  canceled(): number
  /** New and running jobs wait (default), end well, or end badly. */
  set(mode: 'hold' | 'finish' | 'fail'): void
  percent(percent: number): void
  results(kind: Result): void
  forget(): void | Promise<void>
  /** Responds to every request with this page, or stops doing so. */
  page(html: string | null): void
  /** Accepts connections, and never responds. */
  silent(on: boolean): void
  down(): Promise<void>
  up(): Promise<void>
  close(): Promise<void>
  readonly jobs: Map<string, StandInJob>
  /** How a test makes this server misbehave; each file lists its own. */
  readonly quirks: Set<string>
  /** Every request that came, such as `GET /queue`. */
  readonly requests: string[]
}

export interface Wire {
  request: IncomingMessage
  response: ServerResponse
  url: URL
  body: Buffer
  jobs: Map<string, StandInJob>
  quirks: ReadonlySet<string>
  add(request: Record<string, unknown>, order: { seconds: number; id?: string }): StandInJob
  json(status: number, value: unknown): void
  /** Sends the job's result, of the kind that the test chose. */
  sendResult(job: StandInJob): Promise<void>
  resultBytes(job: StandInJob): Promise<Buffer>
}

interface StandInOptions {
  /** Handles an upgrade to a WebSocket. */
  onUpgrade?(request: IncomingMessage, socket: Duplex): void
}

const frozen = fileURLToPath(new URL('frozen.mp4', import.meta.url))
const shortSeconds = 1.3
const bodyBytesMax = 64 * 2 ** 20

export async function startStandIn(
  answer: (wire: Wire) => Promise<void> | void,
  options: StandInOptions = {},
): Promise<StandIn> {
  const jobs = new Map<string, StandInJob>()
  const quirks = new Set<string>()
  const requests: string[] = []
  let submissions = 0
  let mode: 'hold' | 'finish' | 'fail' = 'hold'
  let percent = 0
  let kind: Result = 'video'
  let page: string | null = null
  let silent = false
  const upgraded = new Set<Duplex>()
  let port = 0

  function apply() {
    for (const job of jobs.values()) {
      if (job.state === 'canceled' || job.state === 'done' || job.state === 'failed') continue
      job.percent = percent
      job.state = mode === 'hold' ? 'running' : mode === 'finish' ? 'done' : 'failed'
    }
  }

  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    response.on('error', () => {})
    // Null when the other side hung up in the middle.
    const body = await readBody(request).catch(() => null)
    if (body === null) return
    const url = new URL(request.url ?? '/', 'http://generator')
    requests.push(`${request.method} ${url.pathname}`)
    if (silent) return
    const json = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }
    if (page !== null) return response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    apply()
    await answer({
      request,
      response,
      url,
      body,
      jobs,
      quirks,
      json,
      resultBytes: (job) => resultBytes(kind, job),
      add(submitted, { seconds, id = randomUUID() }) {
        submissions++
        const job: StandInJob = { id, state: 'queued', percent: 0, request: submitted, seconds }
        jobs.set(id, job)
        return job
      },
      sendResult: (job) => sendResult(response, kind, job),
    })
  }
  const create = () => {
    const created = createServer(listener)
    created.on('upgrade', (request, socket) => {
      upgraded.add(socket)
      socket.on('close', () => upgraded.delete(socket))
      if (options.onUpgrade && !silent && page === null) options.onUpgrade(request, socket)
      else socket.destroy()
    })
    return created
  }
  let server = create()
  const listen = async () => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  const down = async () => {
    for (const socket of upgraded) socket.destroy()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  await listen()
  return {
    url: `http://127.0.0.1:${port}`,
    jobs,
    quirks,
    requests,
    submissions: () => submissions,
    canceled: () => [...jobs.values()].filter(({ state }) => state === 'canceled').length,
    set: (next) => {
      mode = next
    },
    percent: (next) => {
      percent = next
    },
    results: (next) => {
      kind = next
    },
    forget: () => jobs.clear(),
    page: (html) => {
      page = html
    },
    silent: (on) => {
      silent = on
    },
    down,
    async up() {
      server = create()
      await listen()
    },
    close: down,
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes <= bodyBytesMax) chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function resultBytes(kind: Result, { seconds }: StandInJob): Promise<Buffer> {
  if (kind === 'short') return videoOf(shortSeconds)
  if (kind === 'still') return jpeg(64, 36)
  if (kind === 'frozen') return videoOf(seconds, frozen)
  if (kind === 'garbage') return Buffer.from('not a video at all, but a few words '.repeat(50))
  if (kind === 'html') return Buffer.from('<!doctype html><title>Sign in</title>')
  if (kind === 'nothing') return Buffer.alloc(0)
  if (kind === 'endless' || kind === 'gzip bomb') return Buffer.alloc(3 * 2 ** 20, 7)
  return videoOf(seconds)
}

async function sendResult(response: ServerResponse, kind: Result, job: StandInJob): Promise<void> {
  if (kind === 'endless') return endless(response)
  if (kind === 'gzip bomb') {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-encoding': 'gzip' })
    response.end(gzipSync(Buffer.alloc(2 ** 20)))
    return
  }
  response.writeHead(200, { 'content-type': kind === 'html' ? 'text/html' : 'video/mp4' })
  response.end(await resultBytes(kind, job))
}

/** Writes until the other side has had enough. */
function endless(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'video/mp4' })
  const chunk = Buffer.alloc(64 * 1024, 7)
  const write = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', write)
  write()
}
