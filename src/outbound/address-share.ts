// Limits how many posts of one account run at once to one address, under all host names that resolve to it: a domain with
// a wildcard record must not direct all of an account's callbacks at one machine at once. Receivers that share an address
// take turns, and those that are slow or hang hold only a part of its places.
import { setTimeout as delay } from 'node:timers/promises'
import { createRecentMap } from '../platform/recent-map.ts'
import { literalAddress } from './fetch-url.ts'
import type { HostLookup } from './resolve-host.ts'

/** Resolves when there is room; the returned function releases the place. The signal stops the wait with its reason. */
type EnterAddress = (account: string, url: URL, signal?: AbortSignal) => Promise<() => void>

/** A name is resolved again after this long. The address of a connection is always resolved and checked again. */
const rememberedMs = 10_000
const namesMax = 10_000
const resolveMs = 2000
const receiversMax = 10_000

/** A receiver that held its place for longer was slow, whether it responded or not. One that refuses at once is quick. */
const slowMs = 5000

/** How long a receiver held its place last time. Its response does not matter here. */
const speeds = { slow: 0, unknown: 1, quick: 2 } as const
type Speed = (typeof speeds)[keyof typeof speeds]

/** Places of an address: receivers of a speed and all slower ones together hold at most this many. */
export type Places = Record<keyof typeof speeds, number>

interface Line {
  /** Running posts, by the speed of their receiver when they started. */
  running: [number, number, number]
  /** Waiting posts by receiver; the receiver whose turn is next comes first. */
  waiting: Map<string, Set<() => void>>
}

export function createAddressShare({ lookup, places }: { lookup: HostLookup; places: Places }): EnterAddress {
  const placesUpTo = [places.slow, places.unknown, places.quick]
  const lines = new Map<string, Line>()
  const addresses = createRecentMap<{ address: Promise<string>; untilMs: number }>(namesMax)
  const lastSpeed = createRecentMap<Speed>(receiversMax)
  const speedOf = (receiver: string) => lastSpeed.get(receiver) ?? speeds.unknown

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

  /** A post takes a place of its own speed and of every faster one, so each of these must have one left. */
  function hasRoom({ running }: Line, speed: Speed): boolean {
    let held = 0
    return running.every((count, each) => {
      held += count
      return each < speed || held < placesUpTo[each]!
    })
  }

  /** Starts what has room now, quick receivers first. */
  function startWaiting(line: Line): void {
    for (;;) {
      const receivers = [...line.waiting.keys()].filter((each) => hasRoom(line, speedOf(each)))
      const best = Math.max(...receivers.map(speedOf))
      const next = receivers.find((each) => speedOf(each) === best)
      if (next === undefined) return
      const [start] = line.waiting.get(next)!
      start!()
    }
  }

  return async (account, url, signal) => {
    const name = `${account} ${await addressOf(url.hostname)}`
    const receiver = `${account} ${url.origin}`
    signal?.throwIfAborted()
    const line = lines.get(name) ?? { running: [0, 0, 0], waiting: new Map() }
    lines.set(name, line)
    let speed = speedOf(receiver)
    let startedAt = 0
    const start = () => {
      startedAt = performance.now()
      speed = speedOf(receiver)
      line.running[speed]++
    }
    if (hasRoom(line, speed)) start()
    else await turn(line, { receiver, start, signal })
    return () => {
      lastSpeed.set(receiver, performance.now() - startedAt > slowMs ? speeds.slow : speeds.quick)
      line.running[speed]--
      startWaiting(line)
      if (line.running.every((count) => count === 0)) lines.delete(name)
    }
  }
}

/** Resolves when the line has room for this post, and has started it. */
function turn(
  { waiting }: Line,
  { receiver, start, signal }: { receiver: string; start(): void; signal: AbortSignal | undefined },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const ofReceiver = waiting.get(receiver) ?? new Set()
    waiting.set(receiver, ofReceiver)
    const leaveLine = () => {
      ofReceiver.delete(started)
      if (ofReceiver.size === 0) waiting.delete(receiver)
      signal?.removeEventListener('abort', giveUp)
    }
    const started = () => {
      // Its other posts wait until the other receivers had their turn.
      waiting.delete(receiver)
      waiting.set(receiver, ofReceiver)
      leaveLine()
      start()
      resolve()
    }
    const giveUp = () => {
      leaveLine()
      reject(signal?.reason)
    }
    ofReceiver.add(started)
    signal?.addEventListener('abort', giveUp)
  })
}
