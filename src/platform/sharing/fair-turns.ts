// Limits how much work runs at once and shares the slots fairly: between accounts, then between the keys of an account.
// Work that cannot run yet is skipped, so it delays only its own share.
import { createContention } from './contention.ts'
import { createFairQueue, type Share } from './fair-queue.ts'

/** The account and key on whose behalf something runs. */
export interface Caller {
  account: string
  key: string
}

/** For work whose fair order was decided before, or that belongs to no account: first come, first served. */
export const everyone: Caller = { account: '', key: '' }

const shareOf = ({ account, key }: Caller): Share => [account, key]

/** A limit that work counts towards while it runs, such as the connections of one key to one host. */
export interface Place {
  name: string
  max: number
}

export interface TurnLimits {
  total: number
  perAccount: number
  /** While other accounts are active (default: the same). */
  perAccountShared?: number
  perKey: number
}

interface TurnOptions {
  /** Limits in addition to those of the account and the key. */
  places?: readonly Place[]
  /** Stops waiting and rejects with the signal's reason. */
  signal?: AbortSignal
}

interface FairTurns {
  /** Resolves when a slot is free; the returned function releases the slot. */
  enter(caller: Caller, options?: TurnOptions): Promise<() => void>
  readonly running: number
  readonly waiting: number
}

interface Turn {
  places: readonly Place[]
  start(): void
}

export function createFairTurns(limits: TurnLimits): FairTurns {
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isInteger(value) || value < 1) throw new RangeError(`${name} must be a whole number from 1`)
  }
  const waiting = createFairQueue<Turn>()
  const contention = createContention()
  const taken = new Map<string, number>()
  let running = 0

  const hasRoom = ({ places }: Turn) => places.every(({ name, max }) => (taken.get(name) ?? 0) < max)

  /** Its limit follows whether other accounts are active. */
  const placeOf = (account: string): Place => ({
    name: `account ${account}`,
    get max() {
      return contention.hasOthers(account) ? (limits.perAccountShared ?? limits.perAccount) : limits.perAccount
    },
  })

  function count(places: readonly Place[], change: 1 | -1): void {
    running += change
    for (const { name } of places) {
      const now = (taken.get(name) ?? 0) + change
      if (now === 0) taken.delete(name)
      else taken.set(name, now)
    }
  }

  function startAll(): void {
    while (running < limits.total) {
      const next = waiting.take(hasRoom)
      if (next === undefined) return
      count(next.places, 1)
      next.start()
    }
  }

  return {
    enter(caller, { places: more = [], signal } = {}) {
      const places = [placeOf(caller.account), { name: `key ${caller.key}`, max: limits.perKey }, ...more]
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const giveUp = () => {
          waiting.remove(shareOf(caller), (other) => other === turn)
          reject(signal?.reason)
        }
        contention.note(caller.account)
        const turn: Turn = {
          places,
          start() {
            signal?.removeEventListener('abort', giveUp)
            resolve(() => {
              count(places, -1)
              startAll()
            })
          },
        }
        signal?.addEventListener('abort', giveUp, { once: true })
        waiting.add(shareOf(caller), turn)
        startAll()
      })
    },
    get running() {
      return running
    },
    get waiting() {
      return waiting.size
    },
  }
}
