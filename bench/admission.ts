// Durable creations per second over HTTP at 1, 16 and 64 connections, beside (a) a bare Fastify route with one durable
// insert in the same kind of database and (b) the same service without coalescing; record reads per second beside bare
// routes, one that returns a constant and one that reads a row; and the time from submitting to `generating` on an idle
// service.
//   node bench/admission.ts [--postgres] [--only creations|reads|start]
// Subjects run in processes of their own and take turns; ratios of medians are what counts.

import { parseArgs } from 'node:util'
import { createTestDatabase } from '../test/support/places/postgres.ts'
import { createApi, taskBody } from '../test/support/service/api.ts'
import { interleaved, median, percentile, requestsPerSecond, type Subject, startSubject } from './support.ts'

const { values } = parseArgs({ options: { postgres: { type: 'boolean' }, only: { type: 'string', multiple: true } } })
const measures = (what: string) => values.only === undefined || values.only.includes(what)

const rounds = 3
/** Reads per second differ more from round to round. */
const readRounds = 9
const seconds = 2
const connectionCounts = [1, 16, 64]
const samples = 50
const key = 'bench-key-of-the-service'
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
const body = JSON.stringify(taskBody('A boat leaves the harbour in the morning light'))
const subjectModule = new URL('./admission/subject.ts', import.meta.url)

async function withSubject<T>(role: string, usePostgres: boolean, work: (subject: Subject) => Promise<T>): Promise<T> {
  const database = usePostgres ? await createTestDatabase() : null
  const subject = await startSubject(subjectModule, [role, key], database ? { DAILIES_DATABASE_URL: database.url } : {})
  try {
    return await work(subject)
  } finally {
    await subject.stop()
    await database?.stop()
  }
}

async function measureCreations(service: Subject, uncoalesced: Subject, bare: Subject): Promise<void> {
  const create = (url: string, path: string, connections: number) => () =>
    requestsPerSecond(url, { method: 'POST', path, headers, body, connections, seconds })
  for (const connections of connectionCounts) {
    const rates = await interleaved(rounds, {
      bare: create(bare.url, '/insert', connections),
      uncoalesced: create(uncoalesced.url, '/api/v1/jobs/createTask', connections),
      service: create(service.url, '/api/v1/jobs/createTask', connections),
    })
    console.log(
      `creations at ${String(connections).padStart(2)} connections: ${show(rates.service)}/s` +
        `   ${ratio(rates.service, rates.uncoalesced)} x uncoalesced (${show(rates.uncoalesced)}/s)` +
        `   ${ratio(rates.service, rates.bare)} x bare insert (${show(rates.bare)}/s)`,
    )
  }
}

async function measureReads(service: Subject, bare: Subject): Promise<void> {
  const taskId = await createApi(service.url, key).createTask()
  const read = (url: string, path: string) => () =>
    requestsPerSecond(url, { method: 'GET', path, headers, connections: 64, seconds })
  const inserted = await fetch(`${bare.url}/insert`, { method: 'POST', headers, body })
  const { data: kept } = (await inserted.json()) as { data: { taskId: string } }
  const rates = await interleaved(readRounds, {
    constant: read(bare.url, '/constant'),
    row: read(bare.url, `/read?id=${kept.taskId}`),
    video: read(service.url, `/api/v1/video/recordInfo?taskId=${taskId}`),
    unified: read(service.url, `/api/v1/jobs/recordInfo?taskId=${taskId}`),
  })
  for (const name of ['video', 'unified'] as const) {
    console.log(
      `${name} record reads at 64 connections: ${show(rates[name])}/s` +
        `   ${ratio(rates[name], rates.constant)} x bare constant (${show(rates.constant)}/s)` +
        `   ${ratio(rates[name], rates.row)} x bare row (${show(rates.row)}/s)`,
    )
  }
}

async function measureStart(idle: Subject): Promise<void> {
  const api = createApi(idle.url, key)
  const tookMs: number[] = []
  for (let i = 0; i < samples + 5; i++) {
    const submittedMs = Date.now()
    const taskId = await api.createTask()
    await api.until(taskId, ['success'])
    const { items } = (await api.get(`/api/v1/jobs/timeline?taskId=${taskId}`)).body.data
    const generating = items.find((move: { state: string }) => move.state === 'generating')
    // The first few warm up the service.
    if (i >= 5) tookMs.push(generating.at - submittedMs)
  }
  console.log(`submit to generating: median ${median(tookMs)} ms, p99 ${percentile(tookMs, 0.99)} ms`)
}

async function run(usePostgres: boolean): Promise<void> {
  console.log(usePostgres ? '\nPostgreSQL' : 'SQLite')
  await withSubject('service', usePostgres, (service) =>
    withSubject('uncoalesced', usePostgres, (uncoalesced) =>
      withSubject('bare', usePostgres, async (bare) => {
        if (measures('creations')) await measureCreations(service, uncoalesced, bare)
        if (measures('reads')) await measureReads(service, bare)
      }),
    ),
  )
  if (measures('start')) await withSubject('idle', usePostgres, measureStart)
}

const show = (rate: number) => Math.round(rate).toLocaleString('en')
const ratio = (a: number, b: number) => (a / b).toFixed(2)

await run(false)
if (values.postgres) await run(true)
