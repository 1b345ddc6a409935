// What a full database costs: admission, reading a record, a page of the list, and jobs through the queue, with 0 and
// 100 thousand finished tasks (5 million with --large), on SQLite and PostgreSQL. All databases are open at once and
// calls take turns, so that a busy machine slows all alike; ratios of medians to the empty one are what counts.
//   node bench/growth.ts [--large] [--rounds 5] [--only sqlite|postgres]
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadConfig } from '../src/config.ts'
import type { Db } from '../src/db/db.ts'
import { buildParts, type Parts } from '../src/parts.ts'
import { silentLogger } from '../src/platform/logger.ts'
import { findTask, listTasks } from '../src/tasks/read.ts'
import { createTestDatabase, startPostgres } from '../test/support/postgres.ts'
import { newSubmission } from './submission.ts'
import { median } from './support.ts'

const { values } = parseArgs({
  options: { large: { type: 'boolean' }, rounds: { type: 'string', default: '5' }, only: { type: 'string' } },
})
const sizes = [0, 100_000, ...(values.large ? [5_000_000] : [])]
const callsARound = 100
const fillMax = 100_000
/** One finished task in so many is of the account that is measured. */
const ownShare = 10
const firstMs = Date.parse('2026-01-01T00:00:00Z')

/** Ids as the service makes them, of tasks that were made one a millisecond: they sort before all new ones. */
const idSql = (sqlite: boolean, n: string) => {
  const hex = sqlite ? `printf('%012x', ${firstMs} + ${n})` : `lpad(to_hex(${firstMs} + ${n}), 12, '0')`
  return `substr(${hex}, 1, 8) || '-' || substr(${hex}, 9, 4) || '-7000-8000-000000000000'`
}

const numbersSql = (sqlite: boolean) =>
  sqlite
    ? '(with recursive s(n) as (select ? union all select n + 1 from s where n < ?) select n from s) as s'
    : 'generate_series(?::bigint, ?::bigint) as s(n)'

async function fill(db: Db, own: { accountId: string; keyId: string }, count: number): Promise<void> {
  const sqlite = db.dialect === 'sqlite'
  const other = 'other'
  await db.run(
    `insert into accounts (id, name, balance, webhook_secret, created_at) values ('${other}', '${other}', 0, 's', 0)`,
  )
  const id = idSql(sqlite, 'n')
  const owner = (mine: string) => `case when n % ${ownShare} = 0 then '${mine}' else '${other}' end`
  const padding = 'x'.repeat(300)
  for (let from = 0; from < count; from += fillMax) {
    const range = [from, Math.min(count, from + fillMax) - 1]
    await db.run(
      `insert into tasks (id, account_id, key_id, model, engine, state, param, video_order, ignored_fields, price,
         virtual_start, virtual_finish, video, created_at, updated_at, state_at, completed_at, expires_at)
       select ${id}, ${owner(own.accountId)}, ${owner(own.keyId)}, 'm', 'scripted', 'success', '${padding}',
         '${padding}', '[]', 42, 0, 0, '{}', ${firstMs} + n, ${firstMs} + n, ${firstMs} + n, ${firstMs} + n,
         ${firstMs} + n from ${numbersSql(sqlite)}`,
      range,
    )
    await db.run(
      `insert into ledger (id, account_id, task_id, kind, amount, balance_after, created_at)
       select 'h' || ${id}, ${owner(own.accountId)}, ${id}, 'hold', -42, 0, ${firstMs} + n from ${numbersSql(sqlite)}`,
      range,
    )
    await db.run(
      `insert into ledger (id, account_id, task_id, kind, amount, balance_after, created_at)
       select 's' || ${id}, ${owner(own.accountId)}, ${id}, 'settle', 0, 0, ${firstMs} + n from ${numbersSql(sqlite)}`,
      range,
    )
    await db.run(
      `insert into task_moves (id, task_id, at, state, attempt)
       select ${id}, ${id}, ${firstMs} + n, 'success', 1 from ${numbersSql(sqlite)}`,
      range,
    )
  }
  // As autovacuum would, sooner or later.
  if (!sqlite) await db.run('vacuum analyze')
}

interface Subject {
  name: string
  size: number
  /** Each does its thing once. */
  calls: Record<string, () => Promise<unknown>>
  stop(): Promise<void>
}

async function openSubject(name: string, size: number, env: Record<string, string>): Promise<Subject> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dailies-growth-'))
  const config = loadConfig({
    DAILIES_DATA: dataDir,
    DAILIES_ENGINE: 'scripted',
    DAILIES_OPEN_TASKS: '10000000',
    ...env,
  })
  const parts: Parts = await buildParts(config, { log: silentLogger }, { publicUrl: () => '' })
  const { db, queue } = parts
  const submission = await newSubmission(db)
  const { accountId, keyId } = submission()
  const startMs = performance.now()
  await fill(db, { accountId, keyId }, size)
  console.error(`${name} with ${size}: filled in ${Math.round((performance.now() - startMs) / 1000)} s`)
  const caller = { accountId, keyId, isSubKey: false } as Parameters<typeof listTasks>[1]
  const created: string[] = []
  const worked = new Map<string, () => void>()
  queue.work('bench', { slots: 8, retryDelayMs: 1000 }, async (job) => {
    worked.get(job.subject)?.()
    return 'done'
  })
  let jobs = 0
  return {
    name,
    size,
    calls: {
      admission: async () => created.push(await parts.admission.submit(submission())),
      'reading a record': () => findTask(db, created[Math.floor(Math.random() * created.length)]!),
      'a page of the list': () => listTasks(db, caller, { limit: 20 }),
      'a job, sent and done': async () => {
        const subject = `j${++jobs}`
        const done = new Promise<void>((resolve) => worked.set(subject, resolve))
        await db.transaction((tx) => queue.enqueue(tx, [{ queue: 'bench', subject, group: 'g', order: jobs }]))
        await done
        worked.delete(subject)
      },
    },
    async stop() {
      await queue.stop(1000)
      await parts.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const postgres = values.only === 'sqlite' ? null : await startPostgres()
if (postgres) process.env.TEST_POSTGRES_URL = postgres.url
const subjects: Subject[] = []
try {
  for (const size of sizes) {
    if (values.only !== 'postgres') subjects.push(await openSubject('SQLite', size, {}))
    if (postgres) {
      const { url } = await createTestDatabase()
      subjects.push(await openSubject('PostgreSQL', size, { DAILIES_DATABASE_URL: url }))
    }
  }
  const timesMs = new Map<string, number[]>()
  // The first round warms up and does not count.
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const what of Object.keys(subjects[0]!.calls)) {
      for (let i = 0; i < callsARound; i++) {
        for (const { name, size, calls } of subjects) {
          const startMs = performance.now()
          await calls[what]!()
          const key = `${name} ${what} ${size}`
          if (round > 0) timesMs.set(key, [...(timesMs.get(key) ?? []), performance.now() - startMs])
        }
      }
    }
  }
  for (const { name, size, calls } of subjects) {
    for (const what of Object.keys(calls)) {
      const ms = median(timesMs.get(`${name} ${what} ${size}`)!)
      const ratio = ms / median(timesMs.get(`${name} ${what} 0`)!)
      console.log(
        `${name.padEnd(10)} ${String(size).padStart(8)} tasks  ${what.padEnd(22)} ${ms.toFixed(2).padStart(7)} ms  ${ratio.toFixed(2)}x empty`,
      )
    }
  }
} finally {
  for (const subject of subjects) await subject.stop()
  await postgres?.stop()
}
