// Made from the contract of the service by `npm run build:contract`; do not edit.

export const taskStates = ['wait', 'queueing', 'generating', 'success', 'fail'] as const

/** What lists of tasks can be narrowed to: `canceled` are those of `fail` that were canceled. */
export const listedStates = ['wait', 'queueing', 'generating', 'success', 'fail', 'canceled'] as const

/** Why a task can fail, and the `failCode` of each reason. */
export const failCodes = {
  image_fetch_failed: '451',
  image_too_large: '422',
  image_format: '422',
  unsupported_dimensions: '422',
  audio_length: '422',
  capture_window: '422',
  prompt_moderated: '422',
  nsfw_image: '422',
  inappropriate_content: '422',
  upstream_silent: '408',
  engine_failed: '501',
  generation_limit: '501',
  canceled: '501',
  internal: '500',
} as const

/** Every act that the audit log records. */
export const auditActions = [
  'account.create',
  'account.credit',
  'account.export',
  'account.delete',
  'key.create',
  'key.update',
  'key.rotate',
  'key.revoke',
  'secret.rotate',
  'secret.encrypt',
  'feature.enable',
  'feature.disable',
  'maintenance.on',
  'maintenance.off',
  'queue.pause',
  'queue.resume',
  'queue.retry',
  'task.delete',
  'share.create',
  'share.revoke',
  'file.delete',
  'session.failed',
  'session.end',
] as const

export const errorCodes = [401, 402, 404, 408, 422, 429, 433, 455, 500, 501, 503, 505] as const

export type ErrorCode = (typeof errorCodes)[number]

/** Waiting jobs of a queue are counted up to this number: it means as many or more. */
export const countedJobsMax = 10000 as const

export const turboModel = 'videomodel/v2-5-turbo-image-to-video-pro' as const

export const omniModel = 'videomodel-3.0-omni/image-to-video' as const

/** A number, or the same number as text. */
export type Numeric<N extends number> = N | `${N}`

export type Account = {
  id: string
  name: string
  balance: number
  openTasks: number
  /** Epoch milliseconds. */
  createdAt: number
}

export type AccountKey = SubKey & {
  /** Null: a main key. */
  parentId: string | null
  /** Whether it has the operator right. */
  operator: boolean
}

export type AccountLedgerEntry = LedgerEntry & {
  /** The name of the account. */
  account: string
}

export type AccountSession = {
  id: string
  /** The key that opened it: the calling one, or a sub-key. */
  keyId: string
  /** Epoch milliseconds. */
  createdAt: number
  /** Accurate to a minute. */
  lastUsedAt: number | null
  /** Epoch milliseconds. */
  expiresAt: number
  /** The address from which it was opened. */
  address?: string
  /** What the browser called itself. */
  userAgent?: string
  /** The request was made in this session. */
  current: boolean
}

export type AuditEntry = {
  id: string
  /** Epoch milliseconds. */
  time: number
  /** The id of a key, `command line:` with the name of a user, `service` for the service itself, or `unknown`. */
  actor: string
  /** The client's address; null where there was no connection. */
  address: string | null
  action:
    | 'account.create'
    | 'account.credit'
    | 'account.export'
    | 'account.delete'
    | 'key.create'
    | 'key.update'
    | 'key.rotate'
    | 'key.revoke'
    | 'secret.rotate'
    | 'secret.encrypt'
    | 'feature.enable'
    | 'feature.disable'
    | 'maintenance.on'
    | 'maintenance.off'
    | 'queue.pause'
    | 'queue.resume'
    | 'queue.retry'
    | 'task.delete'
    | 'share.create'
    | 'share.revoke'
    | 'file.delete'
    | 'session.failed'
    | 'session.end'
  /** What was acted on: the name of an account, feature or queue, or an id. */
  target: string | null
  /** What the act changed, as it was. Never a key or a secret. */
  before: Record<string, unknown> | null
  /** What the act changed, as it is since. */
  after: Record<string, unknown> | null
}

export type CanceledTask = {
  taskId: string
  state: 'fail'
}

export type CreateTask =
  | {
      model: 'videomodel/v2-5-turbo-image-to-video-pro'
      input: TurboInput
      /** Where the finished task is announced by a signed POST. */
      callBackUrl?: string | null
    }
  | {
      model: 'videomodel-3.0-omni/image-to-video'
      input: OmniInput
      /** Where the finished task is announced by a signed POST. */
      callBackUrl?: string | null
    }

