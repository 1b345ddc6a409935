// The error catalogue: every refusal a client can get, with its code, its reason and its public sentence.
// A cause stays on the error for the log; only `code` and `message` leave the process.
// Why a task that was accepted can fail later is contract/tasks/fail-reasons.ts.
import { z } from 'zod'
import { counted } from '../schema/counted.ts'
import { type Problem, problemsText } from '../schema/problem.ts'

/** What a code means to a client. The HTTP status is the same number; `openai` is its name for OpenAI's clients. */
export const errorCodes = {
  401: {
    description: 'The API key is missing or not valid.',
    openai: { type: 'invalid_request_error', code: 'invalid_api_key' },
  },
  402: {
    description: 'The account has too few credits. Nothing was created.',
    openai: { type: 'insufficient_quota', code: 'insufficient_quota' },
  },
  404: {
    description: 'There is no such path or resource, or it belongs to another account.',
    openai: { type: 'invalid_request_error', code: 'not_found' },
  },
  408: {
    description: 'The generator did not respond in time.',
    openai: { type: 'server_error', code: 'server_error' },
  },
  422: {
    description: 'The request is not valid; the message names every wrong field.',
    openai: { type: 'invalid_request_error', code: 'invalid_value' },
  },
  429: {
    description: 'Too many requests, too many unfinished tasks, or too much unpaid computing time.',
    openai: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  },
  433: {
    description: 'The request limit or the credit limit of this sub-key is used up.',
    openai: { type: 'insufficient_quota', code: 'key_limit_reached' },
  },
  455: {
    description: 'The service does not accept new work: maintenance, or too much load.',
    openai: { type: 'server_error', code: 'server_error' },
  },
  500: {
    description: 'An unexpected error. The message carries a request id and no details.',
    openai: { type: 'server_error', code: 'server_error' },
  },
  501: {
    description: 'The video could not be generated. Only in the record of a task, never for a request.',
    openai: { type: 'server_error', code: 'server_error' },
  },
  503: {
    description: 'The service is not ready.',
    openai: { type: 'server_error', code: 'server_error' },
  },
  505: {
    description: 'A feature that the request needs is disabled.',
    openai: { type: 'invalid_request_error', code: 'feature_disabled' },
  },
} as const

export type ErrorCode = keyof typeof errorCodes

const perWords = { hour: 'per hour', day: 'per day', total: 'in total' }

