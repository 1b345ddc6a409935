// Opens the configured database: PostgreSQL if a URL is set, else SQLite in the data folder.
import { join } from 'node:path'
import { OperatorError } from '../platform/errors.ts'
import { makeDataFolder } from './data-folder.ts'
import type { Db } from './db.ts'
import { openPostgres } from './postgres/postgres.ts'
import { openSqlite } from './sqlite/sqlite.ts'

const connectionsMax = 10
/** The pool's connections and the listening connection. */
export const connectionsPerProcess = connectionsMax + 1

export async function openDatabase(
  config: { dataDir: string; databaseUrl: string | null; databaseDirectUrl?: string | null },
  options: { answerWithinMs?: number } = {},
): Promise<Db> {
  if (config.databaseUrl === null) {
    makeDataFolder(config.dataDir)
    const path = join(config.dataDir, 'dailies.sqlite')
    try {
      return openSqlite(path)
    } catch (error) {
      throw new OperatorError(`the database ${path} cannot be opened: ${(error as Error).message}`, { cause: error })
    }
  }
  try {
    return await openPostgres(config.databaseUrl, {
      connectionsMax,
      directUrl: config.databaseDirectUrl,
      ...options,
    })
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`the database of DAILIES_DATABASE_URL does not respond: ${(error as Error).message}`, {
      cause: error,
    })
  }
}
