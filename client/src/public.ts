// Everything that the package `dailies-client` exports.

export type { Keys } from './account/keys.ts'
export type { AuditFilter, Operator } from './account/operator.ts'
export {
  type CallbackPayload,
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookNotVerified,
} from './account/verify-webhook.ts'
export type { Webhooks } from './account/webhooks.ts'
export {
  type Account,
  type AccountKey,
  type AuditEntry,
  type CreateTask,
  type Delivery,
  type DeliveryState,
  type EmbeddingsInput,
  type EmbeddingsResults,
  type EngineHistory,
  type ExtendTask,
  type InspectedDelivery,
  type KeyChanges,
  type LedgerEntry,
  type MadeAccount,
  type MadeShare,
  type ModelInfo,
  type NewAccount,
  type NewShare,
  type NewSubKey,
  type OmniInput,
  type OperatorStatus,
  type OperatorTask,
  omniModel,
  type QueueDepth,
  type RequestLimit,
  type ResendDeliveries,
  type ServiceStatus,
  type Share,
  type ShownKey,
  type SigningSecret,
  type SubKey,
  type TaskCallback,
  type TaskRecord,
  type TaskState,
  type Timeline,
  type TurboInput,
  turboModel,
  type Understood,
  type UploadedFile,
  type Usage,
  type VideoRecord,
  type VideoResults,
} from './contract.ts'
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
export { isFinal, videoUrlOf } from './records.ts'
export type { Generate, GeneratedVideo, GenerateOmni, GenerateTurbo, Picture } from './tasks/generate.ts'
export type { InferenceAnswer, InferenceResults } from './tasks/inference.ts'
export type {
  CreateOmniTask,
  CreateTurboTask,
  FrameUrls,
  OmniOptions,
  SubjectElement,
  VideoInferenceInput,
} from './tasks/inputs.ts'
export type { TaskProgress } from './tasks/pace.ts'
export type { Shares } from './tasks/shares.ts'
export type { Bytes, UploadOptions, UploadProgress } from './tasks/upload.ts'
export type { WaitOptions } from './tasks/wait.ts'
export type { Retry } from './transport/attempts.ts'
export type { CreateOptions, DailiesOptions, Fetch, RequestOptions } from './transport/connection.ts'
export type { Page, PageOptions, Pages } from './transport/pages.ts'
