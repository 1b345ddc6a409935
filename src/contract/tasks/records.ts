// What a client reads about a task: the unified record, the video record, the timeline and the events of a stream.
import { z } from 'zod'
import { epochMs } from '../../schema/wire-types.ts'
import { example } from '../example-values.ts'
import { failCodeDescription, failReason } from './fail-reasons.ts'
import { taskState } from './states.ts'

const { taskId, createdMs, endedMs, videoUrl, thumbnailUrl } = example

export const understood = z
  .object({
    moves: z.array(z.string()).meta({ description: 'Camera moves, in the order of the prompt.' }),
    effects: z.array(z.string()).meta({ description: 'Effects, such as `rain`, `fog` or `film grain`.' }),
    framing: z.string().nullable(),
    notDone: z.array(z.string()).meta({
      description:
        'What the prompt asks for and is not done, in its own words (`she smiles`), and effects for which the picture has no region. The studio moves and lights the given images by rules; it is not a generative model, and nothing in them acts or is invented.',
    }),
  })
  .meta({
    id: 'Understood',
    description: 'What an engine read from the prompt. Engines that cannot say return empty lists.',
    examples: [{ moves: ['push in'], effects: ['rain'], framing: null, notDone: [] }],
  })

export const deliveredVideo = z
  .object({
    seconds: z.number(),
    width: z.int(),
    height: z.int(),
    fps: z.number().nullable(),
    codec: z.string().nullable().meta({ description: 'Of the video stream, such as `h264`.' }),
    bytes: z.int(),
    engine: z.string().meta({ description: 'The engine that made it.' }),
    adjusted: z.array(z.string()).meta({ description: 'What was changed to fit the request, one phrase each.' }),
  })
  .meta({ id: 'DeliveredVideo', description: 'The video that was delivered.' })

/** Of a record; other shapes build theirs on it. */
export const exampleRecord = {
  taskId,
  model: example.videoModel,
  state: 'success',
  param: JSON.stringify({ model: example.videoModel, input: { prompt: example.prompt, image_url: example.imageUrl } }),
  resultJson: JSON.stringify({ resultUrls: [videoUrl] }),
  failCode: '',
  failMsg: '',
  failReason: '',
  progress: 100,
  queuePosition: null,
  timeLeftMs: null,
  ignoredFields: [],
  creditsConsumed: 42,
  costTime: endedMs - createdMs,
  createTime: createdMs,
  updateTime: endedMs,
  completeTime: endedMs,
  understood: { moves: ['push in'], effects: [], framing: null, notDone: [] },
  video: {
    seconds: 5,
    width: 1280,
    height: 720,
    fps: 24,
    codec: 'h264',
    bytes: 3_482_113,
    engine: 'studio',
    adjusted: [],
  },
}

export const taskRecord = z
  .object({
    taskId: z.string(),
    model: z.string(),
    state: taskState,
    param: z.string().meta({ description: 'The accepted body, as JSON.' }),
    resultJson: z.string().meta({ description: '`{"resultUrls":[…]}` as JSON; empty until success.' }),
    failCode: z.string().meta({ description: `Empty unless the task failed. ${failCodeDescription}` }),
    failMsg: z.string().meta({ description: 'What was found and what is allowed; empty unless the task failed.' }),
    failReason: z
      .union([z.literal(''), failReason])
      .meta({ description: 'Why the task failed, as an identifier for programs; empty unless the task failed.' }),
    progress: z.int().min(0).max(100).meta({ description: 'Percent.' }),
    queuePosition: z.int().nullable().meta({ description: '1 + the tasks ahead, at most 1000; null unless queueing.' }),
    timeLeftMs: z
      .int()
      .nullable()
      .meta({
        description:
          'Estimated milliseconds until the end of a queueing task, from its place in the queue and recent tasks of its ' +
          'model on its engine; null when unknown, and in every other state.',
      }),
    ignoredFields: z.array(z.string()).meta({ description: 'Fields of the request that the service does not know.' }),
    creditsConsumed: z.int(),
    costTime: z.int().nullable().meta({ description: 'Milliseconds from creation to end.' }),
    createTime: epochMs(),
    updateTime: epochMs(),
    completeTime: epochMs().nullable(),
    understood: understood.nullable().meta({ description: 'Null until an engine has read the prompt.' }),
    video: deliveredVideo.nullable().meta({ description: 'Null until success.' }),
  })
  .meta({ id: 'TaskRecord', description: 'The unified record of a task.', examples: [exampleRecord] })

export const taskEvents = z.string().meta({ examples: [`event: end\ndata: ${JSON.stringify(exampleRecord)}\n\n`] })

export const videoRecord = z
  .object({
    taskId: z.string().meta({ examples: [taskId] }),
    parentTaskId: z.string().meta({
      description: 'The task that this one extends; empty for a standard task.',
      examples: [''],
    }),
    generateParam: z
      .object({ prompt: z.string(), imageUrl: z.string(), expandPrompt: z.boolean() })
      .meta({ examples: [{ prompt: example.prompt, imageUrl: example.imageUrl, expandPrompt: false }] }),
    state: taskState.meta({ examples: ['success'] }),
    generateTime: z.string().meta({
      description: 'When the task entered its state, `YYYY-MM-DD HH:mm:ss`, UTC.',
      examples: ['2026-01-01 00:00:21'],
    }),
    videoInfo: z
      .object({
        videoId: z.string(),
        taskId: z.string(),
        videoUrl: z.string(),
        imageUrl: z.string().meta({ description: 'The thumbnail.' }),
      })
      .nullable()
      .meta({
        description: 'The video; null until success. It stays after the video has expired.',
        examples: [{ videoId: '0199a3c2-cf00-7000-a1b2-c3d4e5f60718', taskId, videoUrl, imageUrl: thumbnailUrl }],
      }),
    failCode: z
      .string()
      .nullable()
      .meta({ description: `Null unless the task failed. ${failCodeDescription}` }),
    failMsg: z
      .string()
      .nullable()
      .meta({ description: 'What was found and what is allowed; null unless the task failed.' }),
    expireFlag: z
      .union([z.literal(0), z.literal(1)])
      .meta({ description: '1 once the video is no longer available.', examples: [0] }),
  })
  .meta({ id: 'VideoRecord', description: 'The video record of a task.' })

export const timeline = z
  .object({
    taskId: z.string(),
    items: z.array(z.object({ at: epochMs(), state: taskState, attempt: z.int(), note: z.string().nullable() })),
  })
  .meta({
    id: 'Timeline',
    description: 'Every move of a task from state to state, oldest first.',
    examples: [
      {
        taskId,
        items: [
          { at: createdMs, state: 'wait', attempt: 0, note: 'accepted' },
          { at: createdMs + 310, state: 'queueing', attempt: 0, note: null },
          { at: createdMs + 330, state: 'generating', attempt: 1, note: null },
          { at: endedMs, state: 'success', attempt: 1, note: null },
        ],
      },
    ],
  })

export const taskCallback = z
  .object({
    code: z.int().meta({ description: '200, or the number of the failure.' }),
    msg: z.string(),
    data: taskRecord,
  })
  .meta({ id: 'TaskCallback', description: 'The body of the callback of a task that has ended.' })

export type TaskRecord = z.output<typeof taskRecord>
export type VideoRecord = z.output<typeof videoRecord>
export type Timeline = z.output<typeof timeline>
export type TaskCallback = z.output<typeof taskCallback>
export type Understood = z.output<typeof understood>
export type DeliveredVideo = z.output<typeof deliveredVideo>
