// The end that each task of the load was asked for, and which tasks ended otherwise: nothing that happens to the
// cluster may show in how a task ends.
import type { FailReason } from '../../src/contract/tasks/fail-reasons.ts'
import type { TaskRow } from '../../src/tasks/store/task-row.ts'

export type AskedEnd = 'success' | { reason: FailReason; message: RegExp }

export interface AcceptedTask {
  taskId: string
  /** More than one where the load cannot know, such as after a cancellation without a response. */
  ends: AskedEnd[]
}

export const canceled: AskedEnd = { reason: 'canceled', message: /canceled by its owner/ }

type EndedTask = Pick<TaskRow, 'state' | 'fail_reason' | 'fail_msg'>

export function endedAsAsked(task: EndedTask, ends: AskedEnd[]): boolean {
  return ends.some((end) => {
    if (end === 'success') return task.state === 'success'
    return task.state === 'fail' && task.fail_reason === end.reason && end.message.test(task.fail_msg ?? '')
  })
}

/** How a task may end that was canceled, by the code of the response; null without one. */
export function endsAfterCancel(ends: AskedEnd[], code: number | null): AskedEnd[] {
  if (code === 200) return [canceled]
  // It had ended before.
  if (code === 422) return ends
  return [...ends, canceled]
}
