// The lines of the ledger as they are shown: one per task. Pure.
import type { LedgerEntry } from '../api-types.ts'

type LedgerLine = Pick<LedgerEntry, 'id' | 'createTime' | 'taskId'> & {
  words: string
  /** Null where no entry says it. */
  credits: number | null
}

/** One line per task: what it cost in the end instead of each hold, settlement and release. */
export function foldLedger(entries: LedgerEntry[]): LedgerLine[] {
  const byTask = Map.groupBy(entries, ({ taskId, id }) => taskId ?? id)
  return [...byTask.values()].map((group) => {
    const { id, createTime, taskId, kind } = group[0]!
    const kinds = new Set(group.map((entry) => entry.kind))
    const sum = group.reduce((total, entry) => total + entry.amount, 0)
    const line = { id, createTime, taskId }
    // The hold may be pages away, but a release returns all of it, and a settlement says its amount.
    if (kinds.has('release')) return { ...line, words: 'released', credits: 0 }
    const settled = group.find((entry) => entry.kind === 'settle')
    if (settled) return { ...line, words: 'settled', credits: settled.cost === null ? null : -settled.cost }
    return { ...line, words: kind === 'hold' ? 'held' : kind, credits: sum }
  })
}
