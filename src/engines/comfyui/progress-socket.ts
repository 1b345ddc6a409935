// Listens to a ComfyUI server's socket for how far a prompt is. A courtesy: whatever goes wrong here costs only the
// number, and what counts is asked for elsewhere.
import { readProgress } from './mapping.ts'

export interface ProgressSocket {
  /** The latest that is known; null until something is. */
  percent(): number | null
  close(): void
}

const messageCharactersMax = 2 ** 20

export function watchProgress(options: {
  url: string
  clientId: string
  promptId: string
  nodes: number
}): ProgressSocket {
  const { url, clientId, promptId, nodes } = options
  let percent: number | null = null
  let socket: WebSocket | null = null
  try {
    socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws?clientId=${encodeURIComponent(clientId)}`)
    socket.addEventListener('message', ({ data }) => {
      if (typeof data !== 'string' || data.length > messageCharactersMax) return
      percent = readProgress(parse(data), promptId, nodes) ?? percent
    })
    // Without a listener it would be raised.
    socket.addEventListener('error', () => {})
  } catch {
    // An address that is none for sockets.
  }
  return {
    percent: () => percent,
    close: () => socket?.close(),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
