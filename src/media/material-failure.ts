// The one error that says "this material cannot be used": its reason for machines, its message for the client.
// It does not know tasks or their codes; the task flow turns the reason into a code and a refund.

export type MaterialReason =
  | 'image_fetch_failed'
  | 'image_too_large'
  | 'image_format'
  | 'unsupported_dimensions'
  | 'audio_length'
  | 'capture_window'

/** `message` is public and says what was found and what is allowed; `cause` is for the log only. */
export class MaterialFailure extends Error {
  override readonly name = 'MaterialFailure'
  readonly reason: MaterialReason

  constructor(reason: MaterialReason, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.reason = reason
  }
}
