// Who works where: each process says every few seconds which queues it serves and how busy it is, so that an operator
// sees them all, and queues that nobody works are found. Who may work a job is decided by leases alone.
import { hostname } from 'node:os'
import type { Db, Sql } from '../db/db.ts'
import type { Clock } from '../platform/clock.ts'

export interface LaneLoad {
  queue: string
  slots: number
  running: number
}

/** One queue of one process. */
export interface WorkerLoad extends LaneLoad {
  worker: string
  seenAt: number
}

export const reportEveryMs = 5000
/** Silent for longer, a process is not shown any more. */
const silentMs = 4 * reportEveryMs
/** Rows of processes that died without a word are removed after a day. */
const forgetMs = 86_400_000

/** Names this process: host and process id. */
export const workerName = () => `${hostname()}:${process.pid}`

export async function reportWorker(deps: { db: Db; clock: Clock }, lanes: LaneLoad[]): Promise<void> {
  const nowMs = deps.clock.now()
  await deps.db.transaction(
    async (tx) => {
      await tx.run('delete from workers where seen_at < ?', [nowMs - forgetMs])
      // Two reports of one process may overlap, where one had to wait for the database.
      await tx.run(
        `insert into workers (id, lanes, seen_at) values (?, ?, ?)
         on conflict (id) do update set lanes = excluded.lanes, seen_at = excluded.seen_at`,
        [workerName(), JSON.stringify(lanes), nowMs],
      )
    },
    { durable: false },
  )
}

export async function forgetWorker(db: Db): Promise<void> {
  await db.run('delete from workers where id = ?', [workerName()])
}

export async function liveWorkers(sql: Sql, nowMs: number): Promise<WorkerLoad[]> {
  const rows = await sql.all<{ id: string; lanes: string; seen_at: number }>(
    'select id, lanes, seen_at from workers where seen_at > ? order by id limit 1000',
    [nowMs - silentMs],
  )
  return rows.flatMap(({ id, lanes, seen_at }) =>
    (JSON.parse(lanes) as LaneLoad[]).map((lane) => ({ worker: id, ...lane, seenAt: seen_at })),
  )
}
