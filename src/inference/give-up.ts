// Ends a request whose client hung up: no result, no charge. Its idempotency key is forgotten with it, so that a client
// whose line broke can ask again with the same key and is served anew.
import type { Db } from '../db/db.ts'
import type { FinishDeps } from '../tasks/finish/finish.ts'
import { abandonTask } from '../tasks/finish/finish.ts'
import type { InferDeps } from './infer.ts'
import { failRequest } from './requests.ts'

type Deps = Pick<InferDeps, 'db' | 'queue' | 'clock' | 'events' | 'onEnded'> & { finish: FinishDeps & { db: Db } }

export async function giveUp(deps: Deps, id: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const request = await failRequest(tx, id, 'canceled', deps.clock.now())
    if (request) {
      await deps.queue.remove(tx, id)
      await deps.onEnded(tx, request)
      tx.afterCommit(() => deps.events.changed(id))
    } else {
      const message = 'The client hung up before the video was there.'
      if (!(await abandonTask(deps.finish, tx, id, { reason: 'canceled', message }))) return
    }
    await tx.run('delete from idempotency where task_id = ?', [id])
  })
}
