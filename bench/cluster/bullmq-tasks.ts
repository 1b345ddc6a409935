// Tasks through an app on BullMQ (bullmq-app.ts): accepted by its API, moved by its relay, finished by its workers, and
// counted where a client would look, in PostgreSQL.
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { createTestDatabase } from '../../test/support/places/postgres.ts'
import { taskBody } from '../../test/support/service/api.ts'
import { startSubject } from '../support.ts'
import type { Keeps } from './bullmq-app.ts'
import { guaranteedSchema } from './bullmq-guaranteed.ts'
import { jsonPoster } from './client.ts'
import { measureTasks, newDataFolder, type Rates } from './rates.ts'
import { type Fsync, startRedis } from './redis.ts'

const app = new URL('./bullmq-app.ts', import.meta.url)

const bareSchema = [
  `create table tasks (id text primary key, param text not null, state text not null, created_at bigint not null,
     finished_at bigint)`,
  'create table outbox (id bigserial primary key, task_id text not null)',
]

interface BullmqSubject {
  workerCount: number
  fsync: Fsync
  keeps: Keeps
  /** The guaranteed app takes tasks of so many accounts in turn; the others know no accounts. */
  accountCount?: number
}

export async function bullmqTasks(taskCount: number, subject: BullmqSubject): Promise<Rates> {
  const { workerCount, fsync, keeps, accountCount = 0 } = subject
  const isGuaranteed = keeps === 'guaranteed'
  const database = await createTestDatabase()
  const redis = await startRedis(fsync)
  const db = await openPostgres(database.url, { connectionsMax: 1 })
  for (const statement of isGuaranteed ? guaranteedSchema : bareSchema) await db.run(statement)
  const accounts = Array.from({ length: accountCount }, (_, i) => ({ id: `account ${i}`, balance: 1_000_000_000 }))
  await db.insert('accounts', accounts)
  const folder = newDataFolder()
  const start = (role: string) => startSubject(app, [role, database.url, String(redis.port), keeps, folder])
  const api = await start('api')
  const others = await Promise.all([start('relay'), ...Array.from({ length: workerCount }, () => start('work'))])
  const creations = isGuaranteed
    ? accounts.map(({ id }) => jsonPoster(`${api.url}/guaranteed`, taskBody(), { 'x-account': id }))
    : [jsonPoster(`${api.url}/tasks`, taskBody())]
  const create = (i: number) => creations[i % creations.length]!()
  const rates = await measureTasks(taskCount, workerCount, create, { db, column: 'finished_at' })
  for (const each of [api, ...others]) await each.stop()
  await db.close()
  await redis.stop()
  await database.stop()
  return rates
}
