// Submissions for benchmarks: tasks of an account of their own, with credits that do not run out.
import { createAccount } from '../src/accounts/accounts.ts'
import { createKey } from '../src/accounts/keys/keys.ts'
import type { Submission } from '../src/admission/admission.ts'
import type { Db } from '../src/db/db.ts'
import { type TaskDetails, taskKind } from '../src/tasks/admission/task-kind.ts'
import { plainBox } from '../test/support/plain-box.ts'
import { taskBody, variantA } from '../test/support/service/api.ts'

let accounts = 0

export async function newSubmission(db: Db): Promise<() => Submission<TaskDetails>> {
  const { accountId, keyId } = await db.transaction(async (tx) => {
    const account = await createAccount(tx, `bench ${++accounts}`, 1e12, Date.now(), plainBox)
    const key = await createKey(tx, { accountId: account.id, name: 'bench' }, Date.now())
    return { accountId: account.id, keyId: key.id }
  })
  const request = { prompt: 'a boat', firstFrame: { url: 'http://127.0.0.1:9/a.png' }, seconds: 5 }
  return () => ({
    accountId,
    keyId,
    kind: taskKind,
    details: {
      parentId: null,
      model: variantA,
      engine: 'scripted',
      param: JSON.stringify(taskBody()),
      videoRequest: JSON.stringify(request),
      searchText: request.prompt,
      ignoredFields: [],
    },
    callBackUrl: null,
    price: 42,
    features: [],
    idempotency: null,
  })
}
