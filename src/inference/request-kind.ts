// Inference requests as a kind of admission: the row of a submission, and its job.
import type { Kind } from '../admission/admission.ts'
import { insertRequests, isRequestStored, openRequests } from './requests.ts'

interface RequestDetails {
  model: string
  /** The accepted body, as JSON. */
  param: string
}

export const inferQueue = 'infer'

export const requestKind: Kind<RequestDetails> = {
  name: 'request',
  async store(tx, accepted) {
    await insertRequests(
      tx,
      accepted.map(({ id, createdAt, submission: { accountId, keyId, details, callBackUrl, price } }) => ({
        id,
        account_id: accountId,
        key_id: keyId,
        model: details.model,
        param: details.param,
        callback_url: callBackUrl,
        state: 'queued',
        estimate: price,
        created_at: createdAt,
      })),
    )
    return accepted.map(({ id, createdAt, submission: { accountId, keyId } }) => ({
      queue: inferQueue,
      subject: id,
      group: keyId,
      owner: accountId,
      order: createdAt,
    }))
  },
  isStored: isRequestStored,
  openWork: openRequests,
}
