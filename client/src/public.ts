// Everything that the package `dailies-client` exports.

export type { AllKeys, Keys } from './account/keys.ts'
export type { ListenOptions } from './account/listen.ts'
export type { AllTasksFilter, AuditFilter, Operator, SecretOwner } from './account/operator.ts'
export {
  type CallbackPayload,
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookNotVerified,
} from './account/verify-webhook.ts'
export type { DeliveryFilter, Webhooks } from './account/webhooks.ts'
export type * from './contract.ts'
export { omniModel, turboModel } from './contract.ts'
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
export { isFinal, promptOf, videoFileName, videoUrlOf } from './records.ts'
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
export type { TaskFilter } from './tasks/tasks.ts'
export type { Bytes, UploadOptions, UploadProgress } from './tasks/upload.ts'
export type { WaitOptions } from './tasks/wait.ts'
export type { Retry } from './transport/attempts.ts'
export type { CreateOptions, DailiesOptions, Fetch, RequestOptions } from './transport/connection.ts'
export type { Page, PageOptions, Pages } from './transport/pages.ts'
