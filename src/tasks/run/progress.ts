// Progress of one attempt: written at most twice a second, so that a chatty engine costs nothing, and never backwards.
import type { Db } from '../../db/db.ts'
import type { Clock } from '../../platform/clock.ts'
import type { TaskEvents } from '../store/events.ts'

const everyMs = 500

export interface ProgressWriter {
  report(percent: number): void
  close(): Promise<void>
}

export function createProgressWriter(
  deps: { db: Db; clock: Clock; events: TaskEvents },
  taskId: string,
  attempt: number,
): ProgressWriter {
  let latest = 0
  let written = 0
  let timer: NodeJS.Timeout | undefined
  let lastWriteMs = Number.NEGATIVE_INFINITY
  let writing: Promise<unknown> = Promise.resolve()

  function write() {
    timer = undefined
    if (latest === written) return
    written = latest
    lastWriteMs = performance.now()
    writing = deps.db
      .run(
        `update tasks set progress = ?, updated_at = ? where id = ? and attempt = ? and state = 'generating' and progress < ?`,
        [latest, deps.clock.now(), taskId, attempt, latest],
      )
      .then((changed) => {
        if (changed > 0) deps.events.changed(taskId)
      })
      // Progress is a courtesy: a failed write must not fail the task.
      .catch(() => {})
  }

  return {
    report(percent) {
      // 100 is said by success alone.
      latest = Math.max(latest, Math.min(99, Math.floor(Number.isFinite(percent) ? percent : 0)))
      if (timer || latest === written) return
      timer = setTimeout(write, Math.max(0, lastWriteMs + everyMs - performance.now()))
    },
    async close() {
      clearTimeout(timer)
      await writing
    },
  }
}
