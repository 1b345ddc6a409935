// How much of the event loop the long work of one account takes: large bodies, forms, pages of a megabyte. It is done in
// slices, one per turn of the loop, accounts and their keys in turn, so that small requests wait for one slice. While
// other accounts are active, an account that has used its credit gets a fifth of the time.

import { createDebts } from '../../limits/debt.ts'
import { createFairQueue } from '../../limits/fair-queue.ts'
import { createContention, createSlots } from '../../limits/slots.ts'
import { debts } from '../../limits/table.ts'

interface LoopCaller {
  accountId: string
  keyId: string
}

export interface LoopShare {
  /** The account is active. */
  note(accountId: string): void
  /** Resolves when the caller's next slice may run: what follows in the same turn of the loop, below a millisecond. */
  turn(caller: LoopCaller): Promise<void>
  /** Adds time that no slice has measured. */
  charge(accountId: string, ms: number): void
  /** Runs a request that takes longer, of each account one at a time. */
  run<T>(caller: LoopCaller, work: () => Promise<T>): Promise<T>
}

/**
 * The most that a request is charged for its turns after the first: in those, its work cannot be attributed to it with
 * certainty. Reading a page of a megabyte from PostgreSQL and writing it as JSON takes about as long.
 */
const laterMsMax = 20
/** How often accounts without credit are checked. */
const recheckMs = 5
/** Accounts and addresses that are remembered. */
const debtorsMax = 10_000

/** Time on the processor: waiting, for the database or for a busy machine, takes nothing from others. */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

interface Slice {
  accountId: string
  start(): void
}

export function createLoopShare(): LoopShare {
  const contention = createContention()
  const waiting = createFairQueue<Slice>()
  const lines = createSlots({ perAccount: 1 })
  // An upload of 10 MB in base64 takes about as long as the credit.
  const used = createDebts(debts.eventLoop.of, debtorsMax)
  let isScheduled = false
  let recheck: NodeJS.Timeout | undefined
  let running: { slice: Slice; usedBeforeMs: number } | null = null

  const mayRun = ({ accountId }: Slice) => used.mayGoOn(accountId) || !contention.hasOthers(accountId)

  function schedule(): void {
    clearTimeout(recheck)
    if (isScheduled || waiting.size === 0) return
    isScheduled = true
    // Both in one turn of the loop: the second runs after everything that the slice does before it first waits.
    setImmediate(beginSlice)
    setImmediate(endSlice)
  }

  function beginSlice(): void {
    const slice = waiting.take(mayRun)
    running = slice ? { slice, usedBeforeMs: usedMs() } : null
    slice?.start()
  }

  function endSlice(): void {
    isScheduled = false
    if (running === null) {
      recheck = setTimeout(schedule, recheckMs)
      return
    }
    const { slice, usedBeforeMs } = running
    used.add(slice.accountId, usedMs() - usedBeforeMs)
    schedule()
  }

  function turn({ accountId, keyId }: LoopCaller): Promise<void> {
    contention.note(accountId)
    return new Promise((resolve) => {
      waiting.add([accountId, keyId], { accountId, start: resolve })
      schedule()
    })
  }

  return {
    note: contention.note,
    turn,
    charge: used.add,
    async run(caller, work) {
      const leave = await lines.enter({ account: caller.accountId, key: caller.keyId })
      try {
        await turn(caller)
        let usedByThenMs = Number.POSITIVE_INFINITY
        setImmediate(() => {
          usedByThenMs = usedMs()
        })
        return await work().finally(() => {
          const laterMs = Math.max(0, usedMs() - usedByThenMs)
          used.add(caller.accountId, Math.min(laterMs, laterMsMax))
        })
      } finally {
        leave()
      }
    },
  }
}
