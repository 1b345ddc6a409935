// A process that opens many sockets to a server, sends the same bytes on each and never closes its half. Forked by a
// test, so that what it costs is not measured as the server's: `node hostile-sockets.ts PORT ADDRESS COUNT BYTES`
// with the bytes in base64. It prints `opened` when it is done, and keeps the sockets until it is killed.
import { connect, type Socket } from 'node:net'

const [port, localAddress, count, bytes] = process.argv.slice(2) as [string, string, string, string]
const openAtOnce = 50
/** More than a server accepts from one address; closing the older ones keeps this process fast. */
const keptMax = 300
const payload = Buffer.from(bytes, 'base64')
const kept: Socket[] = []

/** Resolves once the bytes are on their way. */
function openOne(): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress, allowHalfOpen: true })
    kept.push(socket)
    if (kept.length > keptMax) kept.shift()!.destroy()
    socket.pause()
    socket.on('error', () => resolve())
    socket.on('close', () => resolve())
    socket.on('connect', () => {
      if (payload.length > 0) socket.write(payload)
      resolve()
    })
  })
}

for (let opened = 0; opened < Number(count); opened += openAtOnce) {
  await Promise.all(Array.from({ length: openAtOnce }, openOne))
}
console.log('opened')
setInterval(() => {}, 60_000)
