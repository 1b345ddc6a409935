// The debt of unpaid work: inspecting uploads, previews, and preparing tasks and requests that fail. Each key has a budget,
// and an account has several in all, so that more sub-keys do not get more. Debts are in the database, because one process
// may do the work and another one refuse more of it.
import type { Db, Tx } from '../db/db.ts'
import type { Clock } from '../platform/clock.ts'
import type { Logger } from '../platform/logger.ts'
import { type Debt, owed } from './debt.ts'
import { debts } from './table.ts'

/** `ms` of computing time, which can be used all at once and refills over `perMs`. */
interface WorkBudget {
  ms: number
  perMs: number
}

interface WorkOwner {
  accountId: string
  keyId: string
}

export interface FreeWork {
  /** Counts time that a child process worked for this key. */
  spend(owner: WorkOwner, ms: number): void
  /** Seconds until the key may use more computing time; 0 when it may now. */
  waitS(owner: WorkOwner): Promise<number>
  /** Stores what was counted since the last time. */
  flush(): Promise<void>
  /** Forgets keys and accounts whose budget is full again. */
  purge(): Promise<void>
}

const { budgetsPerAccount } = debts.freeWork.of
const flushAfterMs = 200
/** What other processes counted is seen within this time. */
const readAgainMs = 1000
const rememberedMax = 10_000

export function createFreeWork(deps: { db: Db; clock: Clock; log: Logger; budget: WorkBudget | null }): FreeWork {
  const { db, clock, log, budget } = deps
  if (!budget) return { spend() {}, waitS: async () => 0, flush: async () => {}, purge: async () => {} }
  const { ms: maxMs, perMs } = budget
  const refillPerMs = maxMs / perMs
  // Promises, so that concurrent requests share one statement.
  const remembered = new Map<string, { used: Promise<Debt>; readAtMs: number }>()
  const unsaved = new Map<string, number>()
  let timer: NodeJS.Timeout | null = null
  let flushing = Promise.resolve()

  const count = (owner: string, ms: number) => unsaved.set(owner, (unsaved.get(owner) ?? 0) + ms)

  async function store(): Promise<void> {
    const counted = [...unsaved].sort(([a], [b]) => (a < b ? -1 : 1))
    if (counted.length === 0) return
    unsaved.clear()
    const nowMs = clock.now()
    // A power cut may undo it: a client gains a little time.
    await db.transaction(
      async (tx) => {
        for (const [owner, ms] of counted) await tx.run(upsert, [owner, ms, nowMs, refillPerMs, refillPerMs])
      },
      { durable: false },
    )
    // Not earlier: a read before the commit would be remembered without what was just counted.
    for (const [owner] of counted) remembered.delete(owner)
  }

  function flush(): Promise<void> {
    if (timer) clearTimeout(timer)
    timer = null
    flushing = flushing.then(store).catch((error) => log.warn({ err: error }, 'used computing time was not stored'))
    return flushing
  }

  function read(owner: string, nowMs: number): Promise<Debt> {
    const known = remembered.get(owner)
    if (known && nowMs - known.readAtMs < readAgainMs) return known.used
    if (remembered.size >= rememberedMax) remembered.clear()
    const used = readStored(owner, nowMs)
    remembered.set(owner, { used, readAtMs: nowMs })
    used.catch(() => remembered.delete(owner))
    return used
  }

  async function readStored(owner: string, nowMs: number): Promise<Debt> {
    const row = await db.one<{ used_ms: number; counted_at: number }>(
      'select used_ms, counted_at from free_work where owner = ?',
      [owner],
    )
    return { amount: row?.used_ms ?? 0, atMs: row?.counted_at ?? nowMs }
  }

  async function overMs(owner: string): Promise<number> {
    const nowMs = clock.now()
    const used = owed(await read(owner, nowMs), refillPerMs, nowMs) + (unsaved.get(owner) ?? 0)
    return Math.max(0, used - maxMs)
  }

  return {
    spend({ accountId, keyId }, ms) {
      if (ms <= 0) return
      count(keyId, ms)
      // In shares of its larger budget, so that every row has the same maximum and refills alike.
      count(accountId, ms / budgetsPerAccount)
      timer ??= setTimeout(flush, flushAfterMs).unref()
    },
    async waitS({ accountId, keyId }) {
      const over = Math.max(await overMs(keyId), await overMs(accountId))
      return over === 0 ? 0 : Math.ceil(over / refillPerMs / 1000)
    },
    flush,
    async purge() {
      await db.run('delete from free_work where used_ms <= abs(? - counted_at) * cast(? as double precision)', [
        clock.now(),
        refillPerMs,
      ])
    },
  }
}

/** Forgets what an account and its keys owe. */
export async function deleteFreeWork(tx: Tx, accountId: string): Promise<void> {
  await tx.run('delete from free_work where owner = ? or owner in (select id from keys where account_id = ?)', [
    accountId,
    accountId,
  ])
}

/** As `owed` does: reduces the stored use by what was refilled until now, and adds the new use. */
const upsert = `insert into free_work (owner, used_ms, counted_at) values (?, ?, ?)
  on conflict (owner) do update set
    used_ms = excluded.used_ms + case
      when free_work.used_ms > abs(excluded.counted_at - free_work.counted_at) * cast(? as double precision)
      then free_work.used_ms - abs(excluded.counted_at - free_work.counted_at) * cast(? as double precision)
      else 0 end,
    counted_at = excluded.counted_at`
