// How much longer a task will take: the service's estimate while it queues, then an estimate from its progress so far.
import type { TaskRecord } from '../contract.ts'

/** A record whose `timeLeftMs` is also set while an engine works; null while nothing was measured. */
export type TaskProgress = TaskRecord

/** Before this much progress, the first steps say little about the rest. */
const percentMin = 5

/** Remembers where progress began, because an engine needs time before its first step. Takes each record in turn. */
export function createPace(): (record: TaskRecord, nowMs: number) => number | null {
  let from: { percent: number; atMs: number } | null = null
  return (record, nowMs) => {
    if (record.state === 'success' || record.state === 'fail') return 0
    if (record.state === 'queueing') {
      from = null
      return record.timeLeftMs ?? null
    }
    if (record.state !== 'generating' || record.progress === 0) {
      from = null
      return null
    }
    // A new attempt starts over.
    if (from === null || record.progress < from.percent) from = { percent: record.progress, atMs: nowMs }
    const done = record.progress - from.percent
    if (done < percentMin) return null
    return Math.round(((nowMs - from.atMs) * (100 - record.progress)) / done)
  }
}
