// The rows of jobs: inserted, found by their subjects, held by their claimers, put back, taken back, completed. Which of
// them a worker gets is in claim.ts.
import { anyIn, anyOf, forUpdate, type Sql, type Tx } from '../db/db.ts'
import { givenRows } from '../db/given-rows.ts'
import { updateEach } from '../db/update-each.ts'
import type { Job, NewJob } from './queue.ts'

/** Selects the subjects of the jobs that workers hold: few, however many wait. */
export const heldSubjects = 'select subject from jobs where worker is not null'

/** A new job waits for anyone to claim it. */
const newRow = (job: NewJob, nowMs: number) => ({
  queue: job.queue,
  group_name: job.group,
  owner: job.owner ?? '',
  serving_order: job.order,
  run_at: nowMs + (job.delayMs ?? 0),
  attempt: job.attempt ?? 0,
  created_at: nowMs,
})

export async function insertJobs(tx: Tx, jobs: readonly NewJob[], nowMs: number): Promise<void> {
  await tx.insert(
    'jobs',
    jobs.map((job) => ({ subject: job.subject, ...newRow(job, nowMs) })),
  )
}

/** Writes less than deleting the jobs and inserting others. The caller has locked them. */
export async function replaceJobs(tx: Tx, jobs: readonly { job: Job; by: NewJob }[], nowMs: number): Promise<void> {
  await updateEach(
    tx,
    {
      table: 'jobs',
      by: 'subject',
      columns: {
        held: 'text',
        queue: 'text',
        group_name: 'text',
        owner: 'text',
        serving_order: 'double precision',
        run_at: 'bigint',
        attempt: 'bigint',
        created_at: 'bigint',
      },
      set: (
        own,
      ) => `queue = ${own.queue}, group_name = ${own.group_name}, owner = ${own.owner}, serving_order = ${own.serving_order},
        run_at = ${own.run_at}, attempt = ${own.attempt}, failures = 0, crashes = 0, worker = null, claim = null,
        created_at = ${own.created_at}`,
      where: (own) => `claim = ${own.held}`,
      areLocked: true,
    },
    jobs.map(({ job, by }) => ({ id: job.subject, held: job.claim, ...newRow(by, nowMs) })),
  )
}

/**
 * Returns the jobs that their claimers still hold. Every process locks them in the same order, until its transaction
 * ends.
 */
export async function lockClaimed(tx: Tx, jobs: readonly Job[]): Promise<Set<Job>> {
  if (jobs.length === 0) return new Set()
  const rows = await tx.all<Held>(
    `select subject, claim from jobs where ${anyOf(tx, 'subject')} and worker is not null
     order by subject ${forUpdate(tx)}`,
    [JSON.stringify(jobs.map(({ subject }) => subject))],
  )
  return ofClaims(jobs, rows)
}

export async function completeJobs(tx: Tx, jobs: readonly Job[]): Promise<Set<Job>> {
  if (jobs.length === 0) return new Set()
  const held = isHeldBy(tx, jobs)
  const ours = `select subject from jobs where ${held.where} order by subject ${forUpdate(tx)}`
  const rows = await tx.all<Held>(
    `delete from jobs where ${anyIn(tx, 'subject', ours)} returning subject, claim`,
    held.params,
  )
  return ofClaims(jobs, rows)
}

/** Selects the jobs that are still held by these claims. */
function isHeldBy(sql: Sql, claims: readonly Held[]) {
  const { from, params } = givenRows(
    sql,
    { subject: 'text', claim: 'text' },
    claims.map(({ subject, claim }) => ({ subject, claim })),
  )
  return { where: `(subject, claim) in (select v_subject, v_claim from ${from})`, params }
}

export type Held = Pick<Job, 'subject' | 'claim'>

function ofClaims(jobs: readonly Job[], rows: readonly Held[]): Set<Job> {
  const claims = new Map(rows.map(({ subject, claim }) => [subject, claim]))
  return new Set(jobs.filter((job) => claims.get(job.subject) === job.claim))
}

export interface Release {
  delayMs: number
  nowMs: number
  /** What is added to the job's claims and failures. */
  claims?: number
  failures?: number
  /** Whether its crashes are still in a row. */
  keepsCrashes?: boolean
  /** Another place in the serving order. */
  order?: number | undefined
}

export async function putBack(sql: Sql, job: Job, to: Release): Promise<void> {
  await sql.run(
    `update jobs set worker = null, claim = null, run_at = ?, attempt = attempt + ?, failures = failures + ?,
       crashes = case when ? = 1 then crashes else 0 end, serving_order = coalesce(?, serving_order)
     where subject = ? and claim = ?`,
    [
      to.nowMs + to.delayMs,
      to.claims ?? 0,
      to.failures ?? 0,
      to.keepsCrashes ? 1 : 0,
      to.order ?? null,
      job.subject,
      job.claim,
    ],
  )
}

/**
 * Up to how long a job waits after so many crashes in a row. Jobs that crashed together start apart, so that those that
 * only ran beside the cause of the crashes end before it is run again.
 */
const apartMs: Record<number, number> = { 2: 10_000, 3: 30_000, 4: 60_000 }

export type TakenBack = Pick<Job, 'queue' | 'subject' | 'crashes'>

/**
 * Frees claimed jobs whose worker crashed or hung, or does not know of them: all of these workers', or those of these
 * claims. Locked jobs are left for the next time: a worker that hangs in a transaction must not delay the heartbeat of
 * all others. `random` returns 0 to 1.
 */
export async function takeBack(
  tx: Tx,
  of: { workers: readonly string[] } | { claims: readonly Held[] },
  { nowMs, random }: { nowMs: number; random(): number },
): Promise<TakenBack[]> {
  if (('workers' in of ? of.workers : of.claims).length === 0) return []
  const held =
    'workers' in of ? { where: anyOf(tx, 'worker'), params: [JSON.stringify(of.workers)] } : isHeldBy(tx, of.claims)
  const freed = await tx.all<TakenBack>(
    `update jobs set worker = null, claim = null, crashes = crashes + 1 where subject in (
       select subject from jobs where ${held.where} order by subject ${forUpdate(tx, 'skip locked')})
     returning queue, subject, crashes`,
    held.params,
  )
  const delayed = freed.flatMap(({ subject, crashes }) => {
    const delayMs = Math.round((apartMs[crashes] ?? 0) * random())
    return delayMs > 0 ? [{ id: subject, run_at: nowMs + delayMs }] : []
  })
  await updateEach(
    tx,
    {
      table: 'jobs',
      by: 'subject',
      columns: { run_at: 'bigint' },
      set: (own) => `run_at = ${own.run_at}`,
      areLocked: true,
    },
    delayed,
  )
  return freed
}
