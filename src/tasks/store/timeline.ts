// The timeline of a task: every move between its states, with notes from its attempts.
import type { Understood } from '../../contract/tasks/records.ts'
import type { TaskState } from '../../contract/tasks/states.ts'
import { inList, type Sql } from '../../db/db.ts'
import { readAttempts } from './attempts.ts'
import type { AttemptRow, TaskRow } from './task-row.ts'

export interface TimelineMove {
  at: number
  state: TaskState
  attempt: number
  note: string | null
}

/** Every move of the task in order, including its creation. */
export async function readTimeline(sql: Sql, task: TaskRow): Promise<TimelineMove[]> {
  const moves = (await readTimelines(sql, [task])).get(task.id)!
  const attempts = new Map((await readAttempts(sql, task.id)).map((attempt) => [attempt.number, attempt]))
  return moves.map((move) => ({ ...move, note: move.note ?? noteOf(move, attempts.get(move.attempt), task) }))
}

/** The moves of these tasks, without the notes from their attempts. */
export async function readTimelines(sql: Sql, tasks: TaskRow[]): Promise<Map<string, TimelineMove[]>> {
  const rows = await sql.all<TimelineMove & { task_id: string }>(
    // An end comes last even among moves that other processes made in the same millisecond.
    `select task_id, at, state, attempt, note from task_moves where ${inList(sql, 'task_id')}
     order by task_id, at, case when state in ('success', 'fail') then 1 else 0 end, id`,
    [JSON.stringify(tasks.map(({ id }) => id))],
  )
  const moves = Map.groupBy(rows, (row) => row.task_id)
  return new Map(
    tasks.map(({ id, created_at }) => [
      id,
      [
        { at: created_at, state: 'wait' as const, attempt: 0, note: 'accepted' },
        ...(moves.get(id) ?? []).slice(0, movesMax).map(({ task_id: _, ...move }) => move),
      ],
    ]),
  )
}

/** An engine that never takes a task could add more notes; the first ones are enough. */
const movesMax = 1000

function noteOf({ state, attempt }: TimelineMove, row: AttemptRow | undefined, task: TaskRow): string | null {
  if (!row) return null
  if (state === 'queueing') return endOf(row)
  if (state !== 'generating') return null
  const where = `engine ${row.engine} on worker ${row.worker}`
  return attempt === task.attempt && task.understood ? `${where}; ${readingOf(task.understood)}` : where
}

function endOf({ engine, outcome, reason }: AttemptRow): string | null {
  switch (outcome) {
    case 'failed':
      return `retry: the engine ${engine} failed${reason ? `: ${reason}` : ''}`
    case 'unavailable':
      return `retry: the engine ${engine} was unavailable`
    case 'worker_crashed':
      return 'retry: the worker crashed'
    case 'worker_stopped':
      return 'retry: the worker was stopped'
    default:
      return null
  }
}

function readingOf(understood: string): string {
  const { moves, effects, framing, notDone } = JSON.parse(understood) as Understood
  const read = [...moves, ...effects, ...(framing ? [framing] : [])]
  const unread = notDone.length > 0 ? `, not done: ${notDone.join(', ')}` : ''
  return `understood: ${read.join(', ') || 'nothing'}${unread}`
}