export type CreatedTask = {
  /** Unique identifier of the task. */
  taskId: string
}

export type DeletedTask = {
  taskId: string
}

/** The video that was delivered. */
export type DeliveredVideo = {
  seconds: number
  width: number
  height: number
  fps: number | null
  /** Of the video stream, such as `h264`. */
  codec: string | null
  bytes: number
  /** The engine that made it. */
  engine: string
  /** What was changed to fit the request, one phrase each. */
  adjusted: string[]
}

export type Delivery = {
  /** Sent as `webhook-id`, the same for all attempts. */
  id: string
  kind: 'task' | 'inference' | 'test'
  /** The task or inference request that it reports; of a test event, no task. */
  taskId: string
  url: string
  state: DeliveryState
  /** Attempts of the current round; resending begins a new round. */
  tries: number
  nextTryTime: number | null
  /** Epoch milliseconds. */
  createTime: number
  endTime: number | null
  attempts: Array<{
    /** Epoch milliseconds. */
    time: number
    durationMs: number
    /** HTTP status; null when there was no response. */
    status: number | null
    error: string | null
    /** The first kilobyte of the response. Null where callbacks may reach private addresses, unless the key has the operator right. */
    answer: string | null
  }>
}

export type DeliveryState = 'pending' | 'delivered' | 'failed'

export type EmbeddingsInput = {
  /** 1 to 256 texts of at most 8192 characters. */
  inputs: string[]
  /** Whether vectors have length 1. This model gives no others, so both values mean the same. */
  normalize?: boolean | null
  /** Where the result is sent by a signed POST; the response then only says that the request is queued. */
  webhook?: string | null
}

export type EmbeddingsResults = {
  embeddings: number[][]
  input_tokens: number
  /** The model that served the request. */
  model: string
}

export type EngineHistory = {
  engine: string
  /** Oldest first; hours without attempts are left out. */
  hours: Array<{
    /** The start of the hour, in epoch milliseconds. */
    hour: number
    /** Attempts that succeeded or that the engine failed. */
    attempts: number
    succeeded: number
    /** Median milliseconds of those that succeeded. */
    p50Ms: number | null
  }>
}

export type EngineStatus = {
  name: string
  type: string
  healthy: boolean
  slots: number
  failures: number
  /** When it is probed again; null while it is healthy. */
  retryAt: number | null
  /** The latest failure that counted against its health. */
  lastProblem: string | null
  /** What the generator said when it refused a task for now; null once it has taken one. */
  busy: string | null
}

export type ExtendTask = {
  /** The task of the video to play on from. */
  taskId: string
  /** What happens next. As long as the model of the first video allows. */
  prompt: string
  /** Length of the new part in seconds, as the model of the first video allows; a number or a string. */
  duration?: Numeric<3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15> | null
  /** Where the finished task is announced by a signed POST. */
  callBackUrl?: string | null
}

/** Why the task failed, as an identifier for programs. */
export type FailReason =
  | 'image_fetch_failed'
  | 'image_too_large'
  | 'image_format'
  | 'unsupported_dimensions'
  | 'audio_length'
  | 'capture_window'
  | 'prompt_moderated'
  | 'nsfw_image'
  | 'inappropriate_content'
  | 'upstream_silent'
  | 'engine_failed'
  | 'generation_limit'
  | 'canceled'
  | 'internal'

export type FeatureState = {
  /** A model id, or one of 1080p, 4k, audio, elements, multi_shots, last_frame, extend, uploads, inference. */
  name: string
  enabled: boolean
}

export type FieldError = {
  /** Path of the wrong field, such as `input.duration`; empty where it is none. */
  field: string
  /** What is wrong, and what is allowed. */
  message: string
  /** What was probably meant. */
  suggestion?: string
}

export type InferenceAnswer = {
  request_id: string
  /** Only while the request is queued. */
  status?: 'queued'
  inference_status: {
    status: 'queued' | 'succeeded' | 'failed'
    /** 0 unless succeeded. */
    runtime_ms: number
    /** US dollars; 0 unless succeeded. */
    cost: number
  }
  /** On success only. */
  results?: EmbeddingsResults | VideoResults
  /** The same as in `results`; only in the response to a request that waited for embeddings. */
  embeddings?: number[][]
  /** As `embeddings`. */
  input_tokens?: number
  /** Why the request failed; only where a failed request is read again. */
  error?: {
    reason:
      | 'image_fetch_failed'
      | 'image_too_large'
      | 'image_format'
      | 'unsupported_dimensions'
      | 'audio_length'
      | 'capture_window'
      | 'prompt_moderated'
      | 'nsfw_image'
      | 'inappropriate_content'
      | 'upstream_silent'
      | 'engine_failed'
      | 'generation_limit'
      | 'canceled'
      | 'internal'
      | 'too_few_credits'
    message: string
  }
}

