// Reports ended tasks to the metrics: their total time, and the time in each state.
import type { Db } from '../../db/db.ts'
import type { Logger } from '../../platform/logger.ts'
import type { TaskRow } from '../store/task-row.ts'
import { readTimelines } from '../store/timeline.ts'

export interface TaskMetrics {
  stateLeft(state: string, seconds: number): void
  ended(model: string, state: string, seconds: number): void
}

export function observeEnds(deps: { db: Db; metrics: TaskMetrics; log: Logger }) {
  async function observeStates(tasks: TaskRow[]): Promise<void> {
    for (const moves of (await readTimelines(deps.db, tasks)).values()) {
      moves.slice(1).forEach((move, i) => {
        deps.metrics.stateLeft(moves[i]!.state, (move.at - moves[i]!.at) / 1000)
      })
    }
  }

  return (tasks: TaskRow[]): void => {
    if (tasks.length === 0) return
    for (const task of tasks) {
      deps.metrics.ended(task.model, task.state, (task.completed_at! - task.created_at) / 1000)
    }
    observeStates(tasks).catch((error) => deps.log.warn({ err: error }, 'ended tasks could not be measured'))
  }
}
