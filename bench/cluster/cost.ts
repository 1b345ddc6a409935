// What one whole task costs PostgreSQL, at 64 in flight: statements, by name, and bytes of its write-ahead log, by what
// was written.
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { createTestDatabase } from '../../test/support/places/postgres.ts'
import { startTasks, type TaskSubject } from './our-tasks.ts'
import { callers } from './rates.ts'
import { countStatements } from './statement-counter.ts'
import { type WalPart, walBytesBetween, walParts, walPosition } from './wal.ts'

export interface Cost {
  statements: number
  walBytes: number
  /** Statements per task by name, most frequent first. */
  byName: [string, number][]
  /** The largest parts of the log, per task; empty unless asked for. */
  wal: WalPart[]
}

const walPartsMax = 30

export async function costOfTasks(taskCount: number, subject: TaskSubject, isDetailed = false): Promise<Cost> {
  const database = await createTestDatabase()
  const counter = await countStatements(database.url)
  const service = await startTasks(counter.url, subject)
  const db = await openPostgres(database.url, { connectionsMax: 1 })
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
  const from = await walPosition(db)
  await run(2 * callers, taskCount)
  const to = await walPosition(db)
  const walBytes = (await walBytesBetween(db, from, to)) / taskCount
  const byName = [...counter.counts]
    .map(([name, count]): [string, number] => [name, (count - (before.get(name) ?? 0)) / taskCount])
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
  const parts = isDetailed ? (await walParts(db, from, to)).slice(0, walPartsMax) : []
  const wal = parts.map(({ name, records, bytes }) => ({
    name,
    records: records / taskCount,
    bytes: bytes / taskCount,
  }))
  await db.close()
  await service.stop()
  await counter.stop()
  await database.stop()
  return { statements: byName.reduce((sum, [, count]) => sum + count, 0), walBytes, byName, wal }
}
