// The client: every operation of the service as a method. Each is implemented in a file of its own.
import { createKeys, type Keys } from './account/keys.ts'
import { createOperator, type Operator } from './account/operator.ts'
import { createWebhooks, type Webhooks } from './account/webhooks.ts'
import type {
  CanceledTask,
  CreateTask,
  EmbeddingsInput,
  ExtendTask,
  LedgerEntry,
  ModelInfo,
  ServiceStatus,
  TaskRecord,
  Timeline,
  Understood,
  UploadedFile,
  Usage,
  VideoRecord,
} from './contract.ts'
import { downloadFile } from './tasks/download.ts'
import { type Generate, type GeneratedVideo, generateVideo } from './tasks/generate.ts'
import { type InferenceAnswer, infer, type ResultsOf, readInference } from './tasks/inference.ts'
import type { VideoInferenceInput } from './tasks/inputs.ts'
import { createShares, type Shares } from './tasks/shares.ts'
import { cancelTask, createTask, deleteTask, extendTask, type TaskFilter } from './tasks/tasks.ts'
import { type Bytes, type UploadOptions, uploadBytes, uploadFromUrl } from './tasks/upload.ts'
import { type WaitOptions, waitForTask } from './tasks/wait.ts'
import {
  type Connection,
  type CreateOptions,
  createConnection,
  type DailiesOptions,
  type RequestOptions,
} from './transport/connection.ts'
import { type PageOptions, type Pages, pagesOf } from './transport/pages.ts'

export class Dailies {
  /** Sub-keys of this key. */
  readonly keys: Keys
  /** Links that show a video without a key. */
  readonly shares: Shares
  /** Callbacks of the account. */
  readonly webhooks: Webhooks
  /** For keys with the operator right; others get NotFound. */
  readonly operator: Operator
  readonly #connection: Connection

  /** Without options: the server and key that `DAILIES_URL` and `DAILIES_KEY` name. */
  constructor(options: DailiesOptions = {}) {
    this.#connection = createConnection(options)
    this.keys = createKeys(this.#connection)
    this.shares = createShares(this.#connection)
    this.webhooks = createWebhooks(this.#connection)
    this.operator = createOperator(this.#connection)
  }

  /** Uploads the image if it is bytes, creates the task and waits for its video. */
  generate(request: Generate): Promise<GeneratedVideo> {
    return generateVideo(this.#connection, request)
  }

  /** Returns the task's id; generation runs in the background. */
  createTask(body: CreateTask, options: CreateOptions = {}): Promise<string> {
    return createTask(this.#connection, body, options)
  }

  /** Creates a task that continues from the last frame of a finished video; returns its id. */
  extend(body: ExtendTask, options: CreateOptions = {}): Promise<string> {
    return extendTask(this.#connection, body, options)
  }

  /** Waits for the task and returns its record; throws TaskFailed if it fails. Survives broken connections and restarts. */
  wait(taskId: string, options: WaitOptions = {}): Promise<TaskRecord> {
    return waitForTask(this.#connection, taskId, options)
  }

  getTask(taskId: string, { signal }: RequestOptions = {}): Promise<TaskRecord> {
    return this.#connection.call({ method: 'GET', path: '/api/v1/jobs/recordInfo', query: { taskId }, signal })
  }

  getVideo(taskId: string, { signal }: RequestOptions = {}): Promise<VideoRecord> {
    return this.#connection.call({ method: 'GET', path: '/api/v1/video/recordInfo', query: { taskId }, signal })
  }

  /** Every change of the task's state. */
  timeline(taskId: string, { signal }: RequestOptions = {}): Promise<Timeline> {
    return this.#connection.call({ method: 'GET', path: '/api/v1/jobs/timeline', query: { taskId }, signal })
  }

  /** Tasks, newest first. */
  list(filter: PageOptions & TaskFilter = {}): Pages<TaskRecord> {
    return pagesOf(this.#connection, '/api/v1/jobs/list', { ...filter })
  }

  cancel(taskId: string, options: RequestOptions = {}): Promise<CanceledTask> {
    return cancelTask(this.#connection, taskId, options)
  }

  /** Deletes the record and files of a task that has ended. */
  deleteTask(taskId: string, options: RequestOptions = {}): Promise<{ taskId: string }> {
    return deleteTask(this.#connection, taskId, options)
  }

  /** Uploads an image, video or audio file; its `downloadUrl` can be used in tasks for 3 days. */
  upload(file: Bytes, options: UploadOptions = {}): Promise<UploadedFile> {
    return uploadBytes(this.#connection, file, options)
  }

  /** Like `upload`, for a file that the service fetches itself. */
  uploadFromUrl(fileUrl: string, options: UploadOptions = {}): Promise<UploadedFile> {
    return uploadFromUrl(this.#connection, fileUrl, options)
  }

  /** The bytes of a video or thumbnail. */
  download(url: string, options: RequestOptions = {}): Promise<Blob> {
    return downloadFile(this.#connection, url, options)
  }

  /** The balance in credits. */
  credit({ signal }: RequestOptions = {}): Promise<number> {
    return this.#connection.call({ method: 'GET', path: '/api/v1/account/credit', signal })
  }

  /** Ledger entries, newest first. */
  ledger(filter: PageOptions & { taskId?: string } = {}): Pages<LedgerEntry> {
    return pagesOf(this.#connection, '/api/v1/account/ledger', { ...filter })
  }

  /** Tasks and credits by day, state and model over the last days; 30 by default. */
  usage({ days, signal }: RequestOptions & { days?: number } = {}): Promise<Usage> {
    return this.#connection.call({ method: 'GET', path: '/api/v1/account/usage', query: { days }, signal })
  }

  /** Whether the service is under maintenance, and which features are switched off. */
  status({ signal }: RequestOptions = {}): Promise<ServiceStatus> {
    return this.#connection.call({ method: 'GET', path: '/api/v1/status', signal })
  }

  /** Each model with its prices and the schema of its input. */
  async models({ signal }: RequestOptions = {}): Promise<ModelInfo[]> {
    return this.#connection.call({ method: 'GET', path: '/v1/models', signal })
  }

  /** What an engine reads from a prompt; free, and creates nothing. */
  explainPrompt(
    body: { prompt: string; negative_prompt?: string | undefined; model?: string | undefined },
    { signal }: RequestOptions = {},
  ): Promise<Understood> {
    return this.#connection.call({ method: 'POST', path: '/api/v1/prompts/explain', json: body, signal })
  }

  /** Runs an inference request: waits for the result, or with `webhook` returns that it is queued. */
  infer<Input extends EmbeddingsInput | VideoInferenceInput>(
    model: string,
    body: Input,
    options: CreateOptions = {},
  ): Promise<InferenceAnswer<ResultsOf<Input>>> {
    return infer(this.#connection, model, body, options)
  }

  /** Reads an inference request again. */
  getInference(requestId: string, options: RequestOptions = {}): Promise<InferenceAnswer> {
    return readInference(this.#connection, requestId, options)
  }
}
