// Why a task failed. The reasons and their codes are in contract/tasks/fail-reasons.ts.
import type { FailReason } from '../../contract/tasks/fail-reasons.ts'

export interface TaskFailure {
  reason: FailReason
  /** Says what was found and what is allowed; shown to the client. */
  message: string
}
