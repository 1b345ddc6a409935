// Ends a request whose client disconnected: no result, no charge. Its idempotency key is deleted too, so that the
// client can send the request again with the same key.
import { forget } from '../admission/idempotency.ts'
import type { Finish } from '../tasks/finish/finish.ts'
import type { InferDeps } from './infer.ts'
import { failRequest } from './requests.ts'

type Deps = Pick<InferDeps, 'db' | 'queue' | 'clock' | 'events' | 'onEnded'> & { finish: Finish }

export async function giveUp(deps: Deps, id: string): Promise<void> {
  const isRequest = await deps.db.transaction(async (tx) => {
    // Locks the job before the request, in the order of the worker that ends it: otherwise the two could deadlock.
    await deps.queue.lock(tx, [id])
    const request = await failRequest(tx, id, 'canceled', deps.clock.now())
    if (!request) return false
    await deps.queue.remove(tx, [id])
    await deps.onEnded(tx, request)
    await forget(tx, [id])
    tx.afterCommit(() => deps.events.changed(id))
    return true
  })
  if (isRequest) return
  const failure = { reason: 'canceled', message: 'The client disconnected before the video was ready.' } as const
  await deps.finish({ taskId: id, job: null, result: { failure }, stopsEngine: true, isRepeatable: true })
}
