// The processes that work on queues. Each writes its row every few seconds, and holds its jobs as long as it does.
// Operators see the list, and queues without a worker are found by it.
import { hostname } from 'node:os'
import type { WorkerLoad } from '../contract/operator.ts'
import type { WorkerProcess } from '../contract/operator-queues.ts'
import { anyOf, forUpdate, type Sql, type Tx } from '../db/db.ts'
import type { LaneHealth } from './queue.ts'

/** One queue of this process. */
export interface LaneLoad extends Pick<WorkerLoad, 'queue' | 'slots' | 'running'> {
  health?: LaneHealth | undefined
}

/** What a process is, for operators. */
export interface WorkerAbout {
  /** `server`: it serves requests too. */
  role: 'server' | 'worker'
  release: string
}

/** The name of this process for people: host and process id, which another process may have later. */
export const workerName = `${hostname()}:${process.pid}`

/** A worker that was only suspended may still commit a claim. Its row is kept, so that this job is taken back too. */
const forgetMs = 86_400_000

interface Heartbeat {
  id: string
  about: WorkerAbout
  lanes: LaneLoad[]
  nowMs: number
  leaseMs: number
}

/** Two heartbeats of one process may overlap when one had to wait for the database: the later one counts. */
export async function writeHeartbeat(tx: Tx, { id, about, lanes, nowMs, leaseMs }: Heartbeat): Promise<void> {
  await tx.run(
    `insert into workers (id, name, about, lanes, seen_at, alive_until) values (?, ?, ?, ?, ?, ?)
     on conflict (id) do update set lanes = excluded.lanes, seen_at = excluded.seen_at, alive_until = excluded.alive_until
     where workers.seen_at <= excluded.seen_at`,
    [id, workerName, JSON.stringify(about), JSON.stringify(lanes), nowMs, nowMs + leaseMs],
  )
}

/** The workers without heartbeats. Locks their rows, so that none comes back while its jobs are taken back. */
export async function lockLostWorkers(tx: Tx, nowMs: number): Promise<string[]> {
  await tx.run(
    'delete from workers where alive_until < ? and not exists (select 1 from jobs where worker = workers.id)',
    [nowMs - forgetMs],
  )
  const lost = await tx.all<{ id: string }>(
    `select id from workers where alive_until < ? order by id ${forUpdate(tx, 'skip locked')}`,
    [nowMs],
  )
  return lost.map(({ id }) => id)
}

/** Whether a worker without heartbeats holds jobs. */
export async function someAreLost(sql: Sql, nowMs: number): Promise<boolean> {
  const lost = await sql.all<{ id: string }>('select id from workers where alive_until < ?', [nowMs])
  if (lost.length === 0) return false
  const held = await sql.one(`select 1 from jobs where ${anyOf(sql, 'worker')} limit 1`, [
    JSON.stringify(lost.map(({ id }) => id)),
  ])
  return held !== undefined
}

/** A worker that stops leaves the list. One that could not release all its jobs stays, until they are taken back. */
export async function forgetWorker(sql: Sql, id: string): Promise<void> {
  await sql.run('delete from workers where id = ? and not exists (select 1 from jobs where worker = workers.id)', [id])
}

export async function liveWorkers(sql: Sql, nowMs: number): Promise<WorkerLoad[]> {
  return (await liveLanes(sql, nowMs)).map(({ worker, queue, slots, running, seenAt }) => ({
    worker,
    queue,
    slots,
    running,
    seenAt,
  }))
}

/** The health of the other live workers that serve this queue, as far as they report it. */
export async function lanesOfOthers(sql: Sql, queue: string, nowMs: number): Promise<LaneHealth[]> {
  const lanes = await liveLanes(sql, nowMs)
  return lanes
    .filter((lane) => lane.queue === queue && lane.worker !== workerName)
    .flatMap(({ health }) => health ?? [])
}

/** The live workers with what each is and serves. */
export async function listWorkers(sql: Sql, nowMs: number): Promise<WorkerProcess[]> {
  const rows = await readWorkers(sql, nowMs)
  return rows.map(({ name, lanes, seen_at, about }) => {
    const { role, release } = JSON.parse(about) as WorkerAbout
    const pidAt = name.lastIndexOf(':') + 1
    return {
      worker: name,
      host: name.slice(0, pidAt - 1),
      pid: Number(name.slice(pidAt)),
      role,
      release,
      seenAt: seen_at,
      queues: (JSON.parse(lanes) as LaneLoad[]).map(({ queue, slots, running }) => ({ queue, slots, running })),
    }
  })
}

interface WorkerRow {
  name: string
  lanes: string
  seen_at: number
  about: string
}

const readWorkers = (sql: Sql, nowMs: number) =>
  sql.all<WorkerRow>(
    'select name, lanes, seen_at, about from workers where alive_until >= ? order by name, id limit 1000',
    [nowMs],
  )

async function liveLanes(sql: Sql, nowMs: number): Promise<(LaneLoad & Pick<WorkerLoad, 'worker' | 'seenAt'>)[]> {
  return (await readWorkers(sql, nowMs)).flatMap(({ name, lanes, seen_at }) =>
    (JSON.parse(lanes) as LaneLoad[]).map((lane) => ({ worker: name, ...lane, seenAt: seen_at })),
  )
}
