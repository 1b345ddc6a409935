// What is measured of a queue or an app: how fast it takes work in, and how fast it is done with it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../../src/db/db.ts'

/**
 * Deleted at the end of the whole run: ext4 searches past recently deleted files whenever it creates one, so deleting
 * thousands of them would slow what is measured next.
 */
export function newDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dailies-bench-'))
  dataFolders.push(folder)
  return folder
}

const dataFolders: string[] = []
process.once('exit', () => {
  for (const folder of dataFolders) rmSync(folder, { recursive: true, force: true })
})

export interface Rates {
  /** Sent or accepted per second. */
  in: number
  /** Done or finished per second, from the first that was sent to the last that was done. */
  out: number
}

export const callers = 64

/** `count` calls by 64 callers. */
export async function callMany(count: number, call: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const caller = async () => {
    while (next < count) await call(next++)
  }
  await Promise.all(Array.from({ length: callers }, caller))
}

/** `allDone` returns when the last one was done, in epoch milliseconds. */
export async function measure(
  count: number,
  call: (i: number) => Promise<unknown>,
  allDone: () => Promise<number>,
): Promise<Rates> {
  const startMs = Date.now()
  await callMany(count, call)
  const inMs = Date.now() - startMs
  const endMs = await allDone()
  return { in: (count * 1000) / inMs, out: (count * 1000) / (endMs - startMs) }
}

/** Tasks, with the column that has the time when each was finished. */
interface Finished {
  db: Db
  column: string
}

/**
 * The rates of whole tasks. Before, about as many run on each worker: code that was loaded just now is slow, the more so
 * the more there is of it, and a service runs for weeks.
 */
export async function measureTasks(
  count: number,
  workerCount: number,
  create: (i: number) => Promise<unknown>,
  finished: Finished,
): Promise<Rates> {
  const before = count * workerCount
  await callMany(before, create)
  await untilFinished(finished, before)
  return measure(count, create, () => untilFinished(finished, before + count))
}

const withinMs = 300_000
const lookEveryMs = { least: 20, most: 500 }

/**
 * Waits until as many tasks are finished, and returns when the last one was. Counting costs a database as much as a task,
 * so the next look is halfway there.
 */
export async function untilFinished({ db, column }: Finished, total: number): Promise<number> {
  const startMs = performance.now()
  const sql = `select count(*) as count, max(${column}) as last from tasks where ${column} is not null`
  let first: number | undefined
  for (;;) {
    const { count, last } = (await db.one<{ count: number; last: number }>(sql))!
    if (count >= total) return last
    const tookMs = performance.now() - startMs
    if (tookMs > withinMs) throw new Error(`only ${count} of ${total} were done in time`)
    first ??= count
    const halfwayMs = ((total - count) / (count - first)) * (tookMs / 2)
    const waitMs = Number.isFinite(halfwayMs) ? Math.min(halfwayMs, lookEveryMs.most) : 0
    await new Promise((resolve) => setTimeout(resolve, Math.max(waitMs, lookEveryMs.least)))
  }
}
