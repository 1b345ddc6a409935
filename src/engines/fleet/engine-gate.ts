// Guards one engine: its breaker, its caps, and the probe that closes the breaker again. A thin shell around pure
// functions; which engine a task goes to is decided in routing.
import type { EngineStatus } from '../../contract/operator.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Rate } from '../../platform/durations.ts'
import { asError } from '../../platform/errors.ts'
import type { Engine } from '../engine.ts'
import { type Breaker, type BreakerEvent, closedBreaker, isOpen, nextBreaker } from './breaker.ts'
import { nextSpendingMs, nextStartMs, windowStartMs } from './caps.ts'

export interface Gate {
  readonly engine: Engine
  readonly slots: number
  /** Epoch milliseconds when a probe may find it healthy again; null while healthy. */
  retryAtMs(): number | null
  /** Epoch milliseconds when to check again whether it takes a task; null when it takes one now. */
  unavailableUntilMs(): Promise<number | null>
  /** See `Fleet`. */
  takesAll(): boolean
  /** See `Fleet`. */
  pauseMs(): Promise<number>
  /** Counts a task that starts; false when another one started meanwhile and used up the rate. */
  enter(): boolean
  /**
   * Checks the engine and starts a task. With a cap on credits, tasks start one after another: a task counts towards
   * the cap once its start is stored, and the next check must see it.
   */
  inTurn<T>(start: () => Promise<T>): Promise<T>
  report(event: Extract<BreakerEvent, 'succeeded' | 'failed'>, problem?: string): void
  /** What the generator said when it refused a task for now; null when it did not. */
  waiting(reason: string | null): void
  /** Probes the engine. */
  check(): Promise<void>
  status(): EngineStatus
}

interface GateOptions {
  engine: Engine
  type: string
  slots: number
  rate?: Rate
  creditsMax?: Rate
  clock: Clock
  /** Credits of the tasks that the engine took since then. */
  creditsSince(engine: string, sinceMs: number): Promise<number>
}

const probeMsMax = 5_000
/** How often workers check the tasks of an engine that takes none. */
const lookEveryMs = 1_000

export function createGate(options: GateOptions): Gate {
  const { engine, clock } = options
  const rate = options.rate ?? null
  const creditsMax = options.creditsMax ?? null
  let breaker: Breaker = closedBreaker
  let lastProblem: string | null = null
  let busy: string | null = null
  /** The latest starts, at most as many as the rate allows; earlier ones do not matter. */
  const startsMs: number[] = []
  let lookedAtMs = Number.NEGATIVE_INFINITY
  let lastTurn: Promise<unknown> = Promise.resolve()

  function move(event: BreakerEvent, problem: string | null) {
    breaker = nextBreaker(breaker, event, clock.now())
    if (problem !== null) lastProblem = problem.slice(0, 500)
  }

  async function unavailableUntilMs(): Promise<number | null> {
    const nowMs = clock.now()
    if (breaker.retryAtMs !== null) return breaker.retryAtMs
    const startMs = nextStartMs(rate, startsMs, nowMs)
    if (startMs !== null) return startMs
    if (creditsMax === null) return null
    const spent = await options.creditsSince(engine.name, windowStartMs(creditsMax, nowMs))
    return nextSpendingMs(creditsMax, spent, nowMs)
  }

  return {
    engine,
    slots: options.slots,
    retryAtMs: () => breaker.retryAtMs,
    unavailableUntilMs,
    takesAll: () => rate === null && creditsMax === null && breaker.retryAtMs === null,
    async pauseMs() {
      const untilMs = await unavailableUntilMs()
      if (untilMs === null) return 0
      const nowMs = clock.now()
      const lookMs = lookedAtMs + lookEveryMs
      if (nowMs < lookMs) return Math.max(1, Math.min(lookMs, untilMs) - nowMs)
      lookedAtMs = nowMs
      return 0
    },
    enter() {
      if (rate === null) return true
      const nowMs = clock.now()
      if (nextStartMs(rate, startsMs, nowMs) !== null) return false
      startsMs.push(nowMs)
      if (startsMs.length > rate.requests) startsMs.shift()
      return true
    },
    inTurn(start) {
      if (creditsMax === null) return start()
      const turn = lastTurn.then(start)
      lastTurn = turn.catch(() => {})
      return turn
    },
    report(event, problem) {
      // A bundled engine runs in this process: there is no remote server to protect.
      if (engine.probe) move(event, problem ?? null)
    },
    waiting(reason) {
      busy = reason
    },
    async check() {
      if (!engine.probe) return
      try {
        await engine.probe(AbortSignal.timeout(probeMsMax))
        move('probe answered', null)
      } catch (error) {
        move('probe unanswered', asError(error).message)
      }
    },
    status: () => ({
      name: engine.name,
      type: options.type,
      healthy: !isOpen(breaker),
      slots: options.slots,
      failures: breaker.failures,
      retryAt: breaker.retryAtMs,
      lastProblem,
      busy,
    }),
  }
}
