// Reports ended tasks to the metrics: their total time, and the time in each state.
import type { Db } from '../../db/db.ts'
import type { Logger } from '../../platform/logger.ts'
import { attemptsOf } from '../store/attempts.ts'
import type { TaskRow } from '../store/task-row.ts'
import { movesOf } from '../store/timeline.ts'

interface TaskMetrics {
  stateLeft(state: string, seconds: number): void
  ended(model: string, state: string, seconds: number): void
}

/** Tasks that end within this time are read together. */
const gatherMs = 1000

export function observeEnds(deps: { db: Db; metrics: TaskMetrics; log: Logger }) {
  let gathered: TaskRow[] = []

  async function observeStates(tasks: TaskRow[]): Promise<void> {
    const attempts = await attemptsOf(
      deps.db,
      tasks.map(({ id }) => id),
    )
    for (const task of tasks) {
      const moves = movesOf(task, attempts.get(task.id) ?? [])
      moves.slice(1).forEach((move, i) => {
        deps.metrics.stateLeft(moves[i]!.state, (move.at - moves[i]!.at) / 1000)
      })
    }
  }

  function observeGathered() {
    const tasks = gathered
    gathered = []
    observeStates(tasks).catch((error) => deps.log.warn({ err: error }, 'ended tasks could not be measured'))
  }

  return (tasks: TaskRow[]): void => {
    if (tasks.length === 0) return
    for (const task of tasks) {
      deps.metrics.ended(task.model, task.state, (task.completed_at! - task.created_at) / 1000)
    }
    if (gathered.length === 0) setTimeout(observeGathered, gatherMs).unref()
    gathered.push(...tasks)
  }
}
