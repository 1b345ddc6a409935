// What a full database costs: admission, reading records, pages of the list, searches, and jobs through the queue, with
// no and 100 thousand finished tasks (5 million with --large, or --size), on SQLite and PostgreSQL. All sizes of one
// database are open at once and calls take turns, so that a busy machine slows all alike; ratios to the empty one are
// what counts. In truth the empty one holds as many tasks as one search reads. At the end, what removing old records
// costs other requests.
//   node bench/growth.ts [--large] [--size 1000000] [--rounds 9] [--only sqlite|postgres] [--keep FOLDER [--fill]]
//     [--warm | --cold] [--calls 'any page']
// Filling takes long. With --keep the filled databases stay and later runs measure them again; --fill only fills. For
// PostgreSQL, --keep needs a server in TEST_POSTGRES_URL that stays too. With --warm all tasks are read first, so that
// memory holds as many as it can: without it, most calls on a large database are the first ever to read their tasks, while
// a small one is in memory. With --cold, memory forgets every SQLite database before each call, small ones too (Linux
// only). --calls measures only calls whose names begin so, and no purge.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { type App, createApp } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'
import type { Db } from '../src/db/db.ts'
import { openDatabase } from '../src/db/open.ts'
import { scannedMax } from '../src/db/where-clause.ts'
import { systemClock } from '../src/platform/clock.ts'
import { silentLogger } from '../src/platform/logger.ts'
import { createSqlQueue } from '../src/queue/sql-queue.ts'
import { purgeOldRecords } from '../src/tasks/upkeep/upkeep.ts'
import { chosenEngine } from '../test/support/engines/chosen-engine.ts'
import { createTestDatabase, startPostgres } from '../test/support/places/postgres.ts'
import { taskBody } from '../test/support/service/api.ts'
import { testKey } from '../test/support/service/service.ts'
import { fill } from './growth/fill.ts'
import { describePurge, measurePurge } from './growth/purge.ts'
import { makeSampleTask, readSample } from './growth/sample-task.ts'
import { median, percentile } from './support.ts'

const { values } = parseArgs({
  options: {
    large: { type: 'boolean' },
    size: { type: 'string' },
    rounds: { type: 'string', default: '9' },
    only: { type: 'string' },
    keep: { type: 'string' },
    fill: { type: 'boolean' },
    warm: { type: 'boolean' },
    cold: { type: 'boolean' },
    calls: { type: 'string', default: '' },
  },
})
const emptySize = 1.1 * scannedMax
const largeSize = values.large ? 5_000_000 : Number(values.size ?? 0)
const sizes = [emptySize, 100_000, ...(largeSize > 0 ? [largeSize] : [])]
const callsARound = 100
/** The measured account has a tenth of the finished tasks of a full database. */
const ownEvery = 10
const settings = {
  DAILIES_API_KEY: testKey,
  DAILIES_RATE_LIMIT: 'off',
  DAILIES_OPEN_TASKS: '1000000',
  DAILIES_CREDITS: '1000000000',
}

interface Subject {
  size: number
  /** Read by this process from the disk during the measured calls. */
  diskBytes: number
  /** Each does its thing once. */
  calls: Record<string, () => Promise<unknown>>
  /** Makes memory forget the database. */
  forget(): Promise<void>
  /** Removes finished tasks as if all of them were old. */
  purge(signal: AbortSignal): Promise<number>
  stop(): Promise<void>
}

/** Fills the database, unless an earlier run did, and returns its settings. */
async function fillDatabase(name: string, size: number, folder: string, newDatabase: NewDatabase) {
  const kept = join(folder, `${name}-${size}.json`)
  if (existsSync(kept)) return JSON.parse(await readFile(kept, 'utf8')) as Record<string, string>
  const env = { ...settings, DAILIES_DATA: join(folder, `${name}-${size}`), ...(await newDatabase()) }
  const sampleId = await makeSampleTask(env)
  const db = await openDatabase(loadConfig(env))
  const startMs = performance.now()
  const sample = await readSample(db, sampleId)
  await fill(db, sample, { count: size, ownEvery: size === emptySize ? 1 : ownEvery })
  await db.close()
  console.error(`${name} with ${size}: filled in ${Math.round((performance.now() - startMs) / 1000)} s`)
  await writeFile(kept, JSON.stringify(env))
  return env
}

