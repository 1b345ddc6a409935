// /v1/videos: tasks for clients that speak OpenAI's videos API. A thin mapping onto the same admission and records.
import { apiError, invalid } from '../../../contract/errors.ts'
import {
  createOpenaiVideoBody,
  deletedOpenaiVideo,
  listOpenaiVideosQuery,
  openaiVideo,
  openaiVideoContentQuery,
  openaiVideoList,
  queuedOpenaiVideo,
} from '../../../contract/openai-videos.ts'
import { isFinal } from '../../../contract/tasks/states.ts'
import { parseCreateTask } from '../../../models/catalogue.ts'
import { findFile } from '../../../storage/files.ts'
import { type CancelDeps, cancelIfOpen, type DeleteDeps, deleteTask } from '../../../tasks/finish/cancel-and-delete.ts'
import { listTasks, readTask } from '../../../tasks/store/read.ts'
import { videoOf } from '../../../tasks/store/task-row.ts'
import { answered, type Route, type RouteCall, route } from '../../route.ts'
import { addCreationHeaders, idempotencyOf, readIdempotencyKey } from '../../server/creation.ts'
import { requestActor } from '../../server/guard.ts'
import { cutPage } from '../../server/paging.ts'
import { sendFile } from '../files/files.ts'
import type { UploadDeps } from '../files/upload.ts'
import { uploadBodyBytesMax } from '../files/upload-source.ts'
import { type CreateTaskDeps, creditsOfRepeat } from '../tasks/create-task.ts'
import { anyImageUrl, createTaskBody, joinProblems, openaiVideoOf, renameProblems } from './mapping.ts'
import { withReceivedVideo } from './receive-video.ts'

type OpenaiVideoDeps = CreateTaskDeps & UploadDeps & CancelDeps & DeleteDeps

const videos = { tag: 'OpenAI', access: 'key', bare: true } as const

/** The caller's task that the path names. */
const taskOf = (deps: OpenaiVideoDeps, { caller, params }: Pick<RouteCall, 'caller' | 'params'>) =>
  readTask(deps.db, caller, params.videoId!)

export function openaiVideoRoutes(deps: OpenaiVideoDeps): Route[] {
  const { catalogue } = deps
  return [
    route({
      endpoint: 'POST /v1/videos',
      operationId: 'createOpenAIVideo',
      summary: 'Create a video, in the shape of OpenAI',
      description: 'Point an OpenAI client here with the base URL `/v1`. The id is a task id like any other.',
      ...videos,
      scope: 'tasks:write',
      createsWork: true,
      idempotent: true,
      bodyDocs: createOpenaiVideoBody,
      filePart: 'input_reference',
      bodyBytesMax: uploadBodyBytesMax,
      answer: queuedOpenaiVideo,
      codes: [402, 404, 408, 505],
      async handler({ caller, request, reply }) {
        return withReceivedVideo(deps, caller, request, async ({ video, hash, ...received }) => {
          const key = readIdempotencyKey(request)
          if (!key.ok) throw invalid(key.problems)
          // Each request stores a new copy of its image, so equal requests are recognised by what was sent.
          const idempotency = key.value === null ? null : idempotencyOf(caller, request, key.value, hash)
          const before = await deps.admission.findRepeat(idempotency)
          const { ignoredFields } = received
          if (before !== null) {
            addCreationHeaders(reply, await creditsOfRepeat(deps.db, caller, before), ignoredFields)
            return openaiVideoOf(await readTask(deps.db, caller, before))
          }
          const modelId = video.model ?? catalogue.ids()[0]!
          const model = catalogue.get(modelId)
          if (!model && received.problems.length > 0) throw invalid(received.problems)
          if (!model) throw apiError('no_openai_model', { model: modelId, served: catalogue.ids().join(', ') })
          const parse = (imageUrl: string | null) => parseCreateTask(catalogue, createTaskBody(video, model, imageUrl))
          // All problems are found before the image is stored.
          const first = parse(received.withImage ? anyImageUrl : received.url)
          const problems = joinProblems(received.problems, first.ok ? [] : renameProblems(first.problems, model))
          if (problems.length > 0) throw invalid(problems)
          const create = async (parsed: typeof first) => {
            if (!parsed.ok) throw invalid(renameProblems(parsed.problems, model))
            const { id, credits } = await deps.submitTask(caller, { ...parsed.value, ignoredFields, idempotency })
            addCreationHeaders(reply, credits, ignoredFields)
            return readTask(deps.db, caller, id)
          }
          return openaiVideoOf(await (received.withImage?.((imageUrl) => create(parse(imageUrl))) ?? create(first)))
        })
      },
    }),
    route({
      endpoint: 'GET /v1/videos',
      operationId: 'listOpenAIVideos',
      summary: 'List videos, in the shape of OpenAI',
      description: 'The tasks of the account, or of the calling sub-key, newest first.',
      ...videos,
      scope: 'tasks:read',
      query: listOpenaiVideosQuery,
      answer: openaiVideoList,
      async handler({ caller, query: { after, limit } }) {
        const found = await listTasks(deps.db, caller, { before: after, limit: limit + 1 })
        const { rows, nextCursor } = cutPage(found.rows, limit)
        return {
          object: 'list' as const,
          data: rows.map(openaiVideoOf),
          first_id: rows[0]?.id ?? null,
          last_id: rows.at(-1)?.id ?? null,
          has_more: nextCursor !== null,
        }
      },
    }),
    route({
      endpoint: 'GET /v1/videos/:videoId',
      operationId: 'getOpenAIVideo',
      summary: 'Read a video, in the shape of OpenAI',
      description: 'A failed video is returned too: HTTP 200 with `status: "failed"` and `error`.',
      ...videos,
      scope: 'tasks:read',
      answer: openaiVideo,
      handler: async (call) => openaiVideoOf(await taskOf(deps, call)),
    }),
    route({
      endpoint: 'GET /v1/videos/:videoId/content',
      operationId: 'getOpenAIVideoContent',
      summary: 'Download a video or its thumbnail',
      description: 'The file itself. 404 until the video is completed, and after it has expired.',
      ...videos,
      scope: 'tasks:read',
      query: openaiVideoContentQuery,
      contentType: 'video/mp4',
      codes: [416],
      async handler({ query, request, reply, ...call }) {
        const video = videoOf(await taskOf(deps, call))
        const token = query.variant === 'thumbnail' ? video?.thumbnail.token : video?.video.token
        const file = token === undefined ? null : await findFile(deps.db, token, deps.clock.now())
        if (!file) throw apiError('no_file')
        await sendFile(deps, file, request, reply)
        return answered
      },
    }),
    route({
      endpoint: 'DELETE /v1/videos/:videoId',
      operationId: 'deleteOpenAIVideo',
      summary: 'Delete a video, in the shape of OpenAI',
      description: 'Cancels it first if it has not ended.',
      ...videos,
      sharesLoop: true,
      scope: 'tasks:write',
      answer: deletedOpenaiVideo,
      async handler({ request, ...call }) {
        const task = await taskOf(deps, call)
        const { id } = task
        // It may end, or be canceled by another request, after it was read.
        if (!isFinal(task.state)) await cancelIfOpen(deps, task)
        await deleteTask(deps, call.caller, requestActor(request), id)
        return { id, object: 'video.deleted' as const, deleted: true as const }
      },
    }),
  ]
}
