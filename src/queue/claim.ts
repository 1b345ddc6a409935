// Which waiting jobs a lane gets: the first in order that are due and whose groups and owners have room.
import { anyOf, asyncCommit, type Db, forUpdate, type Param, type Sql } from '../db/db.ts'
import { givenRows } from '../db/given-rows.ts'
import type { Clock } from '../platform/clock.ts'
import { newToken } from '../platform/ids.ts'
import type { Claimed, ClaimLimits, SharesLeft } from './lane.ts'
import type { ClaimHook, Job } from './queue.ts'

/** Delayed jobs of other processes, and jobs whose wake-up was missed, are found at least this often. */
export const pollMs = 1000

const candidatesPerClaim = 4

/** A delayed job is late by at most this much in a queue that is busy. */
const askForNextEveryMs = 250

/** How many of a queue's first jobs are read before the whole queue is. */
const firstMax = 64

/** Read before those: a job that waits beside groups with their full share is usually among the first few. */
const firstFew = 8

/** Scanning a whole queue takes at most this share of the time while its first jobs do not fit. */
const wholeLookShare = 0.1

type Given = ReturnType<typeof givenRows>
type WaitingJob = Pick<Job, 'subject' | 'group' | 'owner'>

export function createClaim({ db, clock, worker }: { db: Db; clock: Clock; worker: string }) {
  const askedForNext = new Map<string, number>()
  /** By queue, when the whole of it may be scanned again. */
  const nextWholeLook = new Map<string, number>()

  async function claim(queue: string, limits: ClaimLimits, onClaim?: ClaimHook): Promise<Claimed> {
    const nowMs = clock.now()
    if (db.dialect === 'sqlite') {
      const claimed = await claimFirst(queue, limits, nowMs, onClaim)
      if (claimed) return claimed
    }
    const startedMs = performance.now()
    const { limit, groups, owners } = limits
    const isBounded = boundsSome(limit, groups) || boundsSome(limit, owners)
    // Reading more rows than are claimed finds other groups behind one that gets its full share. PostgreSQL locks what it
    // reads, and the next claim leaves out the groups that are full by then: a few are enough.
    const lookAt = isBounded ? Math.min(limit * candidatesPerClaim, firstMax) : limit
    const { text, params } = claimSql(db, { queue, nowMs, worker, lookAt }, limits)
    const jobs = await take(text, params, onClaim)
    const isDrained = jobs.length === 0 || (jobs.length < limit && !isBounded)
    const endedMs = performance.now()
    nextWholeLook.set(queue, endedMs + (endedMs - startedMs) * (1 / wholeLookShare - 1))
    return { jobs, isDrained, nextMs: isDrained ? await msToNext(queue, nowMs) : null }
  }

  /**
   * Reads the first due jobs and claims those that fit; null means that the whole queue must be scanned. Reading takes
   * no write lock for an idle queue. While groups are bounded, passing over hundreds of their jobs would hold up the
   * jobs of other groups. On PostgreSQL this would cost a second round trip.
   */
  async function claimFirst(
    queue: string,
    limits: ClaimLimits,
    nowMs: number,
    onClaim: ClaimHook | undefined,
  ): Promise<Claimed | null> {
    const { limit, groups, owners } = limits
    const hasFull = groups.full.length + owners.full.length > 0
    const isSelective = hasFull || boundsSome(limit, groups) || boundsSome(limit, owners)
    // Where no job can be passed over, one shows whether the queue is drained. With no full group, the first jobs fit.
    const looks = !isSelective ? [1] : hasFull ? [firstFew, firstMax] : [firstMax]
    for (const lookAt of looks) {
      const due = await db.all<WaitingJob>(dueSql, [queue, nowMs, lookAt])
      const fitting = isSelective ? fitInto(limits, due) : []
      // Where all of the first few fit, more probably do.
      const areMoreLikely = fitting.length === lookAt && lookAt < Math.min(limit, firstMax)
      if (fitting.length > 0 && !areMoreLikely) {
        const params = [worker, newToken(), JSON.stringify(fitting)]
        const jobs = await take(claimTheseSql(db), params, onClaim)
        return { jobs, isDrained: false, nextMs: null }
      }
      if (due.length < lookAt) return { jobs: [], isDrained: true, nextMs: await msToNext(queue, nowMs) }
    }
    const waitMs = hasFull ? (nextWholeLook.get(queue) ?? 0) - performance.now() : 0
    return waitMs > 0 ? { jobs: [], isDrained: true, nextMs: waitMs } : null
  }

  /** If a power cut undoes a claim, the job simply waits again. */
  async function take(sql: string, params: Param[], onClaim: ClaimHook | undefined): Promise<Job[]> {
    if (!onClaim) return db.statement<Job>(sql, params)
    return db.transaction(
      async (tx) => {
        const jobs = await tx.all<Job>(sql, params)
        if (jobs.length > 0) await onClaim(tx, jobs)
        return jobs
      },
      { durable: false },
    )
  }

  /** When the next delayed job of the queue is due; null if not before the next poll. A busy queue is queried rarely. */
  async function msToNext(queue: string, nowMs: number): Promise<number | null> {
    const askedMs = askedForNext.get(queue) ?? Number.NEGATIVE_INFINITY
    if (performance.now() - askedMs < askForNextEveryMs) return askForNextEveryMs
    askedForNext.set(queue, performance.now())
    const next = await db.one<{ run_at: number | null }>(
      'select min(run_at) as run_at from jobs where queue = ? and worker is null and run_at > created_at',
      [queue],
    )
    const leftMs = (next?.run_at ?? Number.POSITIVE_INFINITY) - nowMs
    // A job that is due was locked by another worker, or belongs to a group with its full share.
    return leftMs > 0 && leftMs < pollMs ? leftMs : null
  }

  return claim
}

