// Fetches a finished file. Files are read by an unguessable URL: the key stays at home.
import { type Answer, answerError, asError, type Connection, type RequestOptions } from './connection.ts'
import { DailiesError } from './errors.ts'
import { delayBeforeTry, isWorthAnotherTry } from './retry.ts'
import { pause, startTimeLimit } from './time-limit.ts'

const triesMax = 4
const downloadMs = 600_000

export async function downloadFile(connection: Connection, url: string, { signal }: RequestOptions): Promise<Blob> {
  for (let tries = 1; ; tries++) {
    try {
      return await tryDownload(connection, url, signal)
    } catch (error) {
      if (!(error instanceof DailiesError)) throw error
      error.tries = tries
      const delayMs = delayBeforeTry(tries, error.retryAfterMs, Math.random())
      if (tries === triesMax || delayMs === null || !isWorthAnotherTry(error, 'always')) throw error
      await pause(delayMs, signal)
    }
  }
}

async function tryDownload(connection: Connection, url: string, signal: AbortSignal | undefined): Promise<Blob> {
  const limit = startTimeLimit(downloadMs, signal)
  try {
    const response = await connection.fetch(url, { method: 'GET', headers: {}, signal: limit.signal })
    if (response.ok) return await response.blob()
    const answer: Answer = {
      status: response.status,
      header: (name) => response.headers.get(name),
      text: await response.text(),
    }
    throw answerError(answer)
  } catch (error) {
    throw asError(error, signal, limit.expired() ? `the file did not arrive within ${downloadMs / 1000} s` : null)
  } finally {
    limit.clear()
  }
}
