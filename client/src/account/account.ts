// What an account's ledger and use look like.
export interface LedgerEntry {
  id: string
  kind: 'grant' | 'hold' | 'settle' | 'release' | 'charge'
  amount: number
  balanceAfter: number
  taskId: string | null
  keyId: string | null
  createTime: number
}

export interface UsageCount {
  tasks: number
  credits: number
}

export interface Usage {
  /** UTC days, oldest first, those without tasks left out. */
  days: (UsageCount & { day: string })[]
  states: (UsageCount & { state: string })[]
  models: (UsageCount & { model: string })[]
}
