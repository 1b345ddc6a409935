// From an image and a prompt to a finished video in one call: upload, create, wait.
import {
  type CreateTask,
  omniModel,
  type TaskRecord,
  type TurboInput,
  turboModel,
  type VideoRecord,
} from '../contract.ts'
import { videoUrlOf } from '../records.ts'
import type { Connection } from '../transport/connection.ts'
import type { OmniOptions } from './inputs.ts'
import type { TaskProgress } from './pace.ts'
import { createTask } from './tasks.ts'
import { type Bytes, type UploadProgress, uploadBytes } from './upload.ts'
import { waitForTask } from './wait.ts'

/** Bytes are uploaded; a URL is fetched by the service. */
export type Picture = Bytes | string

interface GenerateOptions {
  /** The first frame. */
  image: Picture
  /** The last frame. */
  tailImage?: Picture | null
  callBackUrl?: string | null
  idempotencyKey?: string | undefined
  onUpload?: ((progress: UploadProgress) => void) | undefined
  /** The task has been created: from here on `wait(taskId)` resumes it. */
  onTask?: ((taskId: string) => void) | undefined
  onProgress?: ((progress: TaskProgress) => void) | undefined
  /** Stops waiting; the task itself goes on unless it is canceled. */
  signal?: AbortSignal | undefined
}

export type GenerateTurbo = { model?: typeof turboModel } & Omit<TurboInput, 'image_url' | 'tail_image_url'> &
  GenerateOptions
export type GenerateOmni = { model: typeof omniModel } & OmniOptions & GenerateOptions
export type Generate = GenerateTurbo | GenerateOmni

export interface GeneratedVideo {
  taskId: string
  videoUrl: string
  thumbnailUrl: string
  record: TaskRecord
}

export async function generateVideo(connection: Connection, request: Generate): Promise<GeneratedVideo> {
  const { image, tailImage, callBackUrl, idempotencyKey, onUpload, onTask, onProgress, signal, model, ...fields } =
    request
  const first = await urlOf(connection, image, request)
  const last = tailImage ? await urlOf(connection, tailImage, request) : null
  const body = {
    model: model ?? turboModel,
    input: { ...fields, ...frames(model, first, last) },
    ...(callBackUrl ? { callBackUrl } : {}),
  } as CreateTask
  const taskId = await createTask(connection, body, { idempotencyKey, signal })
  onTask?.(taskId)
  const record = await waitForTask(connection, taskId, { onProgress, signal })
  const path = '/api/v1/video/recordInfo'
  const { videoInfo } = await connection.call<VideoRecord>({ method: 'GET', path, query: { taskId }, signal })
  return { taskId, videoUrl: videoUrlOf(record)!, thumbnailUrl: videoInfo!.imageUrl, record }
}

function frames(model: Generate['model'], first: string, last: string | null) {
  if (model === omniModel) return { image_url: last === null ? [first] : [first, last] }
  return { image_url: first, ...(last === null ? {} : { tail_image_url: last }) }
}

async function urlOf(connection: Connection, picture: Picture, { onUpload, signal }: GenerateOptions): Promise<string> {
  if (typeof picture === 'string') return picture
  return (await uploadBytes(connection, picture, { onProgress: onUpload, signal })).downloadUrl
}
