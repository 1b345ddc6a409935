// Errors as classes: one per code of the service, one for a missing response, one for a task that failed.
// Which of them are worth a retry is decided in retry.ts.
import type { ErrorCode, FieldError, TaskRecord } from './contract.ts'

interface ErrorFacts {
  /** The code of the response, which is also its HTTP status; 0 when there was no response. */
  code: number
  message: string
  requestId?: string | null
  retryAfterMs?: number | null
  cause?: unknown
  /** Of a 422: each wrong field, as the service names it. */
  problems?: FieldProblem[] | undefined
}

export class DailiesError extends Error {
  override readonly name: string = 'DailiesError'
  /** The code of the response, which is also its HTTP status; 0 when there was no response. */
  readonly code: number
  /** Identifies the request in the service's log. */
  readonly requestId: string | null
  /** How long the service asks to wait before a retry. */
  readonly retryAfterMs: number | null
  /** How often the request was sent before this error was thrown. */
  tries = 1

  constructor(facts: ErrorFacts) {
    super(facts.message, { cause: facts.cause })
    this.code = facts.code
    this.requestId = facts.requestId ?? null
    this.retryAfterMs = facts.retryAfterMs ?? null
  }
}

/** 401: the API key is missing, wrong, expired or revoked. */
export class NotAuthenticated extends DailiesError {
  override readonly name = 'NotAuthenticated'
}

/** 402: the account has too few credits. */
export class InsufficientCredits extends DailiesError {
  override readonly name = 'InsufficientCredits'
}

/** 404: there is no such task, key, model or path, or it is not this key's. */
export class NotFound extends DailiesError {
  override readonly name = 'NotFound'
}

/** 422: the request is not valid. */
export class InvalidRequest extends DailiesError {
  override readonly name = 'InvalidRequest'
  /** Each wrong field by its path, such as `input.duration`, and what is wrong with it. */
  readonly problems: FieldProblem[]

  constructor(facts: ErrorFacts) {
    super(facts)
    this.problems = facts.problems ?? fieldProblems(facts.message)
  }
}

/** 429: too many requests, even after retries. */
export class RateLimited extends DailiesError {
  override readonly name = 'RateLimited'
}

/** 433: a sub-key's credits or requests are used up. */
export class SubKeyLimitReached extends DailiesError {
  override readonly name = 'SubKeyLimitReached'
}

/** 455: maintenance or too much load, even after retries. */
export class ServiceUnavailable extends DailiesError {
  override readonly name = 'ServiceUnavailable'
}

/** 505: the feature is switched off. */
export class FeatureDisabled extends DailiesError {
  override readonly name = 'FeatureDisabled'
}

/** Any other 5xx, even after retries. */
export class ServerError extends DailiesError {
  override readonly name = 'ServerError'
}

/** No response: the service cannot be reached, the connection broke, or it took too long. `code` is 0. */
export class NoAnswer extends DailiesError {
  override readonly name = 'NoAnswer'
}

/** The task ended in state `fail`. `code` is its failCode as a number. Nothing was charged. */
export class TaskFailed extends DailiesError {
  override readonly name = 'TaskFailed'
  readonly taskId: string
  /** A word for programs, such as `image_fetch_failed` or `canceled`. */
  readonly failReason: TaskRecord['failReason']
  readonly record: TaskRecord

  constructor(record: TaskRecord) {
    super({ code: Number(record.failCode), message: record.failMsg })
    this.taskId = record.taskId
    this.failReason = record.failReason
    this.record = record
  }
}

/** Every code of the service; 0 is no response. A code that is new in the contract does not compile without a class. */
const classes: Record<ErrorCode | 0, new (facts: ErrorFacts) => DailiesError> = {
  0: NoAnswer,
  401: NotAuthenticated,
  402: InsufficientCredits,
  404: NotFound,
  408: DailiesError,
  422: InvalidRequest,
  429: RateLimited,
  433: SubKeyLimitReached,
  455: ServiceUnavailable,
  500: ServerError,
  501: ServerError,
  503: ServerError,
  505: FeatureDisabled,
}

export function errorOf(facts: ErrorFacts): DailiesError {
  const Class = classes[facts.code as ErrorCode] ?? (facts.code >= 500 ? ServerError : DailiesError)
  return new Class(facts)
}

export interface FieldProblem {
  field: string
  sentence: string
  /** What was probably meant, such as `this model takes image_url, not image_urls`. */
  suggestion?: string
}

/** The `errors` of a 422; undefined where the service is of a version that sends none. */
export function problemsOf(errors: unknown): FieldProblem[] | undefined {
  if (!Array.isArray(errors)) return undefined
  return (errors as FieldError[])
    .filter(({ field }) => field !== '')
    .map(({ field, message, suggestion }) => ({ field, sentence: message, ...(suggestion ? { suggestion } : {}) }))
}

/** The service joins `field: sentence` with `; `. A sentence may hold a semicolon too, so a field must follow it. */
export function fieldProblems(message: string): FieldProblem[] {
  return message
    .split(/; (?=[\w.[\]-]+: )/)
    .map((part) => /^([\w.[\]-]+): ([\s\S]+)$/.exec(part))
    .filter((match) => match !== null)
    .map(([, field, sentence]) => ({ field: field!, sentence: sentence! }))
}
