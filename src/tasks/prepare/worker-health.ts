// Notices when this worker alone fails to fetch or open input files, and then takes no jobs of `prepare` for a while, so
// that the workers that can do it get them.
import type { Db } from '../../db/db.ts'
import type { PassingFault } from '../../media/input-failure.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Logger } from '../../platform/logger.ts'
import type { LaneHealth } from '../../queue/queue.ts'
import { lanesOfOthers } from '../../queue/workers.ts'

type Kind = PassingFault['of']

export interface WorkerHealth {
  succeeded(kind: Kind): void
  failed(kind: Kind, from: Omit<Fault, 'at'>): void
  /** How long to claim no job: 0 unless this worker pauses. */
  pauseMs(): Promise<number>
  /** What other workers need to know. */
  report(): LaneHealth
}

interface HealthDeps {
  db: Db
  clock: Clock
  log: Logger
  queue: string
  /** The worker pauses or works again, and the others should know soon. */
  onChange(): Promise<unknown>
}

const kinds: Kind[] = ['fetch', 'child']
/** Then it takes jobs again. Whether they fail too shows whether it is still to blame; until then they only wait longer. */
const pausedForMs = 30_000
const lookAgainMs = 1000
const faultsMax = 100

const problems: Record<Kind, string> = {
  fetch: 'input files of several accounts and hosts cannot be fetched here, while another worker fetches files',
  child: 'the processes that open input files crash here for several accounts, while another worker opens files',
}

export function createWorkerHealth({ db, clock, log, queue, onChange }: HealthDeps): WorkerHealth {
  const own = { fetch: createOwnWork(), child: createOwnWork() }
  let pausedUntil: number | null = null
  let latest: { atMs: number; others: Promise<LaneHealth[]> } | null = null

  /** The workers that take such jobs now. Read only when there is reason to. */
  function workingOthers(): Promise<LaneHealth[]> {
    const nowMs = performance.now()
    if (latest === null || nowMs - latest.atMs >= lookAgainMs) {
      const others = lanesOfOthers(db, queue, clock.now()).then((lanes) => lanes.filter(({ paused }) => !paused))
      latest = { atMs: nowMs, others }
    }
    return latest.others
  }

  async function change(until: number | null) {
    pausedUntil = until
    await onChange().catch((error) => log.warn({ err: error }, 'the other workers learn later of a pause'))
  }

  async function pauseIfFaulty(): Promise<number> {
    const nowMs = clock.now()
    const suspicious = kinds.filter((kind) => looksFaulty(kind, own[kind], nowMs))
    if (suspicious.length === 0) return 0
    const others = await workingOthers()
    const kind = suspicious.find((each) =>
      othersSucceed(
        own[each],
        others.map(({ succeededAt }) => ({ lastSuccessAt: succeededAt[each] ?? null })),
        nowMs,
      ),
    )
    if (kind === undefined) return 0
    log.warn({ queue, pausedForMs }, `this worker takes no jobs of ${queue} for a while: ${problems[kind]}`)
    await change(nowMs + pausedForMs)
    return lookAgainMs
  }

  /** Without another worker there is none to leave the jobs to. */
  async function stayPaused(until: number): Promise<number> {
    if (clock.now() < until && (await workingOthers()).length > 0) return lookAgainMs
    for (const kind of kinds) own[kind].faults.length = 0
    log.info({ queue }, `this worker takes jobs of ${queue} again`)
    await change(null)
    return 0
  }

  return {
    succeeded(kind) {
      own[kind].lastSuccessAt = clock.now()
      own[kind].faults.length = 0
    },
    failed(kind, from) {
      const { faults } = own[kind]
      const nowMs = clock.now()
      faults.push({ ...from, at: nowMs })
      while (faults.length > faultsMax || faults[0]!.at <= nowMs - recentMs) faults.shift()
    },
    pauseMs: () => (pausedUntil === null ? pauseIfFaulty() : stayPaused(pausedUntil)),
    report: () => ({
      paused: pausedUntil !== null,
      succeededAt: { fetch: own.fetch.lastSuccessAt, child: own.child.lastSuccessAt },
    }),
  }
}

const createOwnWork = () => ({ lastSuccessAt: null as number | null, faults: [] as Fault[] })

interface Fault {
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
