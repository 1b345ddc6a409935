// Progress of one attempt: stored at most twice per second, so that frequent reports cost nothing, and never backwards.
// What the engine read from the prompt is stored with it.

import type { Understood } from '../../contract/tasks/records.ts'
import { type Progress, setProgress } from '../store/store.ts'
import type { AttemptDeps } from './attempt.ts'

const everyMs = 500

interface ProgressWriter {
  report(percent: number): void
  understood(reading: Understood): void
  /** JSON of what the engine read from the prompt, if it reported that. */
  readonly reading: string | null
  close(): Promise<void>
}

type FollowProgress = (taskId: string, attempt: number) => ProgressWriter

export function createFollowProgress(deps: AttemptDeps): FollowProgress {
  const store = deps.transactions.stage<Progress, undefined>({
    name: 'progress',
    async work(tx, reports) {
      const changed = await setProgress(tx, reports, deps.clock.now())
      tx.afterCommit(() => {
        for (const id of changed) deps.events.changed(id)
      })
      return reports.map(() => undefined)
    },
    locks: ({ taskId }) => ({ taskId }),
    // If a power cut undoes a report, the next one replaces it.
    durable: false,
  })
  return (taskId, attempt) => createWriter((percent, understood) => store({ taskId, attempt, percent, understood }))
}

function createWriter(store: (percent: number, understood: string | null) => Promise<unknown>): ProgressWriter {
  let latest = 0
  let written = 0
  let reading: string | null = null
  let isReadingWritten = true
  let timer: NodeJS.Timeout | undefined
  let lastWriteMs = Number.NEGATIVE_INFINITY
  let writing: Promise<unknown> = Promise.resolve()

  function write() {
    timer = undefined
    if (latest === written && isReadingWritten) return
    written = latest
    isReadingWritten = true
    lastWriteMs = performance.now()
    // A failed write must not fail the task; the next write makes up for it.
    writing = store(latest, reading).catch(() => {})
  }

  const schedule = () => {
    timer ??= setTimeout(write, Math.max(0, lastWriteMs + everyMs - performance.now()))
  }

  return {
    report(percent) {
      // Only success is 100.
      latest = Math.max(latest, Math.min(99, Math.floor(Number.isFinite(percent) ? percent : 0)))
      if (latest !== written) schedule()
    },
    understood(read) {
      reading = JSON.stringify(read)
      isReadingWritten = false
      schedule()
    },
    get reading() {
      return reading
    },
    async close() {
      clearTimeout(timer)
      await writing
    },
  }
}
