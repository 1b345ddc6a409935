// Loaded before a process's own code (`node --import`): takes that process's way to some hosts away, as a broken route
// or a firewall does. While the file TEST_NO_EGRESS_FILE exists, connections to the addresses in it (`host:port`, one
// per line, as they are connected to) are refused. Open connections stay open.
import { readFileSync } from 'node:fs'
import { isIPv6, Socket } from 'node:net'

type Connect = (this: Socket, ...args: unknown[]) => Socket

const prototype = Socket.prototype as unknown as { connect: Connect }
const connect = prototype.connect

prototype.connect = function (...args) {
  const target = targetOf(args)
  if (!refused().includes(target)) return connect.apply(this, args)
  const details = { code: 'ECONNREFUSED', syscall: 'connect' }
  return this.destroy(Object.assign(new Error(`connect ECONNREFUSED ${target}`), details))
}

function refused(): string[] {
  try {
    return readFileSync(process.env.TEST_NO_EGRESS_FILE!, 'utf8').split('\n')
  } catch {
    return []
  }
}

/** `net.connect` passes the arguments on as one list; others pass options, or port and host. */
function targetOf(args: unknown[]): string {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args
  const options = typeof first === 'object' && first !== null ? first : { port: first, host: second }
  const { host = 'localhost', port } = options as { host?: unknown; port?: unknown }
  const name = typeof host === 'string' ? host : 'localhost'
  return `${isIPv6(name) ? `[${name}]` : name}:${port}`
}
