// The one error that says "this input file cannot be used": a reason for programs, a message for the client.
// The reasons are those of failed tasks; the task flow finds the code that belongs to one and releases the hold.
import type { FailReason } from '../contract/tasks/fail-reasons.ts'

/** Why the same file may be usable a little later, or from another machine. */
export interface PassingFault {
  /** What failed: the fetch, or the process that opened the file. */
  of: 'fetch' | 'child'
  /** How long the file's server asks to wait. */
  retryAfterMs: number | null
}

/** `message` is public and says what was found and what is allowed; `cause` is for the log only. */
export class InputFailure extends Error {
  override readonly name = 'InputFailure'
  readonly reason: FailReason
  /** Null when the failure is final. */
  readonly passing: PassingFault | null

  constructor(reason: FailReason, message: string, options: { cause?: unknown; passing?: PassingFault | null } = {}) {
    super(message, options)
    this.reason = reason
    this.passing = options.passing ?? null
  }
}

/** The audio or video is damaged, or claims more than the service reads. The message is for the log. */
export class UnusableFile extends Error {}

export function tooLarge(what: string, bytes: number, bytesMax: number): InputFailure {
  return new InputFailure(
    'image_too_large',
    `The ${what} has ${megabytes(bytes)} MB; at most ${megabytes(bytesMax)} MB are accepted.`,
  )
}

export function damagedImage(cause?: unknown): InputFailure {
  return new InputFailure('image_format', 'The image is damaged or incomplete; it must be a whole JPEG or PNG image.', {
    cause,
  })
}

/** Two decimals, rounded up, so that one byte too many does not read like the limit itself. */
export function megabytes(bytes: number): string {
  return String(Math.ceil((bytes / 2 ** 20) * 100) / 100)
}
