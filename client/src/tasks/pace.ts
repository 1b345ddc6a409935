// How much longer a task will take: the service's estimate while it queues, then guessed from the pace of its progress.
import type { TaskRecord } from '../contract.ts'

/** A record whose `timeLeftMs` is known while an engine works, too; null while there is nothing to guess from. */
export type TaskProgress = TaskRecord

/** Before this much was seen, the first steps say little about the rest. */
const percentMin = 5

/** Remembers where progress began, which is after the engine has made ready; takes each record in turn. */
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
    // A new attempt begins at the start again.
    if (from === null || record.progress < from.percent) from = { percent: record.progress, atMs: nowMs }
    const done = record.progress - from.percent
    if (done < percentMin) return null
    return Math.round(((nowMs - from.atMs) * (100 - record.progress)) / done)
  }
}
