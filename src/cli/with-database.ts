// Opens the configured database for one command, at the newest schema, and closes it again.
import type { Config } from '../config.ts'
import type { Db } from '../db/db.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'

export async function withDatabase<T>(config: Config, work: (db: Db) => Promise<T>): Promise<T> {
  const db = await openDatabase(config)
  try {
    await migrate(db, Date.now())
    return await work(db)
  } finally {
    await db.close()
  }
}