async function openSubject(size: number, env: Record<string, string>): Promise<Subject> {
  // Requests go to it without a socket, and nothing works on what they create.
  const app = await createApp(
    loadConfig(env),
    { log: silentLogger, ...chosenEngine() },
    { serves: 'everything', works: [] },
  )
  const request = createRequest(app)
  const jobs = createJobs(app.db)
  const ownIds = await ownTasks(app.db)
  // So that a search from there on reads as many tasks in a small database as in a large one.
  const searchIds = ownIds.slice(scannedMax)
  const created: string[] = []
  const anyOf = (ids: string[]) => ids[Math.floor(Math.random() * ids.length)]!
  const readRecord = (id: string) => request('GET', `/api/v1/jobs/recordInfo?taskId=${id}`)
  if (values.warm) await readAllTasks(app.db)
  return {
    size,
    diskBytes: 0,
    calls: {
      admission: async () => {
        const { taskId } = await request('POST', '/api/v1/jobs/createTask', taskBody())
        created.push(taskId)
      },
      'a new record': () => readRecord(anyOf(created)),
      'any record': () => readRecord(anyOf(ownIds)),
      'the first page of the list': () => request('GET', '/api/v1/jobs/list'),
      'any page of the list': () => request('GET', `/api/v1/jobs/list?cursor=${anyOf(ownIds)}`),
      // No prompt has these words, so the search reads as many tasks as it may.
      'a search that finds nothing': () => request('GET', '/api/v1/jobs/list?q=nowhere'),
      'a search from any page on': () => request('GET', `/api/v1/jobs/list?q=sailing+boat&cursor=${anyOf(searchIds)}`),
      'the same, finding nothing': () => request('GET', `/api/v1/jobs/list?q=nowhere&cursor=${anyOf(searchIds)}`),
      [jobs.what]: jobs.runAll,
    },
    forget: () => forget(app.db, env),
    purge: (signal) => purgeOldRecords(app, 0, signal),
    async stop() {
      await jobs.stop()
      await app.stop()
    },
  }
}

function createRequest({ server }: App) {
  return async (method: 'GET' | 'POST', url: string, body?: object) => {
    const headers = { authorization: `Bearer ${testKey}` }
    const answer = await server.inject({ method, url, headers, ...(body ? { payload: body } : {}) })
    if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.body}`)
    return answer.json().data
  }
}

/** Jobs through the queue: so many at once that the pauses between claims are lost in it. */
function createJobs(db: Db) {
  const count = 256
  const queue = createSqlQueue({
    db,
    clock: systemClock,
    log: silentLogger,
    about: { role: 'worker', release: 'bench' },
  })
  let left = 0
  let allDone = () => {}
  queue.work('bench', { slots: 64, retryDelayMs: 1000 }, async () => {
    if (--left === 0) allDone()
    return 'done'
  })
  let sent = 0
  const job = () => ({ queue: 'bench', subject: `j${++sent}`, group: 'g', order: sent })
  return {
    what: `${count} jobs, claimed and done`,
    async runAll() {
      left = count
      const done = new Promise<void>((resolve) => {
        allDone = resolve
      })
      const jobs = Array.from({ length: count }, job)
      await db.transaction((tx) => queue.enqueue(tx, jobs))
      await done
    },
    stop: () => queue.stop(1000),
  }
}

/** All tasks, and the index from their ids to them. */
async function readAllTasks(db: Db): Promise<void> {
  await db.transaction((tx) => tx.all('select sum(length(param)) from tasks'), { unhurried: true })
  await db.transaction((tx) => tx.all("select count(*) from tasks where id > ''"), { unhurried: true })
}

/** Both what SQLite keeps and what the system keeps of its file. */
async function forget(db: Db, { DAILIES_DATA }: Record<string, string>): Promise<void> {
  if (db.dialect !== 'sqlite') throw new Error('--cold is for SQLite')
  await db.all('pragma shrink_memory')
  const file = join(DAILIES_DATA!, 'dailies.sqlite')
  await promisify(execFile)('dd', [`of=${file}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0'])
}

/** Zero where the system does not say. PostgreSQL reads in processes of its own. */
function diskBytes(): number {
  if (!existsSync('/proc/self/io')) return 0
  return Number(/^read_bytes: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? 0)
}

