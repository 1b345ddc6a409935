// Everything that the package `dailies-client` gives out.
export type { LedgerEntry, Usage, UsageCount } from './account.ts'
export type { CreateOptions, DailiesOptions, Fetch, RequestOptions } from './connection.ts'
export { Dailies } from './dailies.ts'
export {
  DailiesError,
  FeatureDisabled,
  type FieldProblem,
  InsufficientCredits,
  InvalidRequest,
  NoAnswer,
  NotAuthenticated,
  NotFound,
  RateLimited,
  ServerError,
  ServiceUnavailable,
  SubKeyLimitReached,
  TaskFailed,
} from './errors.ts'
export type { Generate, GeneratedVideo, GenerateOmni, GenerateTurbo, Picture } from './generate.ts'
export type { EmbeddingsResults, InferenceAnswer, InferenceResults, VideoResults } from './inference.ts'
export {
  type CreateOmniTask,
  type CreateTask,
  type CreateTurboTask,
  type EmbeddingsInput,
  type ExtendTask,
  type FrameUrls,
  type OmniInput,
  type OmniOptions,
  omniModel,
  type SubjectElement,
  type TurboInput,
  turboModel,
  type VideoInferenceInput,
} from './inputs.ts'
export type { Keys, NewSubKey, RequestLimit, ShownKey, SubKey } from './keys.ts'
export type { ModelInfo } from './model-info.ts'
export type { Account, Operator, OperatorStatus, QueueDepth } from './operator.ts'
export type { TaskProgress } from './pace.ts'
export type { Page, PageOptions, Pages } from './pages.ts'
export { isFinal, type TaskRecord, type TaskState, type Timeline, type VideoRecord, videoUrlOf } from './records.ts'
export type { Cancelled } from './tasks.ts'
export type { Bytes, UploadedFile, UploadOptions, UploadProgress } from './upload.ts'
export {
  type CallbackPayload,
  type TaskCallback,
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookNotVerified,
} from './verify-webhook.ts'
export type { WaitOptions } from './wait.ts'
export type { Delivery, DeliveryState, SigningSecret, Webhooks } from './webhooks.ts'
