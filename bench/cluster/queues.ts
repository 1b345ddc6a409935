// Bare queues with jobs that do nothing: ours, which ends them one by one, and pg-boss, whose workers take batches of 64
// and end each together.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { PgBoss } from 'pg-boss'
import { migrate } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { silentLogger } from '../../src/platform/logger.ts'
import { createSqlQueue } from '../../src/queue/sql-queue.ts'
import { createTestDatabase } from '../../test/support/places/postgres.ts'
import { measure, type Rates } from './rates.ts'

export async function ourQueue(workerCount: number, jobCount: number): Promise<Rates> {
  const database = await createTestDatabase()
  const db = await openPostgres(database.url, { connectionsMax: 10 })
  await migrate(db, Date.now())
  const queue = createSqlQueue({ db, clock: systemClock, log: silentLogger, about: null })
  const workers = await startQueueWorkers('ours', database.url, workerCount)
  const send = (i: number) =>
    db.transaction((tx) => queue.enqueue(tx, [{ queue: 'bench', subject: `${i}`, group: `${i % 10}`, order: i }]))
  const rates = await measure(jobCount, send, () => workers.until(jobCount).then(Date.now))
  await workers.stop()
  await queue.stop(0)
  await db.close()
  await database.stop()
  return rates
}

/** With `notify` workers are woken by each send; without it they find jobs by polling, within half a second. */
export async function pgBoss(workerCount: number, jobCount: number, notify: boolean): Promise<Rates> {
  const database = await createTestDatabase()
  const boss = new PgBoss({ connectionString: database.url, max: 10 })
  boss.on('error', () => {})
  await boss.start()
  await boss.createQueue('bench', { notify })
  const workers = await startQueueWorkers('pg-boss', database.url, workerCount)
  const send = (i: number) => boss.send('bench', { subject: `${i}` })
  const rates = await measure(jobCount, send, () => workers.until(jobCount).then(Date.now))
  await workers.stop()
  await boss.stop({ graceful: false })
  await database.stop()
  return rates
}

async function startQueueWorkers(kind: 'ours' | 'pg-boss', url: string, count: number) {
  const file = fileURLToPath(new URL('./queue-worker.ts', import.meta.url))
  const children = Array.from({ length: count }, () => fork(file, [kind, url]))
  const done = new Map<ChildProcess, number>()
  let wake = () => {}
  for (const child of children) {
    child.on('message', (message: { done?: number }) => {
      if (message.done === undefined) return
      done.set(child, message.done)
      wake()
    })
  }
  await Promise.all(children.map((child) => once(child, 'message')))
  return {
    async until(total: number) {
      while ([...done.values()].reduce((sum, each) => sum + each, 0) < total) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    async stop() {
      for (const child of children) {
        child.disconnect()
        await once(child, 'exit')
      }
    },
  }
}
