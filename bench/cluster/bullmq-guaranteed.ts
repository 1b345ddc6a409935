// The app of bullmq-app.ts with our guarantees: credits are held when a task is accepted and settled when it ends, in a
// ledger with the balance after each entry; each state move and each attempt is stored by compare-and-set; the result's
// files are on disk before the record points at them; and a callback, where the request asks for one, is stored in the
// transaction that ends the task. Written as one would write it: one transaction per request and per step of a job. It
// has no keys, no fair order, no limits and no checks of input.
import { randomUUID } from 'node:crypto'
import { mkdir, open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type pg from 'pg'

export const guaranteedSchema = [
  `create table accounts (id text primary key, balance bigint not null check (balance >= 0))`,
  `create table ledger (id text primary key, account_id text not null references accounts (id), task_id text not null,
     kind text not null, amount bigint not null, balance_after bigint not null, created_at bigint not null,
     unique (task_id, kind))`,
  `create table tasks (id text primary key, account_id text not null references accounts (id), param text not null,
     state text not null, attempt integer not null default 0, result text, created_at bigint not null,
     queued_at bigint, started_at bigint, finished_at bigint)`,
  'create index tasks_by_account on tasks (account_id, id)',
  `create table attempts (task_id text not null, number integer not null, worker text not null, started_at bigint not null,
     ended_at bigint, outcome text, primary key (task_id, number))`,
  `create table files (token text primary key, task_id text not null, path text not null, expires_at bigint not null)`,
  'create index files_by_expiry on files (expires_at)',
  `create table callbacks (id text primary key, task_id text not null unique, body text not null, created_at bigint not null)`,
  'create table outbox (id bigserial primary key, task_id text not null)',
]

const price = 42

export async function acceptTask(pool: pg.Pool, accountId: string, body: unknown): Promise<string> {
  const id = randomUUID()
  await inTransaction(pool, async (run) => {
    const [account] = await run(
      'hold',
      'update accounts set balance = balance - $2 where id = $1 and balance >= $2 returning balance',
      [accountId, price],
    )
    if (!account) throw new Error('too few credits')
    await run(
      'ledger',
      `insert into ledger (id, account_id, task_id, kind, amount, balance_after, created_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [randomUUID(), accountId, id, 'hold', -price, account.balance, Date.now()],
    )
    await run(
      'create',
      `insert into tasks (id, account_id, param, state, created_at) values ($1, $2, $3, 'wait', $4)`,
      [id, accountId, JSON.stringify(body), Date.now()],
    )
    await run('outbox', 'insert into outbox (task_id) values ($1)', [id])
  })
  return id
}

/** One job: prepared, begun, done, ended. Each step is a transaction, as in a service that other processes watch. */
export async function workTask(pool: pg.Pool, id: string, folder: string): Promise<void> {
  const prepared = await move(pool, id, 'wait', 'queueing', 'queued_at')
  if (!prepared) return
  const begun = await inTransaction(pool, async (run) => {
    const [task] = await run(
      'begin_task',
      `update tasks set state = 'generating', attempt = attempt + 1, started_at = $2
       where id = $1 and state = 'queueing' returning attempt`,
      [id, Date.now()],
    )
    if (!task) return null
    await run('begin_attempt', 'insert into attempts (task_id, number, worker, started_at) values ($1, $2, $3, $4)', [
      id,
      task.attempt,
      `worker ${process.pid}`,
      Date.now(),
    ])
    return task.attempt as number
  })
  if (begun === null) return
  const tokens = await storeFiles(pool, id, folder)
  await inTransaction(pool, (run) => endTask(run, id, begun, tokens))
}

async function storeFiles(pool: pg.Pool, id: string, folder: string): Promise<string[]> {
  const files = resultFiles(folder)
  await pool.query({
    name: 'reserve',
    text: `insert into files (token, task_id, path, expires_at)
           select token, $1, path, $4 from unnest($2::text[], $3::text[]) as f(token, path)`,
    values: [id, files.map(({ token }) => token), files.map(({ path }) => path), Date.now() + 14 * 86_400_000],
  })
  await writeFiles(files)
  return files.map(({ token }) => token)
}

interface ResultFile {
  token: string
  path: string
}

/** As many files as a video has: itself, a thumbnail and its last frame. */
export function resultFiles(folder: string): ResultFile[] {
  return Array.from({ length: 3 }, () => {
    const token = randomUUID()
    return { token, path: join(folder, token.slice(0, 2), token) }
  })
}

export async function writeFiles(files: ResultFile[]): Promise<void> {
  await Promise.all(
    files.map(async ({ path }) => {
      await mkdir(dirname(path), { recursive: true })
      const file = await open(`${path}.part`, 'w')
      await file.writeFile(Buffer.alloc(1000))
      await file.sync().finally(() => file.close())
      await rename(`${path}.part`, path)
    }),
  )
}

async function endTask(run: Run, id: string, attempt: number, tokens: string[]): Promise<void> {
  const [task] = await run(
    'end_task',
    `update tasks set state = 'success', result = $3, finished_at = $4
     where id = $1 and state = 'generating' and attempt = $2 returning account_id, param`,
    [id, attempt, JSON.stringify(tokens), Date.now()],
  )
  if (!task) return
  await run(
    'end_attempt',
    `update attempts set ended_at = $3, outcome = 'succeeded' where task_id = $1 and number = $2`,
    [id, attempt, Date.now()],
  )
  const [account] = await run('settle', 'select balance from accounts where id = $1 for update', [task.account_id])
  await run(
    'ledger',
    `insert into ledger (id, account_id, task_id, kind, amount, balance_after, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [randomUUID(), task.account_id, id, 'settle', 0, account!.balance, Date.now()],
  )
  if (JSON.parse(task.param).callBackUrl === undefined) return
  await run('callback', 'insert into callbacks (id, task_id, body, created_at) values ($1, $2, $3, $4)', [
    randomUUID(),
    id,
    JSON.stringify({ code: 200, msg: 'success', data: { taskId: id } }),
    Date.now(),
  ])
}

async function move(pool: pg.Pool, id: string, from: string, to: string, column: string): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: `move_${to}`,
    text: `update tasks set state = '${to}', ${column} = $2 where id = $1 and state = '${from}'`,
    values: [id, Date.now()],
  })
  return rowCount === 1
}

// biome-ignore lint/suspicious/noExplicitAny: rows of every shape
type Run = (name: string, text: string, values: unknown[]) => Promise<any[]>

async function inTransaction<T>(pool: pg.Pool, work: (run: Run) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(async (name, text, values) => (await client.query({ name, text, values })).rows)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
