// Turns an ended task into metrics: how long it took, and how long it stayed in each state.
import type { Db, Tx } from '../../db/db.ts'
import type { Logger } from '../../platform/logger.ts'
import { readTimeline } from '../store/read.ts'
import type { TaskRow } from '../store/task-row.ts'

export interface TaskMetrics {
  stateLeft(state: string, seconds: number): void
  ended(model: string, state: string, seconds: number): void
}

export function observeEnd(deps: { db: Db; metrics: TaskMetrics; log: Logger }) {
  return async (tx: Tx, task: TaskRow): Promise<void> => {
    tx.afterCommit(() => {
      deps.metrics.ended(task.model, task.state, (task.completed_at! - task.created_at) / 1000)
      readTimeline(deps.db, task)
        .then((moves) => {
          moves.slice(1).forEach((move, i) => {
            deps.metrics.stateLeft(moves[i]!.state, (move.at - moves[i]!.at) / 1000)
          })
        })
        .catch((error) => deps.log.warn({ err: error, task: task.id }, 'a task could not be measured'))
    })
  }
}
