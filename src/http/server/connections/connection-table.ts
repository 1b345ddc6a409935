// How many connections the process may hold, and which one to close when there are too many. It does not know sockets.
import { readFileSync } from 'node:fs'

export interface ConnectionLimits {
  total: number
  perAddress: number
}

const totalMax = 10_000
/** The default of Linux. */
const usualDescriptors = 1024

/** The operating system's limit on open files of this process. Node raises the soft limit to the hard one when it starts. */
export function descriptorLimit(): number {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return soft === undefined ? usualDescriptors : Number(soft)
  } catch {
    return usualDescriptors
  }
}

/** Half of the descriptors stay free for files, the database, children and connections that the service opens itself. */
export function connectionLimits(connectionsMax: number | null, descriptors: number): ConnectionLimits {
  const room = Math.max(16, Math.floor(descriptors / 2))
  const total = Math.min(connectionsMax ?? totalMax, room)
  return { total, perAddress: Math.ceil(total / 4) }
}

export interface Connection {
  address: string
  /** Requests that have not been responded to. A connection without any is waiting and may be closed to make room. */
  requests: number
  waitingSinceMs: number
  close(): void
}

interface ConnectionTable {
  /** Null when there is no room, and none can be made. */
  add(address: string, close: () => void): Connection | null
  remove(connection: Connection): void
  begin(connection: Connection): void
  end(connection: Connection): void
  /** Closes what waits for longer than `idleMs` at addresses that had many connections waiting. */
  closeIdle(): void
  /** Closes every connection that waits for a request, whole or not. */
  closeWaiting(): void
}

/** Longer than a client needs to send its next request; a proxy keeps connections for longer. */
const idleMs = 20_000

interface Peer {
  all: Set<Connection>
  /** In the order in which they began to wait. */
  waiting: Set<Connection>
  /** Whether many of its connections waited at once, since its first one was opened. */
  wasCrowded: boolean
}

/**
 * A full table closes a connection of the busiest address, the one that has waited longest: a client that holds many
 * unused connections makes room for clients that send requests.
 */
export function createConnectionTable(
  limits: ConnectionLimits,
  isProxy: (address: string) => boolean,
  nowMs: () => number,
): ConnectionTable {
  const peers = new Map<string, Peer>()
  let total = 0

  function remove(connection: Connection): void {
    const peer = peers.get(connection.address)
    if (!peer?.all.delete(connection)) return
    peer.waiting.delete(connection)
    total--
    if (peer.all.size === 0) peers.delete(connection.address)
  }

  function closeOldest(peer: Peer | undefined, since = Number.POSITIVE_INFINITY): boolean {
    const oldest = peer?.waiting.values().next().value
    if (!oldest || oldest.waitingSinceMs > since) return false
    remove(oldest)
    oldest.close()
    return true
  }

  return {
    add(address, close) {
      const own = peers.get(address)
      if (own && own.all.size >= limits.perAddress && !isProxy(address) && !closeOldest(own)) return null
      if (total >= limits.total && !closeOldest(largestWaiting(peers.values()))) return null
      const connection: Connection = { address, requests: 0, waitingSinceMs: nowMs(), close }
      const peer = peers.get(address) ?? { all: new Set(), waiting: new Set(), wasCrowded: false }
      peers.set(address, peer)
      peer.all.add(connection)
      peer.waiting.add(connection)
      total++
      return connection
    },
    remove,
    begin(connection) {
      connection.requests++
      peers.get(connection.address)?.waiting.delete(connection)
    },
    end(connection) {
      connection.requests--
      const peer = peers.get(connection.address)
      if (connection.requests > 0 || !peer?.all.has(connection)) return
      connection.waitingSinceMs = nowMs()
      peer.waiting.add(connection)
    },
    closeIdle() {
      const since = nowMs() - idleMs
      for (const [address, peer] of peers) {
        if (isProxy(address)) continue
        peer.wasCrowded ||= peer.waiting.size > limits.perAddress / 2
        while (peer.wasCrowded && closeOldest(peer, since)) {}
      }
    },
    closeWaiting() {
      for (const peer of peers.values()) while (closeOldest(peer)) {}
    },
  }
}

function largestWaiting(peers: Iterable<Peer>): Peer | undefined {
  let largest: Peer | undefined
  for (const peer of peers) {
    if (peer.waiting.size > 0 && peer.all.size > (largest?.all.size ?? 0)) largest = peer
  }
  return largest
}