/** Whether some group or owner may get less than the whole claim. */
function boundsSome(limit: number, { ofOthers, left }: SharesLeft): boolean {
  return ofOthers < limit || Object.values(left).some((slots) => slots < limit)
}

/** Where no group or owner is bounded, the statement does not check each one. */
function leftRows(sql: Sql, limit: number, shares: SharesLeft) {
  const left = boundsSome(limit, shares) ? Object.entries(shares.left) : []
  return givenRows(
    sql,
    { name: 'text', left: 'bigint' },
    left.map(([name, slots]) => ({ name, left: slots })),
  )
}

/** The subjects of those jobs that can be claimed together, in order. */
function fitInto({ limit, groups, owners }: ClaimLimits, jobs: WaitingJob[]): string[] {
  const ofGroup = countDown(groups)
  const ofOwner = countDown(owners)
  const subjects: string[] = []
  for (const { subject, group, owner } of jobs) {
    if (subjects.length >= limit) break
    if (ofGroup.left(group) <= 0 || ofOwner.left(owner) <= 0) continue
    ofGroup.take(group)
    ofOwner.take(owner)
    subjects.push(subject)
  }
  return subjects
}

/** What is left of the shares while jobs are chosen. */
function countDown({ ofOthers, left, full }: SharesLeft) {
  const counts = new Map([...Object.entries(left), ...full.map((name): [string, number] => [name, 0])])
  const leftOf = (name: string) => counts.get(name) ?? ofOthers
  return { left: leftOf, take: (name: string) => void counts.set(name, leftOf(name) - 1) }
}

// `+run_at` keeps query planners on the index in serving order, instead of sorting all due jobs.
const dueSql = `select subject, group_name as "group", owner from jobs
  where queue = ? and worker is null and +run_at <= ? order by serving_order, subject limit ?`

const claimedColumns = 'subject, queue, group_name as "group", owner, claim, attempt, failures, crashes'

const claimTheseSql = (sql: Sql) => `update jobs set worker = ?, attempt = attempt + 1, claim = ?
  where ${anyOf(sql, 'subject')} and worker is null returning ${claimedColumns}`

/** A job that its group has no room for must not use up what is left for its owner: groups are bounded first. */
function claimSql(
  sql: Sql,
  { queue, nowMs, worker, lookAt }: { queue: string; nowMs: number; worker: string; lookAt: number },
  { limit, groups, owners }: ClaimLimits,
): { text: string; params: Param[] } {
  const [fullGroups, fullOwners] = [groups, owners].map(({ full }) =>
    givenRows(
      sql,
      { name: 'text' },
      full.map((name) => ({ name })),
    ),
  ) as [Given, Given]
  const leftOfGroups = leftRows(sql, limit, groups)
  const leftOfOwners = leftRows(sql, limit, owners)
  const text = `update jobs set worker = ?, attempt = attempt + 1, claim = ?
  from ${asyncCommit(sql)} where subject in (
  select subject from (
    select subject, serving_order, owner, row_number() over (partition by owner order by serving_order, subject) as place_of_owner from (
      select subject, owner, group_name, serving_order, row_number() over (partition by group_name order by serving_order, subject) as place
      from (
        select subject, owner, group_name, serving_order from jobs where queue = ? and worker is null and +run_at <= ?
        and group_name not in (select v_name from ${fullGroups.from})
        and owner not in (select v_name from ${fullOwners.from})
        order by serving_order, subject limit ? ${forUpdate(sql, 'skip locked')}) as candidates) as placed
    left join ${leftOfGroups.from} on v_name = group_name
    where place <= coalesce(v_left, ?)) as fitting
  left join ${leftOfOwners.from} on v_name = owner
  where place_of_owner <= coalesce(v_left, ?) order by serving_order, subject limit ?)
  returning ${claimedColumns}`
  const first = [worker, newToken(), queue, nowMs, ...fullGroups.params, ...fullOwners.params, lookAt]
  const bounds = [...leftOfGroups.params, groups.ofOthers, ...leftOfOwners.params, owners.ofOthers]
  return { text, params: [...first, ...bounds, limit] }
}
