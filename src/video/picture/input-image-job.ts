// An image that a generator gets as input: what is asked of the process that converts it.

export interface InputImageJob {
  path: string
  toPath: string
  width: number
  height: number
}

/** Null: it was written. */
export type InputImageResult = { unusable: string } | null
