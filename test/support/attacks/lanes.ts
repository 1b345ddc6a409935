// One connection that sends prepared bytes as a request, and waits for the end of the response, which it discards.
import { connect, type Socket } from 'node:net'
import type { CallOptions } from '../service/api.ts'
import type { Target } from './attacks.ts'

export function requestBytes({ url, key }: Target, method: string, path: string, options: CallOptions = {}): Buffer {
  const body = Buffer.from(options.raw ?? '')
  const headers = {
    host: new URL(url).host,
    authorization: `Bearer ${key}`,
    ...options.headers,
    'content-length': body.length,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), body])
}

export interface Lane {
  /** Resolves when the response has ended, the connection is closed or the signal aborts. */
  send(bytes: Buffer, signal: AbortSignal): Promise<void>
  close(): void
}

export function createLane(url: string): Lane {
  const { hostname, port } = new URL(url)
  let socket: Socket | undefined
  const open = () => connect(Number(port), hostname).on('error', () => {})
  return {
    async send(bytes, signal) {
      if (!socket || socket.destroyed || !socket.writable) socket = open()
      const current = socket
      const { promise, resolve } = Promise.withResolvers<void>()
      let head = ''
      let left = Number.POSITIVE_INFINITY
      const onData = (chunk: Buffer) => {
        if (left === Number.POSITIVE_INFINITY) {
          head += chunk.toString('latin1')
          const end = head.indexOf('\r\n\r\n')
          if (end < 0) return
          const length = /^content-length: *(\d+)/im.exec(head.slice(0, end))?.[1]
          if (length === undefined) return current.destroy()
          left = Number(length) - (head.length - end - 4)
        } else left -= chunk.length
        if (left <= 0) resolve()
      }
      current.on('data', onData)
      current.once('close', resolve)
      const giveUp = () => resolve()
      signal.addEventListener('abort', giveUp)
      current.write(bytes)
      await promise
      current.off('data', onData)
      current.off('close', resolve)
      signal.removeEventListener('abort', giveUp)
    },
    close: () => socket?.destroy(),
  }
}
