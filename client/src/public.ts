// Everything that the package `dailies-client` gives out.
export type { LedgerEntry, Usage, UsageCount } from './account/account.ts'
export type { Keys, NewSubKey, RequestLimit, ShownKey, SubKey } from './account/keys.ts'
export type { Account, Operator, OperatorStatus, QueueDepth } from './account/operator.ts'
export {
  type CallbackPayload,
  type TaskCallback,
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookNotVerified,
} from './account/verify-webhook.ts'
export type { Delivery, DeliveryState, SigningSecret, Webhooks } from './account/webhooks.ts'
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
export { isFinal, type TaskRecord, type TaskState, type Timeline, type VideoRecord, videoUrlOf } from './records.ts'
export type { Generate, GeneratedVideo, GenerateOmni, GenerateTurbo, Picture } from './tasks/generate.ts'
export type { EmbeddingsResults, InferenceAnswer, InferenceResults, VideoResults } from './tasks/inference.ts'
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
} from './tasks/inputs.ts'
export type { ModelInfo } from './tasks/model-info.ts'
export type { TaskProgress } from './tasks/pace.ts'
export type { Cancelled } from './tasks/tasks.ts'
export type { Bytes, UploadedFile, UploadOptions, UploadProgress } from './tasks/upload.ts'
export type { WaitOptions } from './tasks/wait.ts'
export type { CreateOptions, DailiesOptions, Fetch, RequestOptions } from './transport/connection.ts'
export type { Page, PageOptions, Pages } from './transport/pages.ts'
