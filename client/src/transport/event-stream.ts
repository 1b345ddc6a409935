// Reads Server-Sent Events from a response as they arrive.

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
