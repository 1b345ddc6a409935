// The rows of jobs: inserted, found by their subjects, held by their claimers, completed. Who runs which job when is in
// sql-queue.ts.
import { forUpdate, inArray, inList, rowsFrom, rowsParam, type Sql, type Tx } from '../db/db.ts'
import { updateEach } from '../db/update-each.ts'
import type { Job, NewJob } from './queue.ts'

/**
 * The jobs about some subjects; takes the JSON array of the subjects twice. Jobs that an earlier release enqueued have
 * ids of their own.
 */
export function isAbout(sql: Sql): string {
  const others = `select id from jobs where ${inList(sql, 'subject')} and id <> subject`
  return sql.dialect === 'sqlite'
    ? `id in (select value from json_each(?) union all ${others})`
    : `id = any(array(select json_array_elements_text(?::json) union all ${others}))`
}

/** A new job waits for anyone to claim it. */
const newRow = (job: NewJob, nowMs: number) => ({
  queue: job.queue,
  group_name: job.group,
  owner: job.owner ?? '',
  order_no: job.order,
  run_at: nowMs + (job.delayMs ?? 0),
  attempt: job.attempt ?? 0,
  created_at: nowMs,
})

export async function insertJobs(tx: Tx, jobs: readonly NewJob[], nowMs: number): Promise<void> {
  // One index finds a job by its id and by its subject.
  const rows = jobs.map((job) => ({ id: job.subject, subject: job.subject, ...newRow(job, nowMs) }))
  await tx.insert('jobs', rows)
}

/** Writes less than deleting the jobs and inserting others. The caller has locked them. */
export async function replaceJobs(tx: Tx, jobs: readonly { job: Job; by: NewJob }[], nowMs: number): Promise<void> {
  await updateEach(
    tx,
    {
      table: 'jobs',
      columns: {
        held: 'text',
        queue: 'text',
        group_name: 'text',
        owner: 'text',
        order_no: 'double precision',
        run_at: 'bigint',
        attempt: 'bigint',
        created_at: 'bigint',
      },
      set: (
        own,
      ) => `queue = ${own.queue}, group_name = ${own.group_name}, owner = ${own.owner}, order_no = ${own.order_no},
        run_at = ${own.run_at}, attempt = ${own.attempt}, failures = 0, crashes = 0, lease_until = null, claim = null,
        created_at = ${own.created_at}`,
      where: (own) => `claim = ${own.held} and lease_until is not null`,
      areLocked: true,
    },
    jobs.map(({ job, by }) => ({ id: job.id, held: job.claim, ...newRow(by, nowMs) })),
  )
}

/**
 * Returns the jobs that their claimers still hold. Every process locks them in the same order, until its transaction
 * ends.
 */
export async function lockHeld(tx: Tx, jobs: readonly Job[]): Promise<Set<Job>> {
  if (jobs.length === 0) return new Set()
  const rows = await tx.all<{ id: string; claim: string }>(
    `select id, claim from jobs where ${inArray(tx, 'id')} and lease_until is not null order by id ${forUpdate(tx)}`,
    [JSON.stringify(jobs.map(({ id }) => id))],
  )
  return ofClaims(jobs, rows)
}

export async function completeAll(tx: Tx, jobs: readonly Job[]): Promise<Set<Job>> {
  if (jobs.length === 0) return new Set()
  const held = rowsFrom(tx, { v_id: 'text', v_claim: 'text' })
  const isHeld = `(id, claim) in (select v_id, v_claim from ${held}) and lease_until is not null`
  const rows = await tx.all<{ id: string; claim: string }>(
    tx.dialect === 'sqlite'
      ? `delete from jobs where ${isHeld} returning id, claim`
      : `delete from jobs where id = any(array(select id from jobs where ${isHeld} order by id for update))
         returning id, claim`,
    [rowsParam(jobs.map(({ id, claim }) => ({ v_id: id, v_claim: claim })))],
  )
  return ofClaims(jobs, rows)
}

function ofClaims(jobs: readonly Job[], rows: { id: string; claim: string }[]): Set<Job> {
  const claims = new Map(rows.map(({ id, claim }) => [id, claim]))
  return new Set(jobs.filter((job) => claims.get(job.id) === job.claim))
}

/** Which of the jobs we still hold; their leases now end at `untilMs`. */
export async function extendLeases(tx: Tx, held: Job[], untilMs: number): Promise<Set<Job>> {
  const kept = await lockHeld(tx, held)
  if (kept.size === 0) return kept
  const ids = JSON.stringify([...kept].map((job) => job.id))
  await tx.run(`update jobs set lease_until = ? where ${inList(tx, 'id')}`, [untilMs, ids])
  return kept
}
