// The job of a task in the queue of its engine. The one before, which prepares the task, is made in submit.ts.
import type { NewJob } from '../../queue/queue.ts'
import type { QueuedTask } from './moves.ts'

export const prepareQueue = 'prepare'
export const generateQueue = (engine: string) => `generate:${engine}`

/**
 * Continues the attempt count of the task's earlier jobs, so a worker that lost one of those has a lower attempt number
 * and cannot change the task.
 */
export function generateJob(task: QueuedTask, engine: string, attempt = task.attempt): NewJob {
  const order = task.virtual_finish
  return { queue: generateQueue(engine), subject: task.id, group: task.account_id, order, attempt }
}
