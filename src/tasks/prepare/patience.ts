// Whether and when a task's input files are retried after a failure that may pass. Pure.
import type { PassingFault } from '../../media/input-failure.ts'
import type { InputRetry } from '../store/input-retries.ts'

interface Fault extends PassingFault {
  /** The retries so far. */
  retries: readonly Pick<InputRetry, 'fault' | 'failed_at'>[]
  nowMs: number
  /** From 0 to 1: the position of the delay within ±20 %, so that the tasks of one host are not all retried at once. */
  random: number
}

/** The last one is repeated. A server that is away for a while is not asked more often. */
const fetchDelaysMs = [1000, 2000, 4000, 8000, 15_000]
/** Even where these take longer than the patience: each may have waited for a server that hangs. */
const fetchAttemptsMin = 3
/** A file that crashes every process that opens it crashes no more than this many. */
const childDelaysMs = [1000, 2000]
const spread = 0.2

/** Milliseconds until the next attempt; null when the failure is final. */
export function retryInMs(fault: Fault, patienceMs: number): number | null {
  const attempts = attemptsOf(fault)
  const spreadOf = (ms: number) => Math.round(ms * (1 - spread + 2 * spread * fault.random))
  if (fault.of === 'child') {
    const delayMs = childDelaysMs[attempts - 1]
    return delayMs === undefined ? null : spreadOf(delayMs)
  }
  if (patienceMs === 0) return null
  // A short patience has short delays, so that its attempts fit into it.
  const plannedMs = spreadOf(Math.min(fetchDelaysMs[attempts - 1] ?? fetchDelaysMs.at(-1)!, patienceMs / 4))
  const leftMs = patienceMs - elapsedMs(fault)
  if (leftMs < plannedMs && attempts >= fetchAttemptsMin) return null
  // A server that asks for more time than is left gets what is left.
  return Math.min(Math.max(plannedMs, fault.retryAfterMs ?? 0), Math.max(plannedMs, leftMs))
}

/** The number of attempts and the time that they took, for the message of a task that fails in the end. */
export function effortOf(fault: Fault): string {
  const attempts = attemptsOf(fault)
  if (attempts === 1) return ''
  return ` It was tried ${attempts} times within ${Math.max(1, Math.round(elapsedMs(fault) / 1000))} s.`
}

const attemptsOf = ({ of, retries }: Fault) => retries.filter(({ fault }) => fault === of).length + 1

function elapsedMs({ of, retries, nowMs }: Fault): number {
  const first = retries.find(({ fault }) => fault === of)
  return first ? Math.max(0, nowMs - first.failed_at) : 0
}
