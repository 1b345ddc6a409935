// The callback body of a finished task. The one of an inference request is in inference/payload.ts, because it is also
// the response to that request.

import { notQueueing } from '../tasks/record/queue-place.ts'
import { unifiedRecord } from '../tasks/record/records.ts'
import type { TaskRow } from '../tasks/store/task-row.ts'

/** `{code, msg, data}`: 200 or the failure's code, and the unified record. */
export function taskCallbackBody(task: TaskRow, publicUrl: string): string {
  const failed = task.state === 'fail'
  return JSON.stringify({
    code: failed ? Number(task.fail_code) : 200,
    msg: failed ? task.fail_msg : 'success',
    data: unifiedRecord(task, publicUrl, notQueueing),
  })
}
