// Reads responses: their JSON, or an error of the service as its class, or that there was no response.
import { DailiesError, errorOf, problemsOf } from '../errors.ts'
import { readRetryAfter } from './retry.ts'

export interface Answer {
  status: number
  header(name: string): string | null
  text: string
}

export async function toAnswer(response: Response): Promise<Answer> {
  return { status: response.status, header: (name) => response.headers.get(name), text: await response.text() }
}

/** An abort keeps the caller's own reason; any other error that is not a DailiesError means that there was no response. */
export function asError(error: unknown, signal: AbortSignal | undefined, sentence: string | null): unknown {
  if (signal?.aborted) return signal.reason
  if (error instanceof DailiesError) return error
  const words = sentence ?? causeWords(error)
  return errorOf({ code: 0, message: `The service did not respond: ${words}`, cause: error })
}

/** Node's message is only "fetch failed"; the reason is in the cause. */
function causeWords(error: unknown): string {
  const cause = (error as { cause?: { code?: string; message?: string } } | undefined)?.cause
  return cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error))
}

export function readAnswer(answer: Answer): unknown {
  if (answer.status < 200 || answer.status >= 300) throw answerError(answer)
  const body = parseJson(answer.text)
  if (body === undefined) throw errorOf({ code: 0, message: 'The response is not from the service: it is not JSON.' })
  return body
}

export function answerError(answer: Answer): DailiesError {
  const body = parseJson(answer.text) as { msg?: unknown; errors?: unknown } | null | undefined
  return errorOf({
    code: answer.status,
    message: typeof body?.msg === 'string' ? body.msg : `The service responded with status ${answer.status}.`,
    requestId: answer.header('x-request-id'),
    retryAfterMs: readRetryAfter(answer.header('retry-after'), Date.now()),
    problems: problemsOf(body?.errors),
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