/** Reason → code and sentence. A sentence with parameters names them; `retryAfterS` becomes a `Retry-After` header. */
const catalogue = {
  invalid_api_key: { code: 401, say: () => 'The API key is missing or not valid.' },
  no_api_key: {
    code: 401,
    say: () => 'The request has no API key: send the header `Authorization: Bearer <API key>`.',
  },
  not_bearer: { code: 401, say: () => 'The Authorization header must have the form `Bearer <API key>`.' },
  unknown_api_key: { code: 401, say: () => 'There is no such API key.' },
  expired_api_key: { code: 401, say: () => 'This API key has expired.' },
  revoked_api_key: { code: 401, say: () => 'This API key was revoked.' },
  session_over: { code: 401, say: () => 'The session of this browser has ended; sign in again.' },
  address_not_allowed: { code: 401, say: () => 'The API key may not be used from this address.' },
  invalid_metrics_token: { code: 401, say: () => 'The metrics token is missing or not valid.' },

  task_too_expensive: {
    code: 402,
    say: (of: { price: number; balance: number }) =>
      `This task costs ${counted(of.price, 'credit')}; the balance is ${of.balance}.`,
  },
  request_too_expensive: {
    code: 402,
    say: (of: { estimate: number; free: number }) =>
      `This request may cost ${counted(of.estimate, 'credit')}; the balance leaves ${of.free}.`,
  },

  not_found: { code: 404, say: () => 'Not found.' },
  scope_missing: {
    code: 404,
    say: (of: { scope: string }) => `This API key does not have the scope ${of.scope}, which this path needs.`,
  },
  restricted_key: {
    code: 404,
    say: () => 'This needs an API key without scopes, addresses and expiry of its own.',
  },
  no_path: { code: 404, say: () => 'There is no such path.' },
  other_method: {
    code: 404,
    say: (of: { methods: readonly string[]; path: string }) =>
      `There is no such path with this method; use ${of.methods.join(' or ')} ${of.path}.`,
  },
  other_spelling: { code: 404, say: (of: { path: string }) => `There is no such path; did you mean ${of.path}?` },
  no_task: { code: 404, say: () => 'There is no task with this id.' },
  no_inference_request: { code: 404, say: () => 'There is no inference request with this id.' },
  no_delivery: { code: 404, say: () => 'There is no delivery with this id.' },
  no_session: { code: 404, say: () => 'There is no session with this id.' },
  no_key: { code: 404, say: () => 'There is no key with this id.' },
  no_account: { code: 404, say: () => 'There is no account with this name.' },
  no_queue: { code: 404, say: () => 'There is no queue with this name.' },
  no_file: { code: 404, say: () => 'There is no such file, or it has expired.' },
  no_share: { code: 404, say: () => 'There is no link with this id.' },
  no_model: { code: 404, say: () => 'There is no such model.' },
  no_video_model: {
    code: 404,
    say: (of: { path: string; served: readonly string[] }) =>
      `There is no video model ${JSON.stringify(of.path)}; there is ${of.served.join(', ')}.`,
  },
  no_openai_model: {
    code: 404,
    openaiCode: 'model_not_found',
    say: (of: { model: string; served: string }) =>
      `The model ${JSON.stringify(of.model.slice(0, 200))} does not exist; there is ${of.served}.`,
  },
  console_not_built: { code: 404, say: () => 'The console is not built; run `npm run build:console`.' },

  generator_unreachable: {
    code: 408,
    say: (of: { model: string; retryAfterS: number }) =>
      `The generator of the model ${of.model} cannot be reached at the moment; try again in ${of.retryAfterS} s.`,
  },
  embeddings_late: { code: 408, say: () => 'The embeddings took too long; nothing was charged.' },

  resends_used_up: {
    code: 422,
    say: (of: { max: number }) => `This callback was resent ${of.max} times, which is the limit.`,
  },
  invalid_request: { code: 422, say: (of: { problems: readonly Problem[] }) => problemsText(of.problems) },

  rate_limited: {
    code: 429,
    say: (of: { requests: number; perMs: number; retryAfterS: number }) =>
      `Too many requests: all ${of.requests} of ${of.requests} in ${of.perMs / 1000} s are used. Try again in ${of.retryAfterS} s.`,
  },
  free_work_used_up: {
    code: 429,
    say: (of: { retryAfterS: number }) =>
      `This key has used up its computing time for uploads, previews and tasks that fail. Try again in ${of.retryAfterS} s.`,
  },
  too_many_failed_attempts: {
    code: 429,
    say: (of: { retryAfterS: number }) =>
      `Too many requests from this address had no valid API key. Try again in ${of.retryAfterS} s, with a valid one.`,
  },
  too_many_tasks: {
    code: 429,
    say: (of: { open: number }) =>
      `The account has ${counted(of.open, 'unfinished task')}, which is the limit; wait for some to end.`,
  },
  too_many_inference_requests: {
    code: 429,
    say: (of: { open: number }) =>
      `The account has ${counted(of.open, 'unfinished inference request')}, which is the limit; wait for some to end.`,
  },
  too_many_callbacks: {
    code: 429,
    say: () =>
      'The account has reached its limit of undelivered callbacks; wait until some are delivered or have failed for good.',
  },
  too_many_resends: {
    code: 429,
    say: (of: { max: number }) => `An account may resend or test at most ${of.max} callbacks per minute.`,
  },
  too_many_event_streams: {
    code: 429,
    say: (of: { max: number }) =>
      `An account may have at most ${of.max} open event streams, and each of its sub-keys a fifth of them.`,
  },
  too_many_listeners: {
    code: 429,
    say: (of: { max: number }) => `An account may have at most ${of.max} open streams of callbacks.`,
  },

  request_limit_reached: {
    code: 433,
    say: (of: { requests: number; per: keyof typeof perWords; retryAfterS?: number }) => {
      const used = `This sub-key may make ${counted(of.requests, 'request')} ${perWords[of.per]} and has made ${of.requests}.`
      return of.retryAfterS === undefined ? used : `${used} Try again in ${of.retryAfterS} s.`
    },
  },
  task_over_credit_limit: {
    code: 433,
    say: (of: { price: number; left: number; limit: number }) =>
      `This task costs ${counted(of.price, 'credit')}; the limit of this sub-key leaves ${of.left} (${of.limit - of.left} of ${of.limit} are used).`,
  },
  request_over_credit_limit: {
    code: 433,
    say: (of: { estimate: number; left: number; limit: number }) =>
      `This request may cost ${counted(of.estimate, 'credit')}; the limit of this sub-key leaves ${of.left} (${of.limit - of.left} of ${of.limit} are used or reserved).`,
  },

  maintenance: { code: 455, say: () => 'The service is under maintenance; running tasks continue.' },
  overloaded: { code: 455, say: () => 'The service is overloaded; try again shortly.' },

  unexpected: {
    code: 500,
    say: (of: { requestId: string }) =>
      `Something unexpected went wrong on our side. Please report it with the request id ${of.requestId}.`,
  },
  embeddings_failed: { code: 500, say: () => 'The embeddings could not be made; nothing was charged.' },

  not_ready: { code: 503, say: (of: { problem: string }) => `not ready: ${of.problem}` },

  feature_disabled: {
    code: 505,
    say: (of: { feature: string }) => `The feature ${of.feature} is switched off.`,
  },
  model_cannot: {
    code: 505,
    say: (of: { model: string; unmet: readonly string[] }) =>
      `The model ${of.model} does not support ${of.unmet.join(' and ')} here.`,
  },
} satisfies Record<string, CatalogueEntry>

