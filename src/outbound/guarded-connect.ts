// Opens connections only to allowed addresses: the only place where the guarded fetch uses the network.
// It checks the literal address, every resolved address (and connects to exactly these, so that DNS rebinding has no
// effect) and the address of the connected peer. It does not know HTTP.
import type { LookupFunction, Socket } from 'node:net'
import { isIP } from 'node:net'
import { buildConnector } from 'undici'
import { type AddressPolicy, addressAllowed } from './address-rules.ts'
import { FetchFailure } from './fetch-failure.ts'
import { literalAddress } from './fetch-url.ts'
import type { HostLookup } from './resolve-host.ts'

interface GuardedConnectOptions {
  policy: AddressPolicy
  lookup: HostLookup
  /** For the name, the connection and the TLS handshake together. */
  connectMs: number
  /** Certificates to trust besides the usual ones. */
  ca?: string | Buffer
}

export function createGuardedConnector(options: GuardedConnectOptions) {
  const { policy, connectMs, ca } = options
  const opening = new Set<Socket>()
  const open = buildConnector({
    timeout: connectMs,
    allowH2: false,
    autoSelectFamily: true,
    lookup: guardedLookup(options),
    ...(ca === undefined ? {} : { ca }),
  }) as (...parameters: Parameters<buildConnector.connector>) => Socket

  /** For undici. A signal aborts a connection that is still being opened, which undici itself cannot do. */
  function connect(signal?: AbortSignal): buildConnector.connector {
    return (target, callback) => {
      const literal = literalAddress(target.hostname)
      if (literal !== null && !addressAllowed(literal, policy)) {
        queueMicrotask(() => callback(new FetchFailure('address'), null))
        return
      }
      const breakOff = () => socket.destroy(new FetchFailure('reset'))
      const socket = open(target, (error, opened) => {
        opening.delete(socket)
        signal?.removeEventListener('abort', breakOff)
        if (error !== null) callback(error, null)
        else if (socket.destroyed) callback(socket.errored ?? new FetchFailure('reset'), null)
        else callback(null, opened)
      })
      opening.add(socket)
      signal?.addEventListener('abort', breakOff)
      // Runs before the TLS handshake and before any byte of a request.
      socket.prependOnceListener('connect', () => {
        if (!addressAllowed(socket.remoteAddress ?? '', policy)) socket.destroy(new FetchFailure('address'))
      })
    }
  }

  /** Aborts connections that are still being opened. Open connections belong to their callers. */
  function close(): void {
    for (const socket of opening) socket.destroy(new FetchFailure('reset'))
  }

  return { connect, close }
}

/** Resolves a name for `net.connect`. One forbidden address among allowed ones refuses them all. */
function guardedLookup({ policy, lookup }: GuardedConnectOptions): LookupFunction {
  return (hostname, lookupOptions, callback) => {
    lookup(hostname).then(
      (addresses) => {
        const first = addresses[0]
        if (first === undefined) return callback(new FetchFailure('dns'), '')
        if (!addresses.every((address) => addressAllowed(address, policy))) {
          return callback(new FetchFailure('address'), '')
        }
        if (lookupOptions.all) return callback(null, addresses.map(withFamily))
        callback(null, first, isIP(first))
      },
      (error) => callback(error instanceof FetchFailure ? error : new FetchFailure('dns', { cause: error }), ''),
    )
  }
}

function withFamily(address: string): { address: string; family: number } {
  return { address, family: isIP(address) }
}
