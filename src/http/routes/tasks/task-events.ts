// GET /api/v1/jobs/events: Server-Sent Events `state`, `progress` and `end`, each with the unified record.
// A slow reader gets the newest record when its connection drains; nothing is buffered for it.
import { taskEvents } from '../../../contract/tasks/records.ts'
import { isFinal } from '../../../contract/tasks/states.ts'
import { taskIdQuery } from '../../../contract/tasks/tasks.ts'
import { createSlots } from '../../../limits/slots.ts'
import { slots } from '../../../limits/table.ts'
import type { Logger } from '../../../platform/logger.ts'
import { createWake } from '../../../platform/loops/wake.ts'
import type { TaskEvents } from '../../../tasks/events.ts'
import type { QueuePlace } from '../../../tasks/record/queue-place.ts'
import { unifiedRecord } from '../../../tasks/record/records.ts'
import { findTask, readTask } from '../../../tasks/store/read.ts'
import type { TaskRow } from '../../../tasks/store/task-row.ts'
import { answered, type Route, route } from '../../route.ts'
import { type EventStream, keepAliveMs, openEventStream, whenClosed } from '../../server/responses/open-responses.ts'
import type { RecordDeps } from './records.ts'

export interface EventDeps extends RecordDeps {
  events: TaskEvents
  log: Logger
  /** Aborts when the server stops, so that open streams do not delay it. */
  stopping: AbortSignal
}

export function taskEventsRoute(deps: EventDeps): Route {
  const streams = createSlots(slots.taskStreams.of)
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
    answer: taskEvents,
    codes: [404],
    async handler({ caller, query, request, reply }) {
      const task = await readTask(deps.db, caller, query.taskId)
      const leave = streams.tryEnter({ account: caller.accountId, key: caller.keyId, isSubKey: caller.isSubKey })
      if (!leave) throw slots.taskStreams.refuse()
      whenClosed(reply.raw, leave)
      void follow(deps, task, openEventStream(reply, deps.stopping), () => request.nextTurn())
      return answered
    },
  })
}

/** Resolves when either side has ended the stream. `nextTurn`: many streams may follow one task. */
async function follow(
  deps: EventDeps,
  task: TaskRow,
  stream: EventStream,
  nextTurn: () => Promise<void>,
): Promise<void> {
  const { over } = stream
  const wake = createWake()
  over.addEventListener('abort', wake.now)
  const unsubscribe = deps.events.subscribe(task.id, wake.now)
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
      // Other tasks change the place, and no event announces that, so it is read again now and then.
      const hasMoved = sentPlace !== undefined && sentPlace.queuePosition !== place.queuePosition
      const event = eventFor(sent, current) ?? (hasMoved ? 'progress' : null)
      if (event) {
        const written = stream.send(event, unifiedRecord(current, deps.publicUrl(), place))
        if (event === 'end') break
        sent = current
        sentPlace = place
        await written
      } else {
        // Not only when woken: the process that changed the task may have crashed before its notification.
        await wake.next(keepAliveMs)
      }
    }
  } catch (error) {
    deps.log.error({ err: error, task: task.id }, 'an event stream failed')
  } finally {
    unsubscribe()
    stream.end()
  }
}

/** A stream begins with `state`, even if the task has ended. */
function eventFor(sent: TaskRow | undefined, current: TaskRow): 'state' | 'progress' | 'end' | null {
  if (!sent) return 'state'
  if (isFinal(sent.state)) return 'end'
  if (sent.state === current.state && sent.attempt === current.attempt) {
    return sent.progress === current.progress ? null : 'progress'
  }
  return isFinal(current.state) ? 'end' : 'state'
}
