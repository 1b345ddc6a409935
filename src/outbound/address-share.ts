// Limits how many posts of one account run at once to one address, whichever host names resolve to it: a domain with a
// wildcard record must not direct all of an account's callbacks at one machine at once.
import { setTimeout as delay } from 'node:timers/promises'
import { createRecentMap } from '../platform/recent-map.ts'
import { literalAddress } from './fetch-url.ts'
import type { HostLookup } from './resolve-host.ts'

/** Resolves when there is room; the returned function makes room again. The signal stops the wait with its reason. */
type EnterAddress = (account: string, hostname: string, signal?: AbortSignal) => Promise<() => void>

/** A name is resolved again after this long. The address of a connection is always resolved and checked again. */
const rememberedMs = 10_000
const namesMax = 10_000
const resolveMs = 2000

interface Line {
  running: number
  waiting: Set<() => void>
}

export function createAddressShare({ lookup, max }: { lookup: HostLookup; max: number }): EnterAddress {
  const lines = new Map<string, Line>()
  const addresses = createRecentMap<{ address: Promise<string>; untilMs: number }>(namesMax)

  /** The address that is tried first, or the name itself when it does not resolve: then nothing will be connected. */
  function addressOf(hostname: string): Promise<string> | string {
    const literal = literalAddress(hostname)
    if (literal !== null) return literal
    const known = addresses.get(hostname)
    if (known && known.untilMs > performance.now()) return known.address
    const resolved = Promise.race([lookup(hostname), delay(resolveMs, [] as string[], { ref: false })])
    const address = resolved.then(
      (found) => found[0] ?? hostname,
      () => hostname,
    )
    addresses.set(hostname, { address, untilMs: performance.now() + rememberedMs })
    return address
  }

  return async (account, hostname, signal) => {
    const name = `${account} ${await addressOf(hostname)}`
    signal?.throwIfAborted()
    const line = lines.get(name) ?? { running: 0, waiting: new Set() }
    lines.set(name, line)
    if (line.running < max) line.running++
    else await turn(line, signal)
    return () => {
      const [next] = line.waiting
      if (next) next()
      else if (--line.running === 0) lines.delete(name)
    }
  }
}

/** Resolves when another post has left its place to this one. */
function turn({ waiting }: Line, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = () => {
      waiting.delete(start)
      signal?.removeEventListener('abort', giveUp)
      resolve()
    }
    const giveUp = () => {
      waiting.delete(start)
      reject(signal?.reason)
    }
    waiting.add(start)
    signal?.addEventListener('abort', giveUp)
  })
}
