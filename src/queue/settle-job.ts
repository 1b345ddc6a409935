// Completes a job in the transaction that stores its outcome.
import type { Tx } from '../db/db.ts'
import type { Job, Queue } from './queue.ts'

/** Another worker has the job now. Nothing from this worker may be stored. */
export class LeaseLostError extends Error {
  constructor(message = 'the job was taken over or removed') {
    super(message)
  }
}

export async function settleJob(queue: Queue, tx: Tx, job: Job): Promise<void> {
  if (!(await queue.complete(tx, job))) throw new LeaseLostError()
}
