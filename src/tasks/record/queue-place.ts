// Where a queueing task is: its place in the fair order, and an estimate of the time until its end. The estimate comes
// from recent attempts on its engine; with too few of them there is none.
import type { TaskRecord } from '../../contract/tasks/records.ts'
import type { Db } from '../../db/db.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Queue } from '../../queue/queue.ts'
import { generateQueue } from '../store/task-jobs.ts'
import type { TaskRow } from '../store/task-row.ts'

export type QueuePlace = Pick<TaskRecord, 'queuePosition' | 'timeLeftMs'>

/** Of a task that does not wait for an engine. */
export const notQueueing: QueuePlace = Object.freeze({ queuePosition: null, timeLeftMs: null })

type Queued = Pick<TaskRow, 'id' | 'state' | 'engine' | 'model' | 'virtual_finish'>

export type FindQueuePlace = (task: Queued) => Promise<QueuePlace>

/** How an engine is doing: the median of recent attempts that succeeded, and how many tasks it runs at once. */
interface Pace {
  medianMs: number
  running: number
}

const recentTasksMax = 200
const attemptsMax = 20
/** Fewer say too little about the next one. */
const attemptsMin = 3
/** Running tasks are among the first in fair order; more open tasks than this are not read. */
const openTasksMax = 1000
/** A page of the list asks for many tasks of one engine. */
const paceMs = 2000
const positionMax = 1000

interface QueuePlaceDeps {
  db: Db
  queue: Pick<Queue, 'countAhead'>
  clock: Clock
}

export function createFindQueuePlace({ db, queue, clock }: QueuePlaceDeps): FindQueuePlace {
  /** By engine and model, so it stays small. */
  const paces = new Map<string, { atMs: number; pace: Promise<Pace | null> }>()

  function paceOf({ engine, model }: Queued): Promise<Pace | null> {
    const name = JSON.stringify([engine, model])
    const known = paces.get(name)
    const nowMs = clock.now()
    if (known && Math.abs(nowMs - known.atMs) < paceMs) return known.pace
    const pace = readPace(db, engine, model)
    paces.set(name, { atMs: nowMs, pace })
    pace.catch(() => paces.delete(name))
    return pace
  }

  return async (task) => {
    if (task.state !== 'queueing') return notQueueing
    const job = { order: task.virtual_finish, subject: task.id }
    const position = 1 + (await queue.countAhead(generateQueue(task.engine), job, positionMax - 1))
    const pace = await paceOf(task)
    return { queuePosition: position, timeLeftMs: pace && timeUntilEnd(position, pace) }
  }
}

/** Slots become free one after another, each after a share of the median; then the task itself takes a median. */
export function timeUntilEnd(position: number, { medianMs, running }: Pace): number {
  return Math.round(medianMs * (position / running + 1))
}

/** Null when nothing runs, as on an engine that is down, or when too little was measured. */
async function readPace(db: Db, engine: string, model: string): Promise<Pace | null> {
  const open = await db.one<{ running: number }>(
    `select count(*) as running from (select engine, state from tasks where completed_at is null
     order by virtual_finish limit ?) as open_tasks where engine = ? and state = 'generating'`,
    [openTasksMax, engine],
  )
  if (open!.running === 0) return null
  const recent = await db.all<{ ms: number }>(
    `select a.ended_at - a.started_at as ms from (select id, model, completed_at from tasks
     where completed_at is not null order by completed_at desc limit ?) as recent
     join task_attempts a on a.task_id = recent.id
     where recent.model = ? and a.engine = ? and a.outcome = 'succeeded' order by recent.completed_at desc limit ?`,
    [recentTasksMax, model, engine, attemptsMax],
  )
  if (recent.length < attemptsMin) return null
  const sorted = recent.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return { medianMs: sorted[Math.floor(sorted.length / 2)]!, running: open!.running }
}
