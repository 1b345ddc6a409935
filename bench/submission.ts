// Submissions for benchmarks: tasks of an account of their own, with credits that do not run out.
import { createAccount } from '../src/accounts/accounts.ts'
import { createKey } from '../src/accounts/keys/keys.ts'
import type { NewSubmission } from '../src/admission/submission.ts'
import type { Db } from '../src/db/db.ts'
import { type TaskDetails, tasks } from '../src/tasks/submit.ts'
import { plainBox } from '../test/support/plain-box.ts'
import { taskBody, variantA } from '../test/support/service/api.ts'

let accounts = 0

export async function newSubmission(db: Db): Promise<() => NewSubmission<TaskDetails>> {
  const { accountId, keyId } = await db.transaction(async (tx) => {
    const account = await createAccount(tx, `bench ${++accounts}`, 1e12, Date.now(), plainBox)
    const key = await createKey(tx, { accountId: account.id, name: 'bench' }, Date.now())
    return { accountId: account.id, keyId: key.id }
  })
  const request = { prompt: 'a boat', firstFrame: { url: 'http://127.0.0.1:9/a.png' }, seconds: 5 }
  return () => ({
    accountId,
    keyId,
    kind: tasks,
    details: {
      parent_id: null,
      model: variantA,
      engine: 'scripted',
      param: JSON.stringify(taskBody()),
      request: JSON.stringify(request),
      search_text: request.prompt,
      ignored_fields: '[]',
      via: 'task',
      traceparent: null,
    },
    callBackUrl: null,
    price: 42,
    features: [],
    idempotency: null,
    refusal: null,
  })
}
