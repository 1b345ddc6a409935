// Server-Sent Events of the service, read as they arrive.
import type { Connection } from './connection.ts'
import { startTimeLimit } from './time-limit.ts'

/** The service sends something at once. If it does not arrive, a proxy in between holds streams back. */
const firstBytesMs = 10_000
/** The service sends a heartbeat every 15 seconds. */
const silenceMs = 45_000

/**
 * The events of a path; the first, `open`, says that the stream has begun. Returns when the stream ends, or when the
 * response is none; throws when it breaks or falls silent. Leaving the loop ends the connection.
 */
export async function* eventsOf(
  connection: Connection,
  path: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamedEvent> {
  const limit = startTimeLimit(firstBytesMs, signal)
  try {
    const response = await connection.open(path, limit.signal)
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return
    yield { event: 'open', data: '' }
    yield* readEventStream(response, () => limit.restart(silenceMs))
  } finally {
    limit.clear()
  }
}

interface StreamedEvent {
  event: string
  data: string
}

/** Calls `onBytes` for everything that arrives, including comments. Leaving the loop ends the connection. */
export async function* readEventStream(response: Response, onBytes: () => void): AsyncGenerator<StreamedEvent> {
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  const parser = createEventParser()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onBytes()
      yield* parser(decoder.decode(value, { stream: true }))
    }
  } finally {
    // Not awaited: a stuck connection must not delay the caller.
    reader.cancel().catch(() => {})
  }
}

/** Takes text in pieces of any size and returns the events that are complete. */
export function createEventParser(): (text: string) => StreamedEvent[] {
  let rest = ''
  let event = ''
  let data: string[] = []
  return (text) => {
    // A carriage return at the end may be the first half of a line break.
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop()!
    const complete: StreamedEvent[] = []
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) complete.push({ event: event || 'message', data: data.join('\n') })
        event = ''
        data = []
        continue
      }
      const colon = line.indexOf(':')
      const field = colon === -1 ? line : line.slice(0, colon)
      const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
      if (field === 'event') event = value
      if (field === 'data') data.push(value)
    }
    return complete
  }
}