/** A delivery with everything that was sent and received. */
export type InspectedDelivery = {
  /** Sent as `webhook-id`, the same for all attempts. */
  id: string
  kind: 'task' | 'inference' | 'test'
  /** The task or inference request that it reports; of a test event, no task. */
  taskId: string
  url: string
  state: DeliveryState
  /** Attempts of the current round; resending begins a new round. */
  tries: number
  nextTryTime: number | null
  /** Epoch milliseconds. */
  createTime: number
  endTime: number | null
  /** The payload, as it is sent. */
  body: string
  attempts: Array<{
    /** Epoch milliseconds. */
    time: number
    durationMs: number
    /** HTTP status; null when there was no response. */
    status: number | null
    error: string | null
    /** The first kilobyte of the response. Null where callbacks may reach private addresses, unless the key has the operator right. */
    answer: string | null
    /** The headers that were sent, including the signature. */
    requestHeaders: Record<string, string> | null
    /** The headers of the response, at most 4 kB; null without a response and wherever `answer` is null. */
    responseHeaders: Record<string, string> | null
  }>
}

/** A field that is left out stays as it is; `null` removes a limit. */
export type KeyChanges = {
  name?: string
  creditLimit?: number | null
  requestLimit?: RequestLimit | null
  rate?: string | null
  scopes?: Array<'tasks:read' | 'tasks:write' | 'files:write' | 'webhooks' | 'keys' | 'operator'> | null
  addresses?: string[] | null
  expiresAt?: number | null
}

export type KeyRotation = {
  overlap?: string | null
} | null

export type LedgerEntry = {
  id: string
  kind: 'grant' | 'hold' | 'settle' | 'release' | 'charge'
  /** The change of the balance; 0 with `settle`. */
  amount: number
  /** With `settle`, what the task cost in the end; null with all others. */
  cost: number | null
  balanceAfter: number
  /** The task or inference request. */
  taskId: string | null
  keyId: string | null
  /** Epoch milliseconds. */
  createTime: number
}

export type ListedFile = UploadedFile & {
  /** For `DELETE /api/v1/files/<id>`. */
  id: string
  /** Epoch milliseconds. */
  createdAt: number
}

export type ListedKey = AccountKey & {
  /** The name of its account. */
  account: string
}

/** A callback as an event of the stream: what its receiver gets. */
export type ListenedDelivery = {
  id: string
  url: string
  headers: Record<string, string>
  body: string
}

export type MadeAccount = {
  id: string
  name: string
  balance: number
  keyId: string
  /** The first key of the account. Shown only once. */
  key: string
}

export type MadeShare = Share & {
  /** The address of the page. Shown only once. */
  url: string
}

export type ModelInfo = {
  id: string
  kind: 'video' | 'embeddings'
  title: string
  description: string
  /** Of embeddings: numbers per vector. */
  dimensions?: number
  /** Credits by the names of the price list; for embeddings US dollars per million tokens. */
  prices: Record<string, number>
  /** An input that the model accepts. */
  example: Record<string, unknown>
  /** JSON Schema of the input. */
  inputSchema: Record<string, unknown>
}

export type NewAccount = {
  name: string
  /** Credits to begin with; none if omitted. */
  credits?: number | null
}

export type NewKey = {
  /** The name of an account. */
  account?: string | null
  /** Makes a sub-key of this key instead of a key of `account`. */
  parentId?: string | null
  /** With the operator right; not for sub-keys. */
  operator?: boolean | null
  name: string
  creditLimit?: number | null
  requestLimit?: RequestLimit | null
  rate?: string | null
  scopes?: Array<'tasks:read' | 'tasks:write' | 'files:write' | 'webhooks' | 'keys' | 'operator'> | null
  addresses?: string[] | null
  expiresAt?: number | null
}

export type NewShare = {
  /** When the link stops working, in epoch milliseconds; 7 days from now if omitted, and never later than the video. */
  expiresAt?: number | null
} | null

