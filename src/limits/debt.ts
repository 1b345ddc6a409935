// Work that is paid for afterwards: a Debt grows with what a name uses and shrinks steadily with time. Whoever owes more than
// its credit waits. In memory, for one process; free-work.ts keeps debts in the database.
import { createRecentMap } from '../platform/recent-map.ts'

export interface DebtLimit {
  /** What may be owed before anything is refused. */
  credit: number
  /** How much is paid back per millisecond. */
  perMs: number
}

export interface Debt {
  amount: number
  atMs: number
}

/**
 * What is left of a debt. Time differences count in both directions, so that a clock that was set back by a day does not
 * refuse a name for a day.
 */
export function owed({ amount, atMs }: Debt, perMs: number, nowMs: number): number {
  return Math.max(0, amount - Math.abs(nowMs - atMs) * perMs)
}

export interface Debts {
  add(name: string, amount: number): void
  /** Whether it owes less than its credit. */
  mayGoOn(name: string): boolean
}

export function createDebts({ credit, perMs }: DebtLimit, namesMax: number, nowMs = () => performance.now()): Debts {
  const debts = createRecentMap<Debt>(namesMax)
  function owedBy(name: string): number {
    const debt = debts.get(name)
    if (!debt) return 0
    const left = owed(debt, perMs, nowMs())
    if (left === 0) debts.delete(name)
    return left
  }
  return {
    add: (name, amount) => debts.set(name, { amount: owedBy(name) + amount, atMs: nowMs() }),
    mayGoOn: (name) => owedBy(name) < credit,
  }
}
