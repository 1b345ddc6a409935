// The error catalogue: every code a client can see, its sentence, and the error that carries it.
// Causes stay on the error for the log; only `code` and `message` leave the process.

/** Codes of the wire contract. The HTTP status line carries the same number. */
export const errorCodes = {
  401: 'The API key is missing or not valid.',
  402: 'The account has too few credits for this request.',
  404: 'Not found.',
  408: 'The upstream generator gave no result for too long.',
  422: 'The request is not valid.',
  429: 'Too many requests; slow down.',
  433: 'The limit of this sub-key is used up.',
  455: 'The service does not take new work at the moment.',
  500: 'Something unexpected went wrong on our side.',
  501: 'The video could not be generated.',
  505: 'This feature is switched off.',
} as const

export type ErrorCode = keyof typeof errorCodes

export class ApiError extends Error {
  readonly code: ErrorCode
  /** Seconds for a `Retry-After` header. */
  readonly retryAfterS: number | undefined

  constructor(code: ErrorCode, message?: string, options: { cause?: unknown; retryAfterS?: number } = {}) {
    super(message ?? errorCodes[code], { cause: options.cause })
    this.code = code
    this.retryAfterS = options.retryAfterS
  }
}

export const taskNotFound = () => new ApiError(404, 'There is no task with this id.')

/** 422 with one sentence per wrong field, joined as the contract says. */
export const invalid = (problems: string[]) => new ApiError(422, problems.join('; '))

/** A mistake of the operator's, told in one line without a stack. */
export class OperatorError extends Error {}
