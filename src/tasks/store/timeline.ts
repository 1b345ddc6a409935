// The timeline of a task: every move between its states, read from the task's times and its attempts.
import type { Timeline, Understood } from '../../contract/tasks/records.ts'
import { isFinal } from '../../contract/tasks/states.ts'
import type { Sql } from '../../db/db.ts'
import { readAttempts } from './attempts.ts'
import { type InputRetry, readInputRetries } from './input-retries.ts'
import type { AttemptRow, Outcome, TaskRow } from './task-row.ts'

type TimelineMove = Timeline['items'][number]

/** Every move of the task in order, including its creation. */
export async function readTimeline(sql: Sql, task: TaskRow): Promise<TimelineMove[]> {
  const [attempts, retries] = [await readAttempts(sql, task.id), await readInputRetries(sql, task.id)]
  const byNumber = new Map(attempts.map((attempt) => [attempt.number, attempt]))
  const noted = movesOf(task, attempts).map((move) => ({
    ...move,
    note: move.note ?? noteOf(move, byNumber.get(move.attempt), task),
  }))
  // All of them happened before the task left its first state.
  return [...noted.slice(0, 1), ...retries.map(waitingAgain), ...noted.slice(1)]
}

const waitingAgain = ({ failed_at, worker, reason, retry_at }: InputRetry): TimelineMove => ({
  at: failed_at,
  state: 'wait',
  attempt: 0,
  note: `retry in ${((retry_at - failed_at) / 1000).toFixed(1)} s, failed on worker ${worker}: ${reason}`,
})

/** The moves of a task, without the notes from its attempts. */
export function movesOf(task: TaskRow, attempts: readonly AttemptRow[]): TimelineMove[] {
  const moves: TimelineMove[] = [{ at: task.created_at, state: 'wait', attempt: 0, note: 'accepted' }]
  if (task.queued_at !== null) moves.push({ at: task.queued_at, state: 'queueing', attempt: 0, note: null })
  for (const attempt of attempts) {
    const { number, started_at, ended_at } = attempt
    moves.push({ at: started_at, state: 'generating', attempt: number, note: null })
    if (ended_at !== null && isReleased(task, attempt)) {
      moves.push({ at: ended_at, state: 'queueing', attempt: number, note: null })
    }
  }
  if (task.completed_at !== null) {
    moves.push({ at: task.completed_at, state: task.state, attempt: task.attempt, note: task.fail_reason })
  }
  return inOrder(moves)
}

const releases: (Outcome | null)[] = ['unavailable', 'worker_crashed', 'worker_stopped']

/** Whether the task was queued again after the attempt. A failed attempt may also end its task, at the same moment. */
function isReleased(task: TaskRow, { number, outcome, ended_at }: AttemptRow): boolean {
  if (releases.includes(outcome)) return true
  // Only a cancellation can end a task in the same millisecond as it was queued again.
  const endedTask = number === task.attempt && ended_at === task.completed_at && task.fail_reason !== 'canceled'
  return outcome === 'failed' && !endedTask
}

/** Each move once, with times that never go back: processes read their clocks before they lock the task. */
function inOrder(moves: TimelineMove[]): TimelineMove[] {
  const distinct = new Map(moves.map((move) => [`${move.state} ${move.attempt}`, move]))
  const rank = (move: TimelineMove) => (isFinal(move.state) ? Number.POSITIVE_INFINITY : stage(move))
  let latest = 0
  return [...distinct.values()]
    .sort((a, b) => rank(a) - rank(b))
    .map((move) => {
      latest = Math.max(latest, move.at)
      return { ...move, at: latest }
    })
}

/** `wait`, `queueing`, then `generating` and `queueing` of each attempt. */
function stage({ state, attempt }: TimelineMove): number {
  if (state === 'wait') return -2
  return 2 * attempt + (state === 'generating' ? -1 : 0)
}

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
      return `retry: ${reason ?? `the engine ${engine} failed`}`
    case 'unavailable':
      return `retry: ${reason ?? `the engine ${engine} was unavailable`}`
    case 'worker_crashed':
      return 'retry (worker_crashed): the worker crashed'
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
