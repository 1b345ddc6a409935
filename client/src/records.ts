// Reading a task's record. Its shape is the contract's.
import type { TaskRecord, TaskState } from './contract.ts'

export function isFinal(record: { state: TaskState }): boolean {
  return record.state === 'success' || record.state === 'fail'
}

/** The video of a successful task; null for every other. */
export function videoUrlOf(record: TaskRecord): string | null {
  if (record.resultJson === '') return null
  return (JSON.parse(record.resultJson) as { resultUrls: string[] }).resultUrls[0] ?? null
}
