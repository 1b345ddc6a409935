// Why a job in a child process has no result.

export type ChildErrorCode =
  | 'closed'
  /** Too many jobs are waiting. */
  | 'busy'
  | 'start_failed'
  /** The process ended in the middle of the job. */
  | 'crashed'
  | 'timed_out'
  | 'out_of_memory'
  /** The work threw an error. */
  | 'failed'

export class ChildError extends Error {
  override readonly name = 'ChildError'
  readonly code: ChildErrorCode
  /** Whether the job may succeed in a fresh child. */
  readonly retryable: boolean

  constructor(code: ChildErrorCode, message: string, options: { retryable?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.retryable = options.retryable ?? code !== 'closed'
  }

  /**
   * Whether something else may have ended the child, such as a machine without memory. Only another child, if need be
   * on another machine, shows whether the job is to blame.
   */
  get mayPass(): boolean {
    return this.code === 'crashed' || this.code === 'start_failed'
  }

  /** Whether the child ended in a way for which the job itself is blamed. */
  get blamesJob(): boolean {
    return this.code === 'crashed' || this.code === 'timed_out' || this.code === 'out_of_memory'
  }
}
