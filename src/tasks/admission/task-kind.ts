// Tasks as a kind of admission: the row of a submission, and its first job.
import { latestVirtualFinish } from '../../accounts/locked-balances.ts'
import type { Accepted, Kind } from '../../admission/admission.ts'
import { insertTasks, isTaskStored, virtualStartOfFirstWaiting } from '../store/store.ts'
import { prepareQueue } from '../store/task-jobs.ts'
import type { TaskRow } from '../store/task-row.ts'

export interface TaskDetails {
  /** The task that this one extends. */
  parentId: string | null
  model: string
  engine: string
  /** The accepted body and its parsed form, both as JSON. */
  param: string
  videoRequest: string
  searchText: string | null
  ignoredFields: string[]
  via?: TaskRow['via']
  traceparent?: string
}

export const taskKind: Kind<TaskDetails> = {
  name: 'task',
  async store(tx, accepted) {
    await insertTasks(tx, accepted.map(rowOf))
    return accepted.map(({ id, submission, virtualFinish }) => ({
      queue: prepareQueue,
      subject: id,
      // The slow input files of one sub-key must not delay the tasks of another.
      group: submission.keyId,
      owner: submission.accountId,
      order: virtualFinish,
    }))
  },
  isStored: isTaskStored,
  /** The virtual start of the first waiting task; if none waits, the virtual finish of the last admitted one. */
  virtualNow: async (tx) => (await virtualStartOfFirstWaiting(tx)) ?? (await latestVirtualFinish(tx)),
}

function rowOf({ id, createdAt, submission, virtualStart, virtualFinish }: Accepted<TaskDetails>) {
  const { details, accountId, keyId, callBackUrl, price } = submission
  return {
    id,
    account_id: accountId,
    key_id: keyId,
    parent_id: details.parentId,
    model: details.model,
    engine: details.engine,
    state: 'wait',
    param: details.param,
    request: details.videoRequest,
    search_text: details.searchText,
    ignored_fields: JSON.stringify(details.ignoredFields),
    callback_url: callBackUrl,
    via: details.via ?? 'task',
    price,
    virtual_start: virtualStart,
    virtual_finish: virtualFinish,
    progress: 0,
    attempt: 0,
    created_at: createdAt,
    updated_at: createdAt,
    state_at: createdAt,
    traceparent: details.traceparent ?? null,
  }
}
