// The rows of jobs: inserted, found by their subjects, held by their claimers, completed. Who runs which job when is in
// sql-queue.ts.
import { anyIn, anyOf, forUpdate, type Tx } from '../db/db.ts'
import { givenRows } from '../db/given-rows.ts'
import { updateEach } from '../db/update-each.ts'
import type { Job, NewJob } from './queue.ts'

/** Selects the subjects of the jobs that workers hold: few, however many wait. */
export const heldSubjects = 'select subject from jobs where lease_until is not null'

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
        run_at = ${own.run_at}, attempt = ${own.attempt}, failures = 0, crashes = 0, lease_until = null, claim = null,
        created_at = ${own.created_at}`,
      where: (own) => `claim = ${own.held} and lease_until is not null`,
      areLocked: true,
    },
    jobs.map(({ job, by }) => ({ id: job.subject, held: job.claim, ...newRow(by, nowMs) })),
  )
}

/**
 * Returns the jobs that their claimers still hold. Every process locks them in the same order, until its transaction
 * ends.
 */
export async function lockHeld(tx: Tx, jobs: readonly Job[]): Promise<Set<Job>> {
  if (jobs.length === 0) return new Set()
  const rows = await tx.all<Held>(
    `select subject, claim from jobs where ${anyOf(tx, 'subject')} and lease_until is not null
     order by subject ${forUpdate(tx)}`,
    [JSON.stringify(jobs.map(({ subject }) => subject))],
  )
  return ofClaims(jobs, rows)
}

export async function completeAll(tx: Tx, jobs: readonly Job[]): Promise<Set<Job>> {
  if (jobs.length === 0) return new Set()
  const held = givenRows(
    tx,
    { subject: 'text', claim: 'text' },
    jobs.map(({ subject, claim }) => ({ subject, claim })),
  )
  const ours = `select subject from jobs where (subject, claim) in (select v_subject, v_claim from ${held.from})
    and lease_until is not null order by subject ${forUpdate(tx)}`
  const rows = await tx.all<Held>(
    `delete from jobs where ${anyIn(tx, 'subject', ours)} returning subject, claim`,
    held.params,
  )
  return ofClaims(jobs, rows)
}

type Held = Pick<Job, 'subject' | 'claim'>

function ofClaims(jobs: readonly Job[], rows: Held[]): Set<Job> {
  const claims = new Map(rows.map(({ subject, claim }) => [subject, claim]))
  return new Set(jobs.filter((job) => claims.get(job.subject) === job.claim))
}

/** Which of the jobs we still hold; their leases now end at `untilMs`. */
export async function extendLeases(tx: Tx, held: Job[], untilMs: number): Promise<Set<Job>> {
  const kept = await lockHeld(tx, held)
  if (kept.size === 0) return kept
  const subjects = JSON.stringify([...kept].map((job) => job.subject))
  await tx.run(`update jobs set lease_until = ? where ${anyOf(tx, 'subject')}`, [untilMs, subjects])
  return kept
}
