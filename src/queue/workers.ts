// The list of workers: every few seconds, each process reports which queues it serves and how busy it is. Operators see
// the list, and queues without a worker are found by it. Leases alone decide which worker may run a job.
import { hostname } from 'node:os'
import type { WorkerLoad } from '../contract/operator.ts'
import type { WorkerProcess } from '../contract/operator-queues.ts'
import type { Db, Sql } from '../db/db.ts'
import type { Clock } from '../platform/clock.ts'

/** One queue of this process. */
export interface LaneLoad extends Pick<WorkerLoad, 'queue' | 'slots' | 'running'> {
  health?: LaneHealth
}

/** What the other workers of a queue need to know of this one. */
export interface LaneHealth {
  /** It takes no jobs of the queue at present, because it seems to be to blame for their failures. */
  paused: boolean
  /** When work of each kind last succeeded. */
  succeededAt: Record<string, number | null>
}

/** What a process is, for operators. */
export interface WorkerAbout {
  /** `server`: it serves requests too. */
  role: 'server' | 'worker'
  release: string
}

export const reportEveryMs = 5000
/** A process that has not reported for longer is not shown. */
const silentMs = 4 * reportEveryMs
/** Rows of processes that crashed are deleted after a day. */
const forgetMs = 86_400_000

/** The name of this process: host and process id. */
export const workerName = `${hostname()}:${process.pid}`

export async function reportWorker(
  deps: { db: Db; clock: Clock },
  lanes: LaneLoad[],
  about: WorkerAbout,
): Promise<void> {
  const nowMs = deps.clock.now()
  await deps.db.transaction(
    async (tx) => {
      await tx.run('delete from workers where seen_at < ?', [nowMs - forgetMs])
      // Two reports of one process may overlap when one had to wait for the database.
      await tx.run(
        `insert into workers (id, lanes, seen_at, about) values (?, ?, ?, ?)
         on conflict (id) do update set lanes = excluded.lanes, seen_at = excluded.seen_at, about = excluded.about`,
        [workerName, JSON.stringify(lanes), nowMs, JSON.stringify(about)],
      )
    },
    { durable: false },
  )
}

export async function forgetWorker(db: Db): Promise<void> {
  await db.run('delete from workers where id = ?', [workerName])
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
  return rows.map(({ id, lanes, seen_at, about }) => {
    const { role, release } = JSON.parse(about) as WorkerAbout
    const pidAt = id.lastIndexOf(':') + 1
    return {
      worker: id,
      host: id.slice(0, pidAt - 1),
      pid: Number(id.slice(pidAt)),
      role,
      release,
      seenAt: seen_at,
      queues: (JSON.parse(lanes) as LaneLoad[]).map(({ queue, slots, running }) => ({ queue, slots, running })),
    }
  })
}

interface WorkerRow {
  id: string
  lanes: string
  seen_at: number
  about: string
}

const readWorkers = (sql: Sql, nowMs: number) =>
  sql.all<WorkerRow>('select id, lanes, seen_at, about from workers where seen_at > ? order by id limit 1000', [
    nowMs - silentMs,
  ])

async function liveLanes(sql: Sql, nowMs: number): Promise<(LaneLoad & Pick<WorkerLoad, 'worker' | 'seenAt'>)[]> {
  return (await readWorkers(sql, nowMs)).flatMap(({ id, lanes, seen_at }) =>
    (JSON.parse(lanes) as LaneLoad[]).map((lane) => ({ worker: id, ...lane, seenAt: seen_at })),
  )
}
