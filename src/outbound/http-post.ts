// One POST, and the beginning of the response to it. It gives undici a handler of its own instead of reading the response
// as a stream: short responses are the rule, and a stream for each took a tenth of a busy sender's time.
import type { Dispatcher } from 'undici'

interface PostOptions {
  headers: Record<string, string>
  body: string | Buffer
  /** The rest of a longer response is not read, and its connection is closed. */
  answerBytesMax: number
  ended: AbortSignal
}

interface HttpResponse {
  status: number
  headers: Record<string, string>
  /** The body, as much of it as arrived: the status of a truncated response is still known. */
  answer: Buffer
}

export function httpPost(
  dispatcher: Dispatcher,
  url: URL,
  { headers, body, answerBytesMax, ended }: PostOptions,
): Promise<HttpResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>()
  let controller: Dispatcher.DispatchController | undefined
  let head: Omit<HttpResponse, 'answer'> | undefined
  const chunks: Buffer[] = []
  let bytes = 0

  const abort = () => {
    if (controller) controller.abort(ended.reason)
    else reject(ended.reason)
  }
  const finish = (error?: Error) => {
    ended.removeEventListener('abort', abort)
    if (head) resolve({ ...head, answer: Buffer.concat(chunks).subarray(0, answerBytesMax) })
    else reject(error)
  }
  ended.addEventListener('abort', abort)
  dispatcher.dispatch(
    {
      origin: url.origin,
      method: 'POST',
      path: url.pathname + url.search,
      headers,
      body,
      // Only `ended` limits the time.
      headersTimeout: 0,
      bodyTimeout: 0,
    },
    {
      onRequestStart(started) {
        controller = started
        if (ended.aborted) abort()
      },
      onResponseStart(_, status, fields) {
        const isInformational = status < 200
        if (!isInformational) head = { status, headers: flatten(fields) }
      },
      onResponseData(_, chunk) {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes > answerBytesMax) controller!.abort(new Error('the rest of the response is not read'))
      },
      onResponseEnd: () => finish(),
      onResponseError: (_, error) => finish(error),
    },
  )
  return promise
}

function flatten(fields: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )
}
