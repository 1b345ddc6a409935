// What the stand-ins for generators have in common: jobs that end when a test says so, results of every bad kind, going
// away, coming back and forgetting. Each generator's wire is in a file of its own.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

/** What a generator hands out in place of a video. */
export type Result = 'video' | 'garbage' | 'html' | 'endless' | 'gzip bomb' | 'nothing'

export interface StandInJob {
  id: string
  state: 'queued' | 'running' | 'done' | 'failed' | 'canceled'
  percent: number
  /** What was submitted, as the generator understood it. */
  request: Record<string, unknown>
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
  /** Answers every request with this page, or takes it back. */
  page(html: string | null): void
  /** Accepts, and never answers. */
  silent(on: boolean): void
  down(): Promise<void>
  up(): Promise<void>
  close(): Promise<void>
  readonly jobs: Map<string, StandInJob>
}

export interface Wire {
  request: IncomingMessage
  response: ServerResponse
  url: URL
  body: Buffer
  jobs: Map<string, StandInJob>
  add(request: Record<string, unknown>, id?: string): StandInJob
  json(status: number, value: unknown): void
  /** Sends the result of the kind that the test chose. */
  sendResult(): Promise<void>
  resultBytes(): Promise<Buffer>
}

const video = new URL('../../../src/engines/scripted.mp4', import.meta.url)
const bodyBytesMax = 64 * 2 ** 20

export async function startStandIn(answer: (wire: Wire) => Promise<void> | void): Promise<StandIn> {
  const jobs = new Map<string, StandInJob>()
  let submissions = 0
  let mode: 'hold' | 'finish' | 'fail' = 'hold'
  let percent = 0
  let kind: Result = 'video'
  let page: string | null = null
  let silent = false
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
    if (body === null || silent) return
    const json = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }
    if (page !== null) return response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    apply()
    await answer({
      ...{ request, response, body, jobs, json, resultBytes: () => resultBytes(kind) },
      url: new URL(request.url ?? '/', 'http://generator'),
      add(submitted, id = randomUUID()) {
        submissions++
        const job: StandInJob = { id, state: 'queued', percent: 0, request: submitted }
        jobs.set(id, job)
        return job
      },
      sendResult: () => sendResult(response, kind),
    })
  }
  let server = createServer(listener)
  const listen = async () => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  const down = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  await listen()
  return {
    url: `http://127.0.0.1:${port}`,
    jobs,
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
      server = createServer(listener)
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

async function resultBytes(kind: Result): Promise<Buffer> {
  if (kind === 'garbage') return Buffer.from('not a video at all, but a few words '.repeat(50))
  if (kind === 'html') return Buffer.from('<!doctype html><title>Sign in</title>')
  if (kind === 'nothing') return Buffer.alloc(0)
  if (kind === 'endless' || kind === 'gzip bomb') return Buffer.alloc(3 * 2 ** 20, 7)
  return readFile(video)
}

async function sendResult(response: ServerResponse, kind: Result): Promise<void> {
  if (kind === 'endless') return endless(response)
  if (kind === 'gzip bomb') {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-encoding': 'gzip' })
    response.end(gzipSync(Buffer.alloc(2 ** 20)))
    return
  }
  response.writeHead(200, { 'content-type': kind === 'html' ? 'text/html' : 'video/mp4' })
  response.end(await resultBytes(kind))
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
