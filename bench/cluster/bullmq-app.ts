// A small app of the kind that many would write: tasks in PostgreSQL, work in BullMQ on Redis, and an outbox between the
// two so that no accepted task is ever without its job. One process a role:
//   api    POST /tasks: a task and its outbox row in one statement, which is one transaction
//   relay  moves outbox rows to the queue, many at once; one that dies in between sends them again under the same id
//   work   does nothing, and marks the task finished
// It has no keys, no credits and no checks. `bare`, it has no files either; `files`, its workers write those of a video to
// disk; `guaranteed`, it also holds and settles credits and stores each move and attempt (bullmq-guaranteed.ts).
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Queue, Worker } from 'bullmq'
import fastify from 'fastify'
import pg from 'pg'
import { acceptTask, resultFiles, workTask, writeFiles } from './bullmq-guaranteed.ts'

const queueName = 'tasks'
const relayMax = 500
/** How soon the relay looks again after it found nothing. */
const relayPauseMs = 5
const workerSlots = 64

type Role = 'api' | 'relay' | 'work'
export type Keeps = 'bare' | 'files' | 'guaranteed'

const roles: Record<Role, (pool: pg.Pool, connection: { host: string; port: number }) => Promise<string>> = {
  async api(pool) {
    const server = fastify()
    server.post('/guaranteed', async (request) => ({
      taskId: await acceptTask(pool, String(request.headers['x-account']), request.body),
    }))
    server.post('/tasks', async (request) => {
      const id = randomUUID()
      await pool.query({
        name: 'create',
        text: `with task as (insert into tasks (id, param, state, created_at) values ($1, $2, 'queued', $3) returning id)
               insert into outbox (task_id) select id from task`,
        values: [id, JSON.stringify(request.body), Date.now()],
      })
      return { taskId: id }
    })
    return server.listen({ host: '127.0.0.1', port: 0 })
  },

  async relay(pool, connection) {
    const queue = new Queue(queueName, { connection })
    await queue.waitUntilReady()
    const client = await pool.connect()
    const moveSome = async () => {
      await client.query('begin')
      const { rows } = await client.query<{ task_id: string }>({
        name: 'move',
        text: `delete from outbox where id in (select id from outbox order by id limit $1 for update skip locked)
               returning task_id`,
        values: [relayMax],
      })
      const jobs = rows.map(({ task_id: id }) => ({ name: 'task', data: { id }, opts: { jobId: id } }))
      if (jobs.length > 0) await queue.addBulk(jobs)
      await client.query('commit')
      return jobs.length
    }
    const forever = async () => {
      for (;;) if ((await moveSome()) === 0) await sleep(relayPauseMs)
    }
    forever().catch(fail)
    return ''
  },

  async work(pool, connection) {
    const finish = (id: string) =>
      pool.query({
        name: 'finish',
        text: `update tasks set state = 'success', finished_at = $2 where id = $1 and state = 'queued'`,
        values: [id, Date.now()],
      })
    const handlers: Record<Keeps, (id: string) => Promise<unknown>> = {
      bare: finish,
      async files(id) {
        await writeFiles(resultFiles(folder))
        await finish(id)
      },
      guaranteed: (id) => workTask(pool, id, folder),
    }
    const handler = async (job: { data: { id: string } }) => {
      await handlers[keeps](job.data.id)
    }
    const worker = new Worker(queueName, handler, {
      connection,
      concurrency: workerSlots,
      removeOnComplete: { count: 0 },
    })
    worker.on('error', fail)
    await worker.waitUntilReady()
    return ''
  },
}

function fail(error: Error): never {
  console.error(error)
  process.exit(1)
}

const [role, databaseUrl, redisPort, keeps, folder] = process.argv.slice(2) as [Role, string, string, Keeps, string]
process.once('disconnect', () => process.exit(0))
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
const url = await roles[role](pool, { host: '127.0.0.1', port: Number(redisPort) })
process.send!({ url })
