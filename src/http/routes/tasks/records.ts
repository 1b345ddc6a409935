// GET /api/v1/video/recordInfo and GET /api/v1/jobs/recordInfo
import { z } from 'zod'
import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import { unifiedRecord, videoRecord } from '../../../tasks/record/records.ts'
import { failCodes } from '../../../tasks/store/failures.ts'
import { queuePosition, readTask } from '../../../tasks/store/read.ts'
import { type Route, route } from '../../server/route.ts'

/** A text to look something up by: whatever nothing is called by is simply not found. */
export const lookupText = z.string().min(1, 'must not be empty').max(200)

export const taskIdQuery = z.object({ taskId: lookupText.meta({ description: 'The id that creation answered.' }) })

const failCodeDocs =
  '451: material could not be fetched. 422: material or prompt is not acceptable. 408: the generator gave no sign for ' +
  'too long. 501: generation failed, waited too long, or was canceled. 500: something unexpected.'

const state = z.enum(['wait', 'queueing', 'generating', 'success', 'fail'])

export const videoRecordAnswer = z
  .object({
    taskId: z.string(),
    parentTaskId: z.string().meta({ description: 'The task that this one extends; empty for a standard task.' }),
    generateParam: z.object({ prompt: z.string(), imageUrl: z.string(), expandPrompt: z.boolean() }),
    state,
    generateTime: z.string().meta({ description: 'When the task entered its state, `YYYY-MM-DD HH:mm:ss`, UTC.' }),
    videoInfo: z
      .object({ videoId: z.string(), taskId: z.string(), videoUrl: z.string(), imageUrl: z.string() })
      .nullable()
      .meta({ description: 'The video; null until success.' }),
    failCode: z
      .string()
      .nullable()
      .meta({ description: `Null unless the task failed. ${failCodeDocs}` }),
    failMsg: z
      .string()
      .nullable()
      .meta({ description: 'What was found and what is allowed; null unless the task failed.' }),
    expireFlag: z.union([z.literal(0), z.literal(1)]).meta({ description: '1 once the video is no longer available.' }),
  })
  .meta({ id: 'VideoRecord' })

export const unifiedRecordAnswer = z
  .object({
    taskId: z.string(),
    model: z.string(),
    state,
    param: z.string().meta({ description: 'The accepted body, as JSON.' }),
    resultJson: z.string().meta({ description: '`{"resultUrls":[…]}` as JSON; empty until success.' }),
    failCode: z.string().meta({ description: `Empty unless the task failed. ${failCodeDocs}` }),
    failMsg: z.string(),
    failReason: z.enum(['', ...Object.keys(failCodes)]).meta({ description: 'Why the task failed, in one word.' }),
    progress: z.int().min(0).max(100),
    queuePosition: z.int().nullable().meta({ description: '1 + the tasks ahead, at most 1000; null unless queueing.' }),
    ignoredFields: z.array(z.string()),
    creditsConsumed: z.int(),
    costTime: z.int().nullable().meta({ description: 'Milliseconds from creation to end.' }),
    createTime: z.int(),
    updateTime: z.int(),
    completeTime: z.int().nullable(),
  })
  .meta({ id: 'UnifiedRecord' })

export interface RecordDeps {
  db: Db
  clock: Clock
  publicUrl(): string
}

export function videoRecordRoute(deps: RecordDeps): Route {
  return route({
    method: 'GET',
    path: '/api/v1/video/recordInfo',
    summary: 'Read the video record of a task',
    tag: 'Tasks',
    access: 'key',
    query: taskIdQuery,
    answer: videoRecordAnswer,
    codes: [404],
    async handler({ caller, query }) {
      return videoRecord(await readTask(deps.db, caller, query.taskId), deps.publicUrl(), deps.clock.now())
    },
  })
}

export function unifiedRecordRoute(deps: RecordDeps): Route {
  return route({
    method: 'GET',
    path: '/api/v1/jobs/recordInfo',
    summary: 'Read the unified record of a task',
    tag: 'Tasks',
    access: 'key',
    query: taskIdQuery,
    answer: unifiedRecordAnswer,
    codes: [404],
    async handler({ caller, query }) {
      const task = await readTask(deps.db, caller, query.taskId)
      return unifiedRecord(task, deps.publicUrl(), await queuePosition(deps.db, task))
    },
  })
}
