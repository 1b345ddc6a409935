// Delays the work of a request with a callback until its response has been sent, so that no callback can overtake the
// response that announced it.
//
// The job is stored with a delay of `answerWithinMs` and released when the response has been handed to the operating
// system, or the connection is broken. A crash in between loses nothing: the job becomes due when the delay is over. A
// response that has not been sent shortly before that is aborted, so it cannot arrive after its callback either.
import type { FastifyReply } from 'fastify'
import type { Db } from '../../../db/db.ts'
import { createBatcher } from '../../../platform/batcher.ts'
import type { Logger } from '../../../platform/logger.ts'
import type { Queue } from '../../../queue/queue.ts'
import { whenClosed } from './open-responses.ts'

export const answerWithinMs = 10_000
const cutOffAfterMs = 9_000
const releaseMax = 500

export interface AnswerGate {
  /** Called before the work is stored: the time counts from here. */
  begin(reply: FastifyReply): {
    /** Called before the response is sent: work on this subject may begin once it has been sent. */
    releases(subject: string): void
  }
}

export function createAnswerGate(deps: { db: Db; queue: Queue; log: Logger }): AnswerGate {
  const releases = createBatcher<string, undefined>(
    async (subjects) => {
      await deps.db.transaction((tx) => deps.queue.release(tx, subjects), { durable: false })
      return subjects.map(() => undefined)
    },
    { batchMax: releaseMax },
  )

  return {
    begin(reply) {
      const startedAt = performance.now()
      return {
        releases(subject) {
          const response = reply.raw
          const leftMs = cutOffAfterMs - (performance.now() - startedAt)
          const cutOff = setTimeout(() => response.destroy(), Math.max(0, leftMs))
          // Too late: the work may have begun, and the response must not follow it.
          if (leftMs <= 0) response.destroy()
          let released = false
          const release = () => {
            clearTimeout(cutOff)
            if (released) return
            released = true
            // If this fails, the job becomes due when its delay is over.
            releases.add(subject).catch((error) => deps.log.warn({ err: error, subject }, 'work starts late'))
          }
          response.once('finish', release)
          whenClosed(response, release)
        },
      }
    },
  }
}
