// Bytes on a socket, for requests that no decent client sends.
import { once } from 'node:events'
import { connect } from 'node:net'

interface RawAnswer {
  status: number
  headers: Record<string, string>
  text: string
}

interface RawOptions {
  withinMs?: number
  /** Closes our side after the bytes, as a client that leaves in the middle. */
  end?: boolean
}

/** Sends the bytes and reads until the server hangs up, or fails when it does not within the time. */
export async function sendRaw(
  url: string,
  bytes: string | Buffer,
  { withinMs = 5000, end = false }: RawOptions = {},
): Promise<RawAnswer[]> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const signal = AbortSignal.timeout(withinMs)
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  const closed = once(socket, 'close', { signal })
  await once(socket, 'connect', { signal })
  if (end) socket.end(bytes)
  else socket.write(bytes)
  await closed.finally(() => socket.destroy())
  return parseAnswers(received)
}

/** Splits by content-length; enough for the responses of a server that we know. */
function parseAnswers(received: string): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = received
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) throw new Error(`half an answer: ${rest}`)
    const [statusLine, ...lines] = rest.slice(0, end).split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const length = Number(headers['content-length'] ?? 0)
    const text = rest.slice(end + 4, end + 4 + length)
    answers.push({ status: Number(statusLine!.split(' ')[1]), headers, text })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}
