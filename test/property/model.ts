// What the service promises, small enough to be believed: the ledger as a sum, the state machine as a few rules, time as
// a number. Knows nothing of databases, queues or HTTP.

export type State = 'wait' | 'queueing' | 'generating' | 'success' | 'fail'
export type KeyName = 'main' | 'sub'

export interface ModelTask {
  prompt: string
  id: string
  key: KeyName
  price: number
  state: State
  /** Its input files have not arrived. */
  held: boolean
  /** A worker has its job; also one that has crashed and whose lease has not ended. */
  leased: boolean
  /** Its worker has crashed, and no process has noticed. */
  orphan: boolean
  /** Times that the present job ended badly. */
  failures: number
  crashes: number
  progress: number
  failReason: string | null
  stateAt: number
  /** Not given to an engine before this. */
  runAt: number
  completedAt: number | null
  deleted: boolean
  /** An engine has it in hand. */
  started: boolean
  /** How often an engine was asked to start it; null when a crash in between leaves that open. */
  starts: number | null
}

export interface Rules {
  /** One process on one database: what a dead one leaves is taken back at the next start, not when its lease ends. */
  local: boolean
  slots: number
  attemptsMax: number
  crashesMax: number
  retryDelayMs: number
  queueTimeoutMs: number
  videoTtlMs: number
  recordTtlMs: number
  idempotencyTtlMs: number
  subLimit: number
}

export class Model {
  readonly rules: Rules
  nowMs: number
  balance: number
  tasks: ModelTask[] = []
  /** Idempotency keys by `key/name`. */
  remembered = new Map<string, { prompt: string; price: number; at: number }>()

  constructor(rules: Rules, balance: number, nowMs: number) {
    this.rules = rules
    this.balance = balance
    this.nowMs = nowMs
  }

  /** The credits of a sub-key that its limit counts: what it holds and what it spent. */
  subUsed(): number {
    return this.tasks.reduce((sum, task) => sum + (task.key === 'sub' && task.state !== 'fail' ? task.price : 0), 0)
  }

  /** What a creation must answer. */
  admits(key: KeyName, price: number): 200 | 402 | 433 {
    if (key === 'sub' && this.subUsed() + price > this.rules.subLimit) return 433
    return this.balance < price ? 402 : 200
  }

  accept(task: Pick<ModelTask, 'prompt' | 'id' | 'key' | 'price' | 'held'>): ModelTask {
    const accepted: ModelTask = {
      ...task,
      state: 'wait',
      leased: true,
      orphan: false,
      failures: 0,
      crashes: 0,
      progress: 0,
      failReason: null,
      stateAt: this.nowMs,
      runAt: this.nowMs,
      completedAt: null,
      deleted: false,
      started: false,
      starts: 0,
    }
    this.balance -= task.price
    this.tasks.push(accepted)
    return accepted
  }

  open(): ModelTask[] {
    return this.tasks.filter((task) => !isFinal(task))
  }

  move(task: ModelTask, state: State): void {
    task.state = state
    task.stateAt = this.nowMs
    if (state !== 'success') task.progress = state === 'fail' ? task.progress : 0
    if (isFinal(task)) task.completedAt = this.nowMs
    if (isFinal(task)) task.leased = task.orphan = false
  }

  fail(task: ModelTask, reason: string): void {
    this.move(task, 'fail')
    task.failReason = reason
    this.balance += task.price
  }

  succeed(task: ModelTask): void {
    this.move(task, 'success')
    task.progress = 100
  }

  /** The engine failed in a way that may be mended: back to the queue, until there were too many. */
  stumble(task: ModelTask): void {
    if (task.failures + 1 >= this.rules.attemptsMax) {
      this.fail(task, 'engine_failed')
      return
    }
    this.giveBack(task)
    task.failures += 1
    task.crashes = 0
    task.started = false
    task.runAt = this.nowMs + this.rules.retryDelayMs
  }

  giveBack(task: ModelTask): void {
    task.leased = task.orphan = false
    if (task.state === 'generating') this.move(task, 'queueing')
  }

  takeBack(task: ModelTask): void {
    this.giveBack(task)
    task.crashes += 1
  }

  /** The process has ended: jobs that it held are held no more. */
  crash(): void {
    for (const task of this.open().filter((task) => task.leased)) {
      if (this.rules.local) this.takeBack(task)
      else task.orphan = true
    }
  }

  /** The leases of dead workers have ended. */
  noticeDead(): void {
    for (const task of this.open().filter((task) => task.orphan)) this.takeBack(task)
  }

  /** Everything that happens by itself now: input files are gathered, free slots are filled in order. */
  settle(): void {
    for (const task of this.open().filter((task) => task.state === 'wait' && !task.orphan)) {
      if (Math.max(task.failures - this.rules.attemptsMax, task.crashes - this.rules.crashesMax) >= 0)
        this.fail(task, 'internal')
      else if (task.held) task.leased = true
      else {
        this.move(task, 'queueing')
        Object.assign(task, { failures: 0, crashes: 0, leased: false, runAt: this.nowMs })
      }
    }
    for (;;) {
      const busy = this.tasks.filter((task) => task.state === 'generating' && !task.orphan).length
      const next = this.tasks.find((task) => task.state === 'queueing' && !task.leased && task.runAt <= this.nowMs)
      if (!next || busy >= this.rules.slots) return
      if (next.crashes >= this.rules.crashesMax) this.fail(next, 'internal')
      else if (next.failures >= this.rules.attemptsMax) this.fail(next, 'engine_failed')
      else {
        this.move(next, 'generating')
        next.leased = true
        // Followed again after its worker was lost; started again after its engine failed.
        if (!next.started && next.starts !== null) next.starts += 1
        next.started = true
      }
    }
  }

  /** What the background loops do. */
  upkeep(): void {
    const { queueTimeoutMs, recordTtlMs, idempotencyTtlMs } = this.rules
    for (const task of this.open()) {
      if (task.state === 'queueing' && task.stateAt < this.nowMs - queueTimeoutMs) this.fail(task, 'generation_limit')
    }
    for (const task of this.tasks) {
      if (task.completedAt !== null && task.completedAt < this.nowMs - recordTtlMs) task.deleted = true
    }
    for (const [name, { at }] of this.remembered) if (at < this.nowMs - idempotencyTtlMs) this.remembered.delete(name)
  }

  expired(task: ModelTask): boolean {
    return task.state === 'success' && task.completedAt! + this.rules.videoTtlMs <= this.nowMs
  }
}

export function isFinal(task: ModelTask): boolean {
  return task.state === 'success' || task.state === 'fail'
}

const next: Record<State, State[]> = {
  wait: ['queueing', 'fail'],
  queueing: ['generating', 'fail'],
  generating: ['queueing', 'success', 'fail'],
  success: [],
  fail: [],
}

/** The first move of a timeline that the state machine does not have, or null. */
export function illegalMove(states: State[]): string | null {
  if (states[0] !== 'wait') return `it begins with ${states[0]}`
  const at = states.findIndex((state, i) => i > 0 && !next[states[i - 1]!].includes(state))
  return at < 0 ? null : `${states[at - 1]} → ${states[at]}`
}
