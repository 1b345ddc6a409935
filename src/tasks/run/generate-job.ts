// The job of a task that waits for an engine.
import type { NewJob } from '../../queue/queue.ts'
import type { QueuedTask } from '../store/moves.ts'

export const generateQueue = (engine: string) => `generate:${engine}`

/**
 * Continues the attempt count of the task's earlier jobs, so a worker that lost one of those has a lower attempt number
 * and cannot change the task.
 */
export function generateJob(task: QueuedTask, engine: string, attempt = task.attempt): NewJob {
  const order = task.virtual_finish
  return { queue: generateQueue(engine), subject: task.id, group: task.account_id, order, attempt }
}
