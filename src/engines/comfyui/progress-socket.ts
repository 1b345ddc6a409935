// Listens to a ComfyUI server's socket for the progress of a prompt, and reconnects when it is cut. Optional: without
// it only the percentage is missing, since the prompt's state is polled.
import { WebSocket } from 'undici'
import { parseJson } from '../remote/http.ts'
import { readProgress } from './mapping.ts'

const messageCharactersMax = 2 ** 20
const reconnectMsFirst = 500
const reconnectMsMax = 10_000

export function watchProgress(options: {
  url: string
  key: string | undefined
  clientId: string
  promptId: string
  weights: ReadonlyMap<string, number>
}) {
  const { clientId, key, promptId, weights } = options
  const url = `${options.url.replace(/^http/, 'ws')}/ws?clientId=${encodeURIComponent(clientId)}`
  let percent: number | null = null
  let socket: WebSocket | null = null
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let waitMs = reconnectMsFirst

  function connect() {
    socket = new WebSocket(url, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } })
    socket.addEventListener('message', ({ data }) => {
      waitMs = reconnectMsFirst
      if (typeof data !== 'string' || data.length > messageCharactersMax) return
      percent = readProgress(parseJson(data), promptId, weights) ?? percent
    })
    // Without a listener the error would be thrown; `close` follows it.
    socket.addEventListener('error', () => {})
    socket.addEventListener('close', () => {
      if (closed) return
      timer = setTimeout(connect, waitMs)
      waitMs = Math.min(2 * waitMs, reconnectMsMax)
    })
  }
  connect()
  return {
    /** The latest that is known; null until something is. */
    percent: () => percent,
    close() {
      closed = true
      clearTimeout(timer)
      socket?.close()
    },
  }
}