export type NewSubKey = {
  name: string
  creditLimit?: number | null
  requestLimit?: RequestLimit | null
  rate?: string | null
  scopes?: Array<'tasks:read' | 'tasks:write' | 'files:write' | 'webhooks' | 'keys' | 'operator'> | null
  addresses?: string[] | null
  expiresAt?: number | null
}

export type OmniInput = {
  /** What the video shows; subjects of `elements` are named as @name. Up to 3072 characters. */
  prompt: string
  /** Required, under this name or as image_urls: URL of the first frame, and optionally of the last. JPEG or PNG, at most 50 MB each, aspect ratio 0.4 to 2.5. */
  image_url?: string[] | null
  /** Another spelling of image_url. Where both are given they must be equal. */
  image_urls?: string[] | null
  /** Length in whole seconds, 3 to 15. Left out: 5, or with customize_multi_shots the sum of the shots, held within 3 to 15. */
  duration?: Numeric<3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15> | null
  /** Size of the video. */
  resolution?: '720p' | '1080p' | '4k' | null
  /** auto follows the first frame. 16:9, 9:16 and 1:1 need customize_multi_shots. Left out: auto, or 16:9 with customize_multi_shots. */
  aspect_ratio?: '16:9' | '9:16' | '1:1' | 'auto' | null
  /** The shots are those of multi_prompt. Not together with prefer_multi_shots. */
  customize_multi_shots?: boolean | null
  /** The service plans shots of its own. Not together with customize_multi_shots. */
  prefer_multi_shots?: boolean | null
  /** Up to 6 shots; required, and used, when customize_multi_shots is true. */
  multi_prompt?: Array<{
    /** What the shot shows. Up to 512 characters. */
    prompt: string
    /** Seconds, 1 to 15. */
    duration: number
  }> | null
  /** Up to 3 subjects. Entries with the same name are one subject with the files of both. */
  elements?: Array<{
    /** The name by which the prompt refers to the subject, there with an @ before it. */
    name: string
    /** What the subject is. */
    description: string
    /** 2 to 4 URLs of images (JPEG or PNG, at most 10 MB each) or videos of the subject. */
    element_input_urls: string[]
    /** Up to 10 URLs of recordings of the character, 5 to 30 seconds each. */
    element_input_audio_urls?: string[] | null
    /** Where the capture begins, in milliseconds. Only for videos. */
    start_time?: number | null
    /** Where the capture ends, in milliseconds: 3000 to 8000 after start_time. Only for videos. */
    end_time?: number | null
  }> | null
  /** Whether the video has a sound track. */
  audio?: boolean | null
  /** The same request with the same seed gives the same pictures on the same engine. Left out: the engine chooses one. */
  seed?: number | null
}

export type OpenAIEmbeddings = {
  object: 'list'
  data: Array<{
    object: 'embedding'
    index: number
    /** Numbers, or base64 if requested. */
    embedding: number[] | string
  }>
  /** The model that served the request. */
  model: string
  usage: {
    prompt_tokens: number
    total_tokens: number
  }
}

export type OpenAIModels = {
  object: 'list'
  data: Array<{
    id: string
    object: 'model'
    created: number
    owned_by: string
  }>
}

export type OperatorQueues = {
  queues: QueueState[]
  /** The same, summed up by kind. */
  kinds: Array<{
    kind: string
    /** Counted up to 10000. */
    waiting: number
    /** How many of these wait for a later time, such as a retry. */
    later: number
    running: number
    /** How long the oldest waiting job has been due, in milliseconds; of the next 10000 at most. */
    oldestMs: number
  }>
  workers: WorkerProcess[]
  /** Where the responding process keeps its data folder. */
  disk: {
    freeBytes: number
    totalBytes: number
  } | null
  /** The longest delay of the event loop of the responding process within the last minute. */
  eventLoopLagMs: number
  storage: 'up' | 'down'
  /** Tasks by minute, for the last 60 minutes, oldest first; each number is counted up to 10000. */
  throughput: Array<{
    /** Its start, in epoch milliseconds. */
    minute: number
    created: number
    succeeded: number
    failed: number
  }>
}

export type OperatorStatus = {
  maintenance: boolean
  queues: QueueDepth[]
  workers: WorkerLoad[]
  engines: EngineStatus[]
  features: FeatureState[]
}

export type OperatorTask = TaskRecord & {
  /** The name of the account. */
  account: string
  keyId: string
}

