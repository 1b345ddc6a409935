// How many fetches run at once: in all, for an account, for one task and for one host of an account.
// First come, first served within an account, in turn between accounts; whoever cannot run now is passed over,
// so one account's hanging hosts take their own places and nobody else's. It does not know what a fetch is.

export interface FetchLaneLimits {
  total: number
  /** Below `total`, so that no account alone can take every place. */
  perAccount: number
  /** Counted within an account: slow files of one account on a shared host do not slow another's. */
  perHost: number
  perTask: number
}

export interface FetchLaneUse {
  account: string
  host: string
  task: string
  signal?: AbortSignal | undefined
}

export interface FetchLanes {
  /** Runs `work` when there is a place. While waiting, `signal` gives the turn up with its reason. */
  run<T>(use: FetchLaneUse, work: () => Promise<T>): Promise<T>
  readonly running: number
  readonly waiting: number
}

interface Turn {
  host: string
  task: string
  start(): void
}

interface AccountLane {
  waiting: Turn[]
  running: number
  hosts: Map<string, number>
  tasks: Map<string, number>
}

export function createFetchLanes(limits: FetchLaneLimits): FetchLanes {
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isInteger(value) || value < 1) throw new RangeError(`${name} must be a whole number from 1`)
  }
  if (limits.perAccount >= limits.total) throw new RangeError('perAccount must be below total')

  // In turn order: an account that was served moves to the end.
  const accounts = new Map<string, AccountLane>()
  let running = 0

  async function run<T>(use: FetchLaneUse, work: () => Promise<T>): Promise<T> {
    await turn(use)
    try {
      return await work()
    } finally {
      leave(use)
    }
  }

  function turn({ account, host, task, signal }: FetchLaneUse): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const lane = laneOf(account)
      const giveUp = () => {
        lane.waiting.splice(lane.waiting.indexOf(own), 1)
        forget(account, lane)
        reject(signal?.reason)
      }
      const own: Turn = {
        host,
        task,
        start() {
          signal?.removeEventListener('abort', giveUp)
          resolve()
        },
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      lane.waiting.push(own)
      startAll()
    })
  }

  function leave({ account, host, task }: FetchLaneUse): void {
    const lane = laneOf(account)
    running -= 1
    lane.running -= 1
    add(lane.hosts, host, -1)
    add(lane.tasks, task, -1)
    forget(account, lane)
    startAll()
  }

  function startAll(): void {
    while (running < limits.total && startNext()) {}
  }

  function startNext(): boolean {
    for (const [account, lane] of accounts) {
      const next = nextOf(lane)
      if (next === undefined) continue
      running += 1
      lane.running += 1
      add(lane.hosts, next.host, 1)
      add(lane.tasks, next.task, 1)
      accounts.delete(account)
      accounts.set(account, lane)
      next.start()
      return true
    }
    return false
  }

  function nextOf(lane: AccountLane): Turn | undefined {
    if (lane.running >= limits.perAccount) return undefined
    const place = lane.waiting.findIndex(
      ({ host, task }) => (lane.hosts.get(host) ?? 0) < limits.perHost && (lane.tasks.get(task) ?? 0) < limits.perTask,
    )
    return place < 0 ? undefined : lane.waiting.splice(place, 1)[0]
  }

  function laneOf(account: string): AccountLane {
    let lane = accounts.get(account)
    if (lane === undefined) {
      lane = { waiting: [], running: 0, hosts: new Map(), tasks: new Map() }
      accounts.set(account, lane)
    }
    return lane
  }

  function forget(account: string, lane: AccountLane): void {
    if (lane.running === 0 && lane.waiting.length === 0) accounts.delete(account)
  }

  return {
    run,
    get running() {
      return running
    },
    get waiting() {
      return [...accounts.values()].reduce((sum, lane) => sum + lane.waiting.length, 0)
    },
  }
}

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
