// GET /api/v1/video/recordInfo and GET /api/v1/jobs/recordInfo
import { type TaskRecord, taskRecord, videoRecord } from '../../../contract/tasks/records.ts'
import { taskIdQuery } from '../../../contract/tasks/tasks.ts'
import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { FindQueuePlace } from '../../../tasks/record/queue-place.ts'
import { unifiedColumns, unifiedRecord, videoColumns, videoRecordOf } from '../../../tasks/record/records.ts'
import { createReadTask } from '../../../tasks/store/read.ts'
import type { TaskRow } from '../../../tasks/store/task-row.ts'
import { type Route, route } from '../../route.ts'
import { boundedPage, cutPage } from '../../server/paging.ts'

export interface RecordDeps {
  db: Db
  clock: Clock
  findQueuePlace: FindQueuePlace
  publicUrl(): string
}

/** A page of at most 1 MiB. `rows` has one task more than `limit` if there is another page. */
export async function recordPage<Item extends TaskRecord>(
  deps: RecordDeps,
  found: { rows: TaskRow[]; scannedTo: string | null },
  limit: number,
  itemOf: (record: TaskRecord, task: TaskRow) => Item,
): Promise<{ items: Item[]; nextCursor: string | null }> {
  const { rows, nextCursor } = cutPage(found.rows, limit)
  const items = await Promise.all(
    rows.map(async (task) => itemOf(unifiedRecord(task, deps.publicUrl(), await deps.findQueuePlace(task)), task)),
  )
  return boundedPage(items, ({ taskId }) => taskId, nextCursor ?? found.scannedTo)
}

export function videoRecordRoute(deps: RecordDeps): Route {
  const readTask = createReadTask(deps.db, videoColumns)
  return route({
    endpoint: 'GET /api/v1/video/recordInfo',
    operationId: 'getVideo',
    summary: 'Read the video record of a task',
    description: 'A failed task has a record too: HTTP 200 with `failCode` and `failMsg`.',
    tag: 'Tasks',
    access: 'key',
    scope: 'tasks:read',
    query: taskIdQuery,
    answer: videoRecord,
    codes: [404],
    async handler({ caller, query }) {
      return videoRecordOf(await readTask(caller, query.taskId), deps.publicUrl(), deps.clock.now())
    },
  })
}

export function unifiedRecordRoute(deps: RecordDeps): Route {
  const readTask = createReadTask(deps.db, [...unifiedColumns, 'engine', 'virtual_finish'])
  return route({
    endpoint: 'GET /api/v1/jobs/recordInfo',
    operationId: 'getTask',
    summary: 'Read the unified record of a task',
    description: 'State, progress, result and failure of a task, and what the engine understood and delivered.',
    tag: 'Tasks',
    access: 'key',
    scope: 'tasks:read',
    query: taskIdQuery,
    answer: taskRecord,
    codes: [404],
    async handler({ caller, query }) {
      const task = await readTask(caller, query.taskId)
      return unifiedRecord(task, deps.publicUrl(), await deps.findQueuePlace(task))
    },
  })
}
