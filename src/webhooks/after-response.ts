// Sends no callback before the response that announced its task or inference request.
//
// The work begins at once. A callback that is stored while the response may still be on its way is not due until that is
// impossible: responses are cut off before. Each process remembers its own latest responses, so usually a callback is not
// delayed at all. Where another process, or a response that is still being written, delays one, its storing is announced,
// and the process that has sent the response makes it due.
import type { ServerResponse } from 'node:http'
import type { Db, Tx } from '../db/db.ts'
import { createBatcher } from '../platform/batcher.ts'
import type { Clock } from '../platform/clock.ts'
import type { Logger } from '../platform/logger.ts'
import type { Queue } from '../queue/queue.ts'
import { makeDue } from './deliveries.ts'

/** From the creation. If the process that should send the response has crashed, the callback is delayed until then. */
const delayMaxMs = 10_000
/** From the time at which the creation was received. */
const cutOffAfterMs = 9_000
const batchMax = 500

export interface AfterResponse {
  /** Called before the creation is stored: the time of its response counts from here. */
  begin(response: ServerResponse): {
    /** Called before the response that names this subject is sent. */
    announces(subject: string): void
  }
  /** The delay of a callback that `tx` stores. */
  delayMs(tx: Tx, work: { subject: string; createdAt: number }): number
  close(): void
}

interface Announcement {
  beganAtMs: number
  /** The response was handed to the operating system, or its connection is broken. */
  isOver: boolean
  delaysCallback: boolean
}

export function createAfterResponse(deps: { db: Db; queue: Queue; clock: Clock; log: Logger }): AfterResponse {
  const { db, queue, clock, log } = deps
  /** By subject, oldest first: those that may still delay a callback. */
  const announcements = new Map<string, Announcement>()
  const overdue = createBatcher<string, undefined>(
    async (subjects) => {
      await db.transaction((tx) => makeDue(tx, queue, subjects, clock.now()), { durable: false })
      return subjects.map(() => undefined)
    },
    { batchMax },
  )
  const send = (subject: string) => {
    overdue.add(subject).catch((error) => log.warn({ err: error, subject }, 'a callback is sent late'))
  }

  const close = db.onChange((topic, subjects) => {
    if (topic !== 'callbacks' && topic !== null) return
    for (const subject of subjects ?? announcements.keys()) {
      const announcement = announcements.get(subject)
      if (announcement?.isOver) send(subject)
      else if (announcement) announcement.delaysCallback = true
    }
  })

  /** A creation that is repeated has several responses: the first to end counts. */
  function remember(subject: string, beganAtMs: number): Announcement {
    for (const [old, announcement] of announcements) {
      if (announcement.beganAtMs > performance.now() - delayMaxMs) break
      announcements.delete(old)
    }
    const announcement = announcements.get(subject) ?? { beganAtMs, isOver: false, delaysCallback: false }
    announcements.set(subject, announcement)
    return announcement
  }

  return {
    begin(response) {
      const beganAtMs = performance.now()
      return {
        announces(subject) {
          const announcement = remember(subject, beganAtMs)
          const leftMs = cutOffAfterMs - (performance.now() - beganAtMs)
          const cutOff = setTimeout(() => response.destroy(), Math.max(0, leftMs))
          const over = () => {
            clearTimeout(cutOff)
            if (announcement.isOver) return
            announcement.isOver = true
            if (announcement.delaysCallback) send(subject)
          }
          response.once('finish', over)
          response.once('close', over)
          // Too late: its callback may be due, and the response must not follow it.
          if (leftMs <= 0) response.destroy()
          if (response.closed) over()
        },
      }
    },

    delayMs(tx, { subject, createdAt }) {
      // The clock may have been set back since.
      const leftMs = Math.min(delayMaxMs, createdAt + delayMaxMs - clock.now())
      if (leftMs <= 0 || announcements.get(subject)?.isOver) return 0
      tx.announce('callbacks', subject)
      return leftMs
    },

    close,
  }
}
