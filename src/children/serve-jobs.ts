// The child's side of the protocol: runs the jobs that the service sends, one at a time, and reports how each ended.
// The process ends when the service does.
import { flushCompileCache } from 'node:module'
import type { FromChild, ToChild } from './protocol.ts'

interface JobHooks {
  /** Reports how much is done. Throws when the job was aborted, so that long work stops at its next report. */
  progress(percent: number): void
}

class Aborted extends Error {}

const progressEveryMs = 500

/** Call it when everything that jobs need has been loaded. */
export function serveJobs<Job, Result>(work: (job: Job, hooks: JobHooks) => Promise<Result>): void {
  let running: number | null = null
  let aborted = false

  function send(message: FromChild<Result>): void {
    // The callback ignores the error of a channel that has just closed: `disconnect` ends this process anyway.
    process.send?.(message, undefined, {}, () => {})
  }

  async function run(id: number, job: Job): Promise<void> {
    running = id
    aborted = false
    let reportedAtMs = 0
    let reportedPercent = -1
    const progress = (percent: number) => {
      if (aborted) throw new Aborted('the job was aborted')
      const whole = Math.floor(percent)
      if (whole === reportedPercent && Date.now() - reportedAtMs < progressEveryMs) return
      reportedAtMs = Date.now()
      reportedPercent = whole
      send({ verb: 'progress', id, percent: whole, rssBytes: process.memoryUsage.rss() })
    }
    try {
      send({ verb: 'done', id, result: await work(job, { progress }) })
    } catch (error) {
      send({ verb: 'failed', id, message: describe(error) })
    } finally {
      running = null
      // This process ends by being killed, which would lose the compiled code. By now everything that jobs need is loaded.
      if (id === 1) flushCompileCache()
    }
  }

  process.on('message', (message: ToChild<Job>) => {
    if (message.verb === 'run') void run(message.id, message.job)
    else if (message.id === running) aborted = true
  })
  // An ordinary exit would wait for native work that may never end.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  send({ verb: 'ready' })
}

/** An error's message with those of its causes. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${describe(error.cause)}`
}
