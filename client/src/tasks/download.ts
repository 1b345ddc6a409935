// Fetches a finished file. Files have unguessable URLs, so no key is sent.
import { answerError, asError, toAnswer } from '../transport/answers.ts'
import { withRetries } from '../transport/attempts.ts'
import type { Connection, RequestOptions } from '../transport/connection.ts'
import { startTimeLimit } from '../transport/time-limit.ts'

const downloadMs = 600_000

export function downloadFile(connection: Connection, url: string, { signal }: RequestOptions): Promise<Blob> {
  return withRetries(connection.attempts({ signal }), async () => {
    const limit = startTimeLimit(downloadMs, signal)
    try {
      const response = await connection.fetch(url, { method: 'GET', headers: {}, signal: limit.signal })
      if (response.ok) return await response.blob()
      throw answerError(await toAnswer(response))
    } catch (error) {
      throw asError(error, signal, limit.expired() ? `the file did not arrive within ${downloadMs / 1000} s` : null)
    } finally {
      limit.clear()
    }
  })
}
