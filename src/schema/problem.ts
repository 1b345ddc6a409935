// What is wrong with one field of a request, and how that reads in a sentence.

export interface Problem {
  /** Its path, such as `input.duration`; empty where no one field is to blame. */
  field: string
  /** What is wrong, and what is allowed. */
  message: string
  /** What the client probably meant. */
  suggestion?: string
}

/** `input.image_url: is required (this model takes image_url, not image_urls)`. */
export function problemText({ field, message, suggestion }: Problem): string {
  const text = field === '' ? message : `${field}: ${message}`
  return suggestion === undefined ? text : `${text} (${suggestion})`
}

export const problemsText = (problems: readonly Problem[]) => problems.map(problemText).join('; ')