/** Tasks of the measured account, oldest first. */
async function ownTasks(db: Db): Promise<string[]> {
  const rows = await db.all<{ id: string }>(
    "select id from tasks where account_id = (select id from accounts where name = 'default') order by id",
  )
  return rows.map(({ id }) => id)
}

/** Times of each call by subject and round: all subjects take turns with every call. */
async function measure(subjects: Subject[], what: string): Promise<Map<Subject, number[][]>> {
  const times = new Map<Subject, number[][]>(subjects.map((subject) => [subject, []]))
  const calls = /jobs|search|nothing/.test(what) ? callsARound / 5 : callsARound
  // The first round warms up and does not count.
  for (let round = 0; round <= Number(values.rounds); round++) {
    if (round === 1) for (const subject of subjects) subject.diskBytes = 0
    const roundTimes = new Map<Subject, number[]>(subjects.map((subject) => [subject, []]))
    for (let i = 0; i < calls; i++) {
      for (const subject of subjects) {
        if (values.cold) await subject.forget()
        const bytesBefore = diskBytes()
        const startMs = performance.now()
        await subject.calls[what]!()
        roundTimes.get(subject)!.push(performance.now() - startMs)
        subject.diskBytes += diskBytes() - bytesBefore
      }
    }
    if (round > 0) for (const [subject, each] of roundTimes) times.get(subject)!.push(each)
  }
  return times
}

/** The median and p99 of all, and the median's ratio to the empty database: the median of rounds, and how far rounds lie apart. */
function report(name: string, what: string, times: Map<Subject, number[][]>): void {
  console.error(`load average ${loadavg()[0]!.toFixed(1)}`)
  const empty = [...times.values()][0]!.map(median)
  for (const [{ size, diskBytes }, rounds] of times) {
    const ratios = rounds.map((round, i) => median(round) / empty[i]!)
    const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2))
    const [ms, p99] = [0.5, 0.99].map((share) => percentile(rounds.flat(), share).toFixed(2).padStart(8))
    const ratio = size === emptySize ? '' : `${median(ratios).toFixed(2)}x empty (${least} to ${most})`
    const disk = diskBytes === 0 ? '' : `, ${(diskBytes / 1024 / rounds.flat().length).toFixed(1)} kB from disk`
    const line = `${what.padEnd(28)} ${ms} ms, p99 ${p99} ms  ${ratio}${disk}`
    console.log(`${name.padEnd(10)} ${String(size).padStart(8)}  ${line}`)
  }
}

/** Returns settings of an empty database of its own. */
type NewDatabase = () => Promise<Record<string, string>>

async function measureDatabase(name: string, newDatabase: NewDatabase): Promise<void> {
  const folder = values.keep ?? (await mkdtemp(join(tmpdir(), 'dailies-growth-')))
  await mkdir(folder, { recursive: true })
  const subjects: Subject[] = []
  // Between claims a queue keeps nothing open that would keep a process.
  const alive = setInterval(() => {}, 1000)
  try {
    const filled: Record<string, string>[] = []
    for (const size of sizes) filled.push(await fillDatabase(name, size, folder, newDatabase))
    if (values.fill) return
    for (const [i, env] of filled.entries()) subjects.push(await openSubject(sizes[i]!, env))
    const calls = Object.keys(subjects[0]!.calls).filter((what) => what.startsWith(values.calls))
    for (const what of calls) report(name, what, await measure(subjects, what))
    if (values.calls !== '') return
    const fullest = subjects.at(-1)!
    for (const line of describePurge(await measurePurge(fullest.calls, fullest.purge))) {
      console.log(`${name.padEnd(10)} ${String(fullest.size).padStart(8)}  ${line}`)
    }
  } finally {
    clearInterval(alive)
    for (const subject of subjects) await subject.stop()
    if (!values.keep) await rm(folder, { recursive: true, force: true })
  }
}

if (values.only !== 'postgres') await measureDatabase('SQLite', async () => ({}))
if (values.only !== 'sqlite') {
  if (values.keep && !process.env.TEST_POSTGRES_URL) throw new Error('--keep needs a PostgreSQL in TEST_POSTGRES_URL')
  const postgres = values.keep ? null : await startPostgres()
  if (postgres) process.env.TEST_POSTGRES_URL = postgres.url
  try {
    await measureDatabase('PostgreSQL', async () => ({ DAILIES_DATABASE_URL: (await createTestDatabase()).url }))
  } finally {
    await postgres?.stop()
  }
}
