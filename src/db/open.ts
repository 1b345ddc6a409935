// Opens the configured database: PostgreSQL if a URL is set, else SQLite in the data folder.
import { join } from 'node:path'
import { formatDuration } from '../platform/durations.ts'
import { OperatorError } from '../platform/errors.ts'
import { makeDataFolder } from './data-folder.ts'
import { type Db, Unreachable } from './db.ts'
import { isNotThereYet } from './postgres/failures.ts'
import { openPostgres } from './postgres/postgres.ts'
import { retryUntilWritable } from './retry.ts'
import { openSqlite } from './sqlite/sqlite.ts'

const connectionsMax = 10
/** The pool's connections and the listening connection. */
export const connectionsPerProcess = connectionsMax + 1

export async function openDatabase(
  config: { dataDir: string; databaseUrl: string | null; databaseDirectUrl?: string | null; cell?: string | null },
  options: { answerWithinMs?: number } = {},
): Promise<Db> {
  const { cell = null } = config
  if (config.databaseUrl === null) {
    makeDataFolder(config.dataDir)
    const path = join(config.dataDir, 'dailies.sqlite')
    try {
      return openSqlite(path, cell)
    } catch (error) {
      throw new OperatorError(`the database ${path} cannot be opened: ${(error as Error).message}`, { cause: error })
    }
  }
  try {
    return await openPostgres(config.databaseUrl, {
      connectionsMax,
      cell,
      directUrl: config.databaseDirectUrl,
      ...options,
    })
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`the database of DAILIES_DATABASE_URL does not respond: ${reasonOf(error)}`, {
      cause: error,
    })
  }
}

/** An address with several IPs that all refuse gives an error without a message. */
const reasonOf = (error: unknown) => (error as Error).message || (error as NodeJS.ErrnoException).code

const reportEveryMs = 5_000

interface StartWait {
  waitMs: number
  /** Called at the first failure, and then every few seconds. */
  onWait(message: string): void
}

/** Opens a database that may come up later than this process, as on a cluster that starts as a whole. */
export async function openWhenThere(open: () => Promise<Db>, { waitMs, onWait }: StartWait): Promise<Db> {
  const giveUpAtMs = performance.now() + waitMs
  let reportAtMs = 0
  const attempt = () =>
    open().catch((error) => {
      const isAway = error.cause !== undefined && isNotThereYet(error.cause)
      throw isAway ? new Unreachable(error.message, { cause: error }) : error
    })
  return retryUntilWritable(attempt, {
    givesUp: () => performance.now() >= giveUpAtMs,
    onRetry(error) {
      if (performance.now() < reportAtMs) return
      reportAtMs = performance.now() + reportEveryMs
      onWait(`${(error as Error).message}; it is waited for, up to ${formatDuration(waitMs)} (DAILIES_START_WAIT)`)
    },
  }).catch((error) => {
    if (!(error instanceof Unreachable)) throw error
    const waited = waitMs === 0 ? '' : `; it was waited for ${formatDuration(waitMs)} (DAILIES_START_WAIT)`
    throw new OperatorError(error.message + waited, { cause: error })
  })
}
