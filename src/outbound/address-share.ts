// Limits how many posts of one account run at once to one address, under all host names that resolve to it: a domain with
// a wildcard record must not direct all of an account's callbacks at one machine at once. Receivers that share an address
// take turns, and those that are slow or hang hold only a part of its places.
import { setTimeout as delay } from 'node:timers/promises'
import { createSlots, type Place } from '../limits/slots.ts'
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

export function createAddressShare({ lookup, places }: { lookup: HostLookup; places: Places }): EnterAddress {
  const placesUpTo = [places.slow, places.unknown, places.quick]
  const slots = createSlots({}, placesUpTo.length)
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

  return async (account, url, signal) => {
    const address = `${account} ${await addressOf(url.hostname)}`
    const receiver = `${account} ${url.origin}`
    // A post takes a place of its own speed and of every faster one.
    const upTo: Place[] = placesUpTo.map((max, speed) => ({ name: `${speed} ${address}`, max }))
    const bySpeed = upTo.map((_, speed) => upTo.slice(speed))
    const leave = await slots.enter(
      { account: address, key: receiver },
      { signal, places: () => bySpeed[speedOf(receiver)]!, rank: () => speedOf(receiver) },
    )
    const startedAt = performance.now()
    return () => {
      lastSpeed.set(receiver, performance.now() - startedAt > slowMs ? speeds.slow : speeds.quick)
      leave()
    }
  }
}