interface CatalogueEntry {
  code: ErrorCode
  /** Where OpenAI has a closer word for it than for the code as a whole. */
  openaiCode?: string
  // biome-ignore lint/suspicious/noExplicitAny: each entry names its own parameters
  say: (of: any) => string
}

type Catalogue = typeof catalogue
type ErrorReason = keyof Catalogue

/** Refusals with these codes always say when to retry. */
type RetryCode = 429 | 455

/** The parameters of a reason's sentence, and what every error may carry besides. */
type ErrorDetails<Reason extends ErrorReason> = (Parameters<Catalogue[Reason]['say']> extends [infer Of]
  ? Of
  : unknown) & { cause?: unknown } & (Catalogue[Reason]['code'] extends RetryCode
    ? { retryAfterS: number }
    : { retryAfterS?: number })

/** A refusal of the catalogue. Made by `apiError`. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly reason: ErrorReason
  readonly openai: { type: string; code: string }
  /** Seconds for a `Retry-After` header. */
  readonly retryAfterS: number | undefined
  /** Of a 422: each wrong field. */
  readonly problems: readonly Problem[] | undefined

  constructor(reason: ErrorReason, details: { retryAfterS?: number; cause?: unknown; problems?: readonly Problem[] }) {
    const entry: CatalogueEntry = catalogue[reason]
    super(entry.say(details), { cause: details.cause })
    this.code = entry.code
    this.reason = reason
    const { type, code } = errorCodes[entry.code].openai
    this.openai = { type, code: entry.openaiCode ?? code }
    this.retryAfterS = details.retryAfterS
    if (entry.code === 422) this.problems = details.problems ?? [{ field: '', message: this.message }]
  }
}

export function apiError<Reason extends ErrorReason>(
  reason: Reason,
  ...[details]: object extends ErrorDetails<Reason> ? [ErrorDetails<Reason>?] : [ErrorDetails<Reason>]
): ApiError {
  return new ApiError(reason, details ?? {})
}

/** 422 with one `field: sentence` per wrong field, joined as the contract says. */
export const invalid = (problems: readonly Problem[]) => apiError('invalid_request', { problems })

/** The same for one field. */
export const invalidField = (field: string, message: string) => invalid([{ field, message }])

export const fieldError = z
  .object({
    field: z
      .string()
      .meta({ description: 'Path of the wrong field, such as `input.duration`; empty where it is none.' }),
    message: z.string().meta({ description: 'What is wrong, and what is allowed.' }),
    suggestion: z.string().optional().meta({ description: 'What was probably meant.' }),
  })
  .meta({ id: 'FieldError' })

/** Every error, except where a path speaks OpenAI's shape. */
export const errorBody = z
  .object({
    code: z.int().meta({ description: 'The same number as the HTTP status.' }),
    msg: z.string().meta({ description: 'What is wrong.' }),
    data: z.null(),
    errors: z
      .array(fieldError)
      .optional()
      .meta({ description: 'Only with 422: every wrong field, for programs. `msg` says the same.' }),
  })
  .meta({ id: 'Error' })

/** Errors of those paths, as OpenAI's clients read them. */
export const openaiErrorBody = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable().meta({ description: 'The first wrong field.' }),
      code: z.string(),
    }),
  })
  .meta({ id: 'OpenAIError' })
