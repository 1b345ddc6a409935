// How many fetches run at once: in all, for an account, for one of its keys, for one task, and for one host of a key.
// Accounts take turns, and so do the keys of an account. A fetch that cannot run now is skipped, so slow hosts delay
// only the clients that use them. It does not know what a fetch is.
import { type Caller, createFairTurns, type TurnLimits } from '../platform/sharing/fair-turns.ts'

interface FetchLaneLimits extends TurnLimits {
  /** Counted within a key: slow files of one key on a shared host do not slow another's. */
  perHost: number
  perTask: number
}

export interface FetchLaneUse extends Caller {
  host: string
  task: string
  signal?: AbortSignal
}

export interface FetchLanes {
  /** Runs `work` when there is room. While it waits, `signal` aborts it with its reason. */
  run<T>(use: FetchLaneUse, work: () => Promise<T>): Promise<T>
  readonly running: number
  readonly waiting: number
}

export function createFetchLanes({ perHost, perTask, ...limits }: FetchLaneLimits): FetchLanes {
  if (limits.perAccount >= limits.total) throw new RangeError('perAccount must be below total')
  const turns = createFairTurns(limits)
  return {
    async run({ account, key, host, task, signal }, work) {
      const places = [
        { name: `host ${key} ${host}`, max: perHost },
        { name: `task ${key} ${task}`, max: perTask },
      ]
      const leave = await turns.enter({ account, key }, { places, signal })
      try {
        return await work()
      } finally {
        leave()
      }
    },
    get running() {
      return turns.running
    },
    get waiting() {
      return turns.waiting
    },
  }
}
