// GET /api/v1/jobs/events: Server-Sent Events `state`, `progress` and `end`, each with the unified record.
// A slow reader gets the newest record when its connection drains; nothing is buffered for it.
import type { ServerResponse } from 'node:http'
import { apiError } from '../../../contract/errors.ts'
import { taskIdQuery } from '../../../contract/tasks/tasks.ts'
import type { Logger } from '../../../platform/logger.ts'
import { createWake } from '../../../platform/loops/wake.ts'
import { unifiedRecord } from '../../../tasks/record/records.ts'
import type { TaskEvents } from '../../../tasks/store/events.ts'
import type { QueuePlace } from '../../../tasks/store/queue-place.ts'
import { findTask, readTask } from '../../../tasks/store/read.ts'
import type { TaskRow } from '../../../tasks/store/task-row.ts'
import { createStreamShare } from '../../connections/stream-share.ts'
import { drained, openEventStream } from '../../responses/event-stream.ts'
import { answered, type Route, route } from '../../route.ts'
import type { RecordDeps } from './records.ts'

const keepAliveMs = 15_000
const streamsMaxPerAccount = 500

export interface EventDeps extends RecordDeps {
  events: TaskEvents
  log: Logger
  /** Aborts when the server stops, so that open streams do not hold it up. */
  stopping: AbortSignal
}

export function taskEventsRoute(deps: EventDeps): Route {
  const share = createStreamShare(streamsMaxPerAccount)
  return route({
    endpoint: 'GET /api/v1/jobs/events',
    operationId: 'followTask',
    summary: 'Follow a task by Server-Sent Events',
    description:
      'Events `state`, `progress` and `end`; the data of each is a TaskRecord. The stream ends with the task.',
    tag: 'Tasks',
    access: 'key',
    scope: 'tasks:read',
    streams: true,
    query: taskIdQuery,
    contentType: 'text/event-stream',
    codes: [404],
    async handler({ caller, query, request, reply }) {
      const task = await readTask(deps.db, caller, query.taskId)
      if (!share.enter(caller, reply.raw)) {
        throw apiError('too_many_event_streams', { max: streamsMaxPerAccount, retryAfterS: 5 })
      }
      void follow(deps, task, openEventStream(reply), () => request.nextTurn())
      return answered
    },
  })
}

/** Resolves when the stream has ended, from whichever side. `nextTurn`: many streams may follow one task. */
async function follow(
  deps: EventDeps,
  task: TaskRow,
  response: ServerResponse,
  nextTurn: () => Promise<void>,
): Promise<void> {
  const wake = createWake()
  const closed = new AbortController()
  response.on('close', () => closed.abort())
  const over = AbortSignal.any([closed.signal, deps.stopping])
  over.addEventListener('abort', wake.now)
  const unsubscribe = deps.events.subscribe(task.id, wake.now)
  const keepAlive = setInterval(() => {
    if (!response.writableNeedDrain) response.write(': still here\n\n')
    // The process that changed the task may have crashed before its notification.
    wake.now()
  }, keepAliveMs)
  keepAlive.unref()
  try {
    let sent: TaskRow | undefined
    let sentPlace: QueuePlace | undefined
    // Read again after subscribing, so that no change is missed.
    while (!over.aborted) {
      await nextTurn()
      if (over.aborted) break
      const current = await findTask(deps.db, task.id)
      if (!current) break
      const place = await deps.findQueuePlace(current)
      // The place changes with other tasks, and this stream gets no event for that: it is read again at each heartbeat.
      const hasMoved = sentPlace !== undefined && sentPlace.queuePosition !== place.queuePosition
      const event = eventFor(sent, current) ?? (hasMoved ? 'progress' : null)
      if (event) {
        const record = unifiedRecord(current, deps.publicUrl(), place)
        const written = response.write(`event: ${event}\ndata: ${JSON.stringify(record)}\n\n`)
        sent = current
        sentPlace = place
        if (event === 'end') break
        if (!written) await drained(response, over)
      } else {
        await wake.next()
      }
    }
  } catch (error) {
    deps.log.error({ err: error, task: task.id }, 'an event stream failed')
  } finally {
    clearInterval(keepAlive)
    unsubscribe()
    response.end()
  }
}

function eventFor(sent: TaskRow | undefined, current: TaskRow): 'state' | 'progress' | 'end' | null {
  if (sent && sent.state === current.state && sent.attempt === current.attempt) {
    return sent.progress === current.progress ? null : 'progress'
  }
  if (current.state !== 'success' && current.state !== 'fail') return 'state'
  return 'end'
}
