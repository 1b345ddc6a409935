// What one whole task costs PostgreSQL, at 64 in flight: statements, by name, and bytes of its write-ahead log.

import { openPostgres } from '../../src/db/postgres.ts'
import { createTestDatabase } from '../../test/support/places/postgres.ts'
import { startTasks, type TaskSubject } from './our-tasks.ts'
import { callers } from './rates.ts'
import { countStatements } from './statement-counter.ts'

export interface Cost {
  statements: number
  walBytes: number
  /** Statements per task by name, most frequent first. */
  byName: [string, number][]
}

export async function costOfTasks(taskCount: number, subject: TaskSubject): Promise<Cost> {
  const database = await createTestDatabase()
  const counter = await countStatements(database.url)
  const service = await startTasks(counter.url, subject)
  const db = await openPostgres(database.url, { connectionsMax: 1 })
  const walAt = async () => (await db.one<{ at: number }>(`select pg_current_wal_insert_lsn() - '0/0' as at`))!.at
  const finished = async () => {
    const sql = 'select count(*) as count from tasks where completed_at is not null'
    return (await db.one<{ count: number }>(sql))!.count
  }
  const run = async (from: number, count: number) => {
    const to = from + count
    let next = from
    for (let done = from; done < to; done = await finished()) {
      const free = Math.min(callers - (next - done), to - next)
      await Promise.all(Array.from({ length: free }, () => service.create(next++)))
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  }
  // Connections are opened and statements prepared by the first tasks.
  await run(0, 2 * callers)
  const before = new Map(counter.counts)
  const walBefore = await walAt()
  await run(2 * callers, taskCount)
  const walBytes = ((await walAt()) - walBefore) / taskCount
  const byName = [...counter.counts]
    .map(([name, count]): [string, number] => [name, (count - (before.get(name) ?? 0)) / taskCount])
    .sort(([, a], [, b]) => b - a)
  await db.close()
  await service.stop()
  await counter.stop()
  await database.stop()
  return { statements: byName.reduce((sum, [, count]) => sum + count, 0), walBytes, byName }
}
