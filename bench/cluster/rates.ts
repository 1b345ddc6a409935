// What is measured of a queue or an app: how fast it takes work in, and how fast it is done with it.
import type { Db } from '../../src/db/db.ts'

export interface Rates {
  /** Sent or accepted a second. */
  in: number
  /** Done or finished a second, from the first that was sent to the last that was done. */
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

export async function measure(
  count: number,
  call: (i: number) => Promise<unknown>,
  allDone: () => Promise<void>,
): Promise<Rates> {
  const startMs = performance.now()
  await callMany(count, call)
  const inMs = performance.now() - startMs
  await allDone()
  return { in: (count * 1000) / inMs, out: (count * 1000) / (performance.now() - startMs) }
}

const withinMs = 300_000

/** Waits until `countSql` counts as many; looking is cheap beside what is waited for. */
export async function untilCounted(db: Db, countSql: string, total: number): Promise<void> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const { count } = (await db.one<{ count: number }>(countSql))!
    if (count >= total) return
    if (performance.now() > deadline) throw new Error(`only ${count} of ${total} were done in time`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
