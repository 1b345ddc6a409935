// So many at once: Slots limit how much runs together, in all, per account, per key, and at any other place that is named.
// Work that has no room waits in fair order, between accounts and then between the keys of an account, or is refused at
// once. Work that cannot start yet is skipped, so it delays only its own share.
import { createFairQueue } from './fair-queue.ts'

/** The account and key on whose behalf something runs. */
export interface Caller {
  account: string
  key: string
}

/** What else the work belongs to, where that is limited. */
interface Holder extends Caller {
  isSubKey?: boolean
  host?: string
  task?: string
}

/** For work whose fair order was decided before, or that belongs to no account: first come, first served. */
export const everyone: Caller = { account: '', key: '' }

/** A limit that work counts towards while it runs, such as the connections of one key to one host. */
export interface Place {
  name: string
  max: number
}

/** Without a number: no limit. */
export interface SlotLimits {
  total?: number
  perAccount?: number
  /** While other accounts are active (default: the same). */
  perAccountShared?: number
  perKey?: number
  /** Of an account: of all of its sub-keys together, and of one of them. */
  allSubKeys?: number
  perSubKey?: number
  /** Of a key: at one host, and for one task. Slow files of one key on a shared host do not slow another's. */
  perHost?: number
  perTask?: number
}

interface SlotOptions {
  /** Limits besides those of the account and the key. Read again whenever there may be room. */
  places?: () => readonly Place[]
  /** Of what waits and has room, the highest rank starts first; below the number of ranks. */
  rank?: () => number
}

interface WaitOptions extends SlotOptions {
  /** Stops waiting and rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

type Leave = () => void

export interface Slots {
  /** Resolves when there is room; the returned function releases the slot. */
  enter(holder: Holder, options?: WaitOptions): Promise<Leave>
  /** The same without waiting: null when there is no room. */
  tryEnter(holder: Holder, options?: SlotOptions): Leave | null
  /** Runs `work` when there is room. */
  run<T>(holder: Holder, work: () => Promise<T>, options?: WaitOptions): Promise<T>
  readonly running: number
  readonly waiting: number
}

interface Turn {
  own: readonly Place[]
  options: SlotOptions
  start(leave: Leave): void
}

const none: readonly Place[] = []

/** `ranks`: how many ranks of work there are. */
export function createSlots(limits: SlotLimits, ranks = 1): Slots {
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isInteger(value) || value < 1) throw new RangeError(`${name} must be a whole number from 1`)
  }
  const { total = Number.POSITIVE_INFINITY } = limits
  const waiting = createFairQueue<Turn>()
  const contention = createContention()
  const taken = new Map<string, number>()
  let running = 0

  const isFree = ({ name, max }: Place) => (taken.get(name) ?? 0) < max
  const hasRoom = ({ own, options }: Turn) =>
    running < total && own.every(isFree) && (options.places?.() ?? none).every(isFree)

  /** Its limit follows whether other accounts are active. */
  function accountPlace(account: string, max: number): Place {
    const shared = limits.perAccountShared ?? max
    return {
      name: `account ${account}`,
      get max() {
        return shared < max && contention.hasOthers(account) ? shared : max
      },
    }
  }

  function placesOf({ account, key, isSubKey, host, task }: Holder): Place[] {
    const { perAccount, perKey, allSubKeys, perSubKey, perHost, perTask } = limits
    const places: Place[] = []
    const add = (name: string, max: number | undefined) => max !== undefined && places.push({ name, max })
    if (perAccount !== undefined) places.push(accountPlace(account, perAccount))
    add(`key ${key}`, perKey)
    if (isSubKey) {
      add(`sub-keys ${account}`, allSubKeys)
      add(`sub-key ${key}`, perSubKey)
    }
    if (host !== undefined) add(`host ${key} ${host}`, perHost)
    if (task !== undefined) add(`task ${key} ${task}`, perTask)
    return places
  }

  function take({ own, options }: Turn): Leave {
    const places = [...own, ...(options.places?.() ?? none)]
    count(places, 1)
    return () => {
      count(places, -1)
      startAll()
    }
  }

  function count(places: readonly Place[], change: 1 | -1): void {
    running += change
    for (const { name } of places) {
      const now = (taken.get(name) ?? 0) + change
      if (now === 0) taken.delete(name)
      else taken.set(name, now)
    }
  }

  function next(): Turn | undefined {
    if (running >= total || waiting.size === 0) return undefined
    for (let rank = ranks - 1; rank > 0; rank--) {
      const turn = waiting.take((each) => (each.options.rank?.() ?? 0) >= rank && hasRoom(each))
      if (turn) return turn
    }
    return waiting.take(hasRoom)
  }

  function startAll(): void {
    for (let turn = next(); turn; turn = next()) turn.start(take(turn))
  }

  function enter(holder: Holder, options: WaitOptions = {}): Promise<Leave> {
    const { signal } = options
    const share = [holder.account, holder.key]
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const giveUp = () => {
        waiting.remove(share, (other) => other === turn)
        reject(signal?.reason)
      }
      contention.note(holder.account)
      const turn: Turn = {
        own: placesOf(holder),
        options,
        start(leave) {
          signal?.removeEventListener('abort', giveUp)
          resolve(leave)
        },
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      waiting.add(share, turn)
      startAll()
    })
  }

  return {
    enter,
    tryEnter(holder, options = {}) {
      contention.note(holder.account)
      const turn: Turn = { own: placesOf(holder), options, start() {} }
      return hasRoom(turn) ? take(turn) : null
    },
    async run(holder, work, options) {
      const leave = await enter(holder, options)
      try {
        return await work()
      } finally {
        leave()
      }
    },
    get running() {
      return running
    },
    get waiting() {
      return waiting.size
    },
  }
}

const recentMs = 1000

/**
 * Whether several accounts use something at about the same time: limits that exist for the sake of others need not slow
 * down an account that has the service to itself.
 */
export function createContention(nowMs = () => performance.now()) {
  let latest = ''
  let latestAt = Number.NEGATIVE_INFINITY
  /** When an account other than the latest was noted last. */
  let othersAt = Number.NEGATIVE_INFINITY
  return {
    /** The account uses it now. */
    note(account: string) {
      if (account !== latest) othersAt = latestAt
      latest = account
      latestAt = nowMs()
    },
    /** Whether another account has used it within the last second. */
    hasOthers: (account: string) => nowMs() - (account === latest ? othersAt : latestAt) < recentMs,
  }
}
