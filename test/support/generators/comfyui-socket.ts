// The server's side of ComfyUI's progress socket, as far as it is needed: it accepts WebSockets and sends short texts.
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

export function startSocketServer() {
  const open = new Set<Duplex>()
  const authorizations: (string | undefined)[] = []
  return {
    authorizations,
    accept(request: IncomingMessage, socket: Duplex): void {
      const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
      const accept = createHash('sha1').update(key).digest('base64')
      const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade']
      socket.write(`${[...head, `Sec-WebSocket-Accept: ${accept}`].join('\r\n')}\r\n\r\n`)
      authorizations.push(request.headers.authorization)
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => open.delete(socket))
      // The only frame that the client sends is the one that closes the connection, which is confirmed.
      socket.on('data', (frame: Buffer) => {
        if (((frame[0] ?? 0) & 15) === 8) socket.end(Buffer.from([0x88, 0]))
      })
    },
    send(text: string): void {
      const body = Buffer.from(text)
      const length =
        body.length < 126 ? Buffer.from([body.length]) : Buffer.from([126, body.length >> 8, body.length & 255])
      const frame = Buffer.concat([Buffer.from([0x81]), length, body])
      for (const socket of open) socket.write(frame)
    },
    cut(): void {
      for (const socket of open) socket.destroy()
    },
  }
}
