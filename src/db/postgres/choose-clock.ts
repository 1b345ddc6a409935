// Which clock a process goes by.
import { type Clock, systemClock } from '../../platform/clock.ts'
import type { Db } from '../db.ts'
import { createDatabaseClock } from './database-clock.ts'

/** Processes that share a PostgreSQL server use its clock. */
export async function chooseClock(db: Db, override: Clock | undefined): Promise<{ clock: Clock; stopClock(): void }> {
  if (override || db.dialect === 'sqlite') return { clock: override ?? systemClock, stopClock() {} }
  const clock = await createDatabaseClock(db)
  return { clock, stopClock: clock.stop }
}