export type OwnedSecret = {
  /** `whsec_…` */
  secret: string
  /** Until when the previous secret signs too. */
  previousUntil: number | null
  account: string
  /** Null: the secret of the account. */
  keyId: string | null
}

export type QueueDepth = {
  queue: string
  /** Counted up to 10000. */
  waiting: number
  /** How many of these wait for a later time, such as a retry. */
  later: number
  running: number
  /** How long the oldest waiting job has been due, in milliseconds; of the next 10000 at most. */
  oldestMs: number
}

export type QueueState = QueueDepth & {
  /** What its jobs do: `prepare`, `generate`, `deliver` or `infer`. */
  kind: string
  /** No process claims its jobs. */
  paused: boolean
  /** Live workers that serve it. */
  workers: number
}

/** Requests per UTC hour, per UTC day, or in total. */
export type RequestLimit = {
  requests: number
  per: 'hour' | 'day' | 'total'
}

export type ResendDeliveries = {
  /** These deliveries. */
  ids?: string[] | null
  /** Or those that failed at this time or later. */
  failedSince?: number | null
  /** With `failedSince`: only those whose URL contains this text. */
  url?: string | null
}

export type ServiceStatus = {
  /** Whether requests that create work are refused with 455. */
  maintenance: boolean
  /** Requests that need one of these are refused with 505. */
  disabledFeatures: string[]
}

export type Share = {
  /** Names the link to revoke it; not part of its address. */
  id: string
  /** Epoch milliseconds. */
  createdAt: number
  /** Epoch milliseconds. */
  expiresAt: number
}

export type ShownKey = {
  id: string
  /** Shown only once. */
  key: string
}

export type SigningSecret = {
  /** `whsec_…` */
  secret: string
  /** Until when the previous secret signs too. */
  previousUntil: number | null
}

export type SubKey = {
  id: string
  name: string
  /** The first characters of the key. */
  hint: string
  creditLimit: number | null
  creditUsed: number
  requestLimit: RequestLimit | null
  requestsUsed: number
  rate: string | null
  /** Null: everything that its kind may do. */
  scopes: Array<'tasks:read' | 'tasks:write' | 'files:write' | 'webhooks' | 'keys' | 'operator'> | null
  /** Null: every address. */
  addresses: string[] | null
  /** Epoch milliseconds. */
  createdAt: number
  expiresAt: number | null
  /** Epoch milliseconds, accurate to a minute. */
  lastUsedAt: number | null
  revokedAt: number | null
}

/** The body of the callback of a task that has ended. */
export type TaskCallback = {
  /** 200, or the number of the failure. */
  code: number
  msg: string
  data: TaskRecord
}

/** The unified record of a task. */
export type TaskRecord = {
  taskId: string
  model: string
  state: TaskState
  /** The accepted body, as JSON. */
  param: string
  /** `{"resultUrls":[…]}` as JSON; empty until success. */
  resultJson: string
  /** Empty unless the task failed. 451: an input file could not be fetched. 422: an input file or the prompt is not acceptable. 408: the generator sent no heartbeat for too long. 501: generation failed, the task waited too long, or it was canceled. 500: an unexpected error. */
  failCode: string
  /** What was found and what is allowed; empty unless the task failed. */
  failMsg: string
  /** Why the task failed, as an identifier for programs; empty unless the task failed. */
  failReason: '' | FailReason
  /** Percent. */
  progress: number
  /** 1 + the tasks ahead, at most 1000; null unless queueing. */
  queuePosition: number | null
  /** Estimated milliseconds until the end of a queueing task, from its place in the queue and recent tasks of its model on its engine; null when unknown, and in every other state. */
  timeLeftMs: number | null
  /** Fields of the request that the service does not know. */
  ignoredFields: string[]
  creditsConsumed: number
  /** Milliseconds from creation to end. */
  costTime: number | null
  /** Epoch milliseconds. */
  createTime: number
  /** Epoch milliseconds. */
  updateTime: number
  completeTime: number | null
  /** Null until an engine has read the prompt. */
  understood: Understood | null
  /** Null until success. */
  video: DeliveredVideo | null
}

/** `wait`: accepted, input files are being fetched and checked. `queueing`: waiting for a slot. `generating`: an engine works on it. `success` and `fail` are final. */
export type TaskState = 'wait' | 'queueing' | 'generating' | 'success' | 'fail'

export type TestEvent = {
  url: string
}

