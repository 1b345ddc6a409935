// Submissions for benchmarks: tasks of an account of their own, with credits that do not run out.
import { createAccount } from '../src/accounts/accounts.ts'
import { createKey } from '../src/accounts/keys.ts'
import type { Db } from '../src/db/db.ts'
import type { Submission } from '../src/tasks/admission/admit.ts'
import { taskBody, variantA } from '../test/support/service/api.ts'

let accounts = 0

export async function newSubmission(db: Db): Promise<() => Submission> {
  const { accountId, keyId } = await db.transaction(async (tx) => {
    const account = await createAccount(tx, `bench ${++accounts}`, 1e12, Date.now())
    const key = await createKey(tx, { accountId: account.id, name: 'bench' }, Date.now())
    return { accountId: account.id, keyId: key.id }
  })
  const order = { prompt: 'a boat', firstFrame: { url: 'http://127.0.0.1:9/a.png' }, seconds: 5 }
  return () => ({
    accountId,
    keyId,
    parentId: null,
    model: variantA,
    engine: 'scripted',
    param: JSON.stringify(taskBody()),
    videoOrder: JSON.stringify(order),
    ignoredFields: [],
    callBackUrl: null,
    price: 42,
    features: [],
    idempotency: null,
  })
}
