// Whether a worker should leave the preparing of tasks to others, because what fails seems to be the worker itself: its
// network, or its child processes. Pure.
import type { PassingFault } from '../../media/input-failure.ts'

export interface Fault {
  at: number
  account: string
  /** The host of the file; null for one that was not fetched. */
  host: string | null
}

/** What a worker knows of its own work of one kind. */
interface OwnWork {
  /** Since the last success, oldest first. */
  faults: readonly Fault[]
}

/** What another live worker that takes such jobs reports. */
interface OtherWork {
  lastSuccessAt: number | null
}

/** Older faults and successes say nothing about now. */
export const recentMs = 60_000
const faultsMin = 3
/** One account's dead addresses must stop no worker, and neither must one host that is down. */
const accountsMin = 2
const hostsMin = 2

/** Whether the worker's own faults alone look as if the worker is to blame. */
export function looksFaulty(of: PassingFault['of'], { faults }: OwnWork, nowMs: number): boolean {
  const recent = faults.filter(({ at }) => at > nowMs - recentMs)
  const accounts = new Set(recent.map(({ account }) => account))
  const hosts = new Set(recent.map(({ host }) => host))
  return recent.length >= faultsMin && accounts.size >= accountsMin && (of === 'child' || hosts.size >= hostsMin)
}

/**
 * Whether another worker succeeds while this one fails. The worker with the latest success of all finds none, so the
 * last live worker never stops.
 */
export function othersSucceed({ faults }: OwnWork, others: readonly OtherWork[], nowMs: number): boolean {
  const recent = faults.filter(({ at }) => at > nowMs - recentMs)
  const first = recent[0]
  if (!first) return false
  return others.some(({ lastSuccessAt }) => lastSuccessAt !== null && lastSuccessAt >= first.at)
}
