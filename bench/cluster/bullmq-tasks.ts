// Tasks through an app on BullMQ (bullmq-app.ts): accepted by its API, moved by its relay, finished by its workers, and
// counted where a client would look, in PostgreSQL.
import { openPostgres } from '../../src/db/postgres.ts'
import { createTestDatabase } from '../../test/support/places/postgres.ts'
import { createApi, taskBody } from '../../test/support/service/api.ts'
import { startSubject } from '../support.ts'
import { measure, type Rates, untilCounted } from './rates.ts'
import { type Fsync, startRedis } from './redis.ts'

const app = new URL('./bullmq-app.ts', import.meta.url)

const schema = [
  `create table tasks (id text primary key, param text not null, state text not null, created_at bigint not null,
     finished_at bigint)`,
  'create table outbox (id bigserial primary key, task_id text not null)',
]

export async function bullmqTasks(workerCount: number, taskCount: number, fsync: Fsync): Promise<Rates> {
  const database = await createTestDatabase()
  const redis = await startRedis(fsync)
  const db = await openPostgres(database.url, { connectionsMax: 1 })
  for (const statement of schema) await db.run(statement)
  const start = (role: string) => startSubject(app, [role, database.url, String(redis.port)])
  const api = await start('api')
  const others = await Promise.all([start('relay'), ...Array.from({ length: workerCount }, () => start('work'))])
  const client = createApi(api.url, null)
  const create = async () => {
    const answer = await client.post('/tasks', taskBody())
    if (answer.status !== 200) throw new Error(answer.text)
  }
  const finished = 'select count(*) as count from tasks where finished_at is not null'
  const rates = await measure(taskCount, create, () => untilCounted(db, finished, taskCount))
  for (const each of [api, ...others]) await each.stop()
  await db.close()
  await redis.stop()
  await database.stop()
  return rates
}