/** Every move of a task from state to state, oldest first. */
export type Timeline = {
  taskId: string
  items: Array<{
    /** Epoch milliseconds. */
    at: number
    state: TaskState
    attempt: number
    note: string | null
  }>
}

export type TurboInput = {
  /** What the video shows. Up to 2500 characters. */
  prompt: string
  /** The first frame: URL of a JPEG or PNG image of at most 10 MB. */
  image_url: string
  /** The last frame: URL of a JPEG or PNG image of at most 10 MB. */
  tail_image_url?: string | null
  /** Length in seconds, 5 or 10. */
  duration?: Numeric<5 | 10> | null
  /** What the video should not show. Up to 500 characters. */
  negative_prompt?: string | null
  /** How closely the prompt is followed, 0 to 1 in steps of 0.1. */
  cfg_scale?: string | number | null
  /** The same request with the same seed gives the same pictures on the same engine. Left out: the engine chooses one. */
  seed?: number | null
}

/** What an engine read from the prompt. Engines that cannot say return empty lists. */
export type Understood = {
  /** Camera moves, in the order of the prompt. */
  moves: string[]
  /** Effects, such as `rain`, `fog` or `film grain`. */
  effects: string[]
  framing: string | null
  /** What the prompt asks for and is not done, in its own words (`she smiles`), and effects for which the picture has no region. The studio moves and lights the given images by rules; it is not a generative model, and nothing in them acts or is invented. */
  notDone: string[]
}

export type UploadedFile = {
  fileName: string
  mimeType: string
  /** Bytes. */
  fileSize: number
  /** Use this URL in a task. */
  downloadUrl: string
  /** Epoch milliseconds. */
  expiresAt: number
}

export type Usage = {
  /** UTC days, oldest first; days without tasks are left out. */
  days: Array<{
    day: string
    tasks: number
    credits: number
  }>
  states: Array<{
    state: string
    tasks: number
    credits: number
  }>
  /** How the tasks ended; of `succeeded` and `failed`, the share of the first is the success rate. */
  outcomes: {
    succeeded: number
    /** Generation failed, or the task waited too long. */
    failed: number
    canceled: number
    /** An input file or the prompt was not acceptable: `failCode` 422 or 451. */
    refused: number
  }
  models: Array<{
    model: string
    tasks: number
    credits: number
  }>
  /** By the key that asked, revoked keys included; the 1000 that used the most, where there are more. */
  keys: Array<{
    keyId: string
    name: string
    tasks: number
    credits: number
  }>
  /** How long the latest successful tasks, at most 1000, were in each state; empty without any. */
  times: Array<{
    state: 'wait' | 'queueing' | 'generating'
    p50Ms: number
    p95Ms: number
  }>
}

/** The video record of a task. */
export type VideoRecord = {
  taskId: string
  /** The task that this one extends; empty for a standard task. */
  parentTaskId: string
  generateParam: {
    prompt: string
    imageUrl: string
    expandPrompt: boolean
  }
  state: TaskState
  /** When the task entered its state, `YYYY-MM-DD HH:mm:ss`, UTC. */
  generateTime: string
  /** The video; null until success. It stays after the video has expired. */
  videoInfo: {
    videoId: string
    taskId: string
    videoUrl: string
    /** The thumbnail. */
    imageUrl: string
  } | null
  /** Null unless the task failed. 451: an input file could not be fetched. 422: an input file or the prompt is not acceptable. 408: the generator sent no heartbeat for too long. 501: generation failed, the task waited too long, or it was canceled. 500: an unexpected error. */
  failCode: string | null
  /** What was found and what is allowed; null unless the task failed. */
  failMsg: string | null
  /** 1 once the video is no longer available. */
  expireFlag: 0 | 1
}

export type VideoResults = {
  video_url: string
  thumbnail_url: string
  seconds: number
  /** The model that served the request. */
  model: string
}

/** One queue of one process. */
export type WorkerLoad = {
  worker: string
  queue: string
  slots: number
  running: number
  /** Epoch milliseconds. */
  seenAt: number
}

/** A process that has sent a heartbeat within the last 20 seconds. */
export type WorkerProcess = {
  worker: string
  host: string
  pid: number
  /** `server`: it serves requests too. */
  role: 'server' | 'worker' | null
  release: string | null
  /** Its last heartbeat, in epoch milliseconds. */
  seenAt: number
  queues: Array<{
    queue: string
    slots: number
    running: number
  }>
}
