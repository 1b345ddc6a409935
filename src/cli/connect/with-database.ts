// Opens the configured database for one command, at the newest schema and with the operator's own key in it, and
// closes it again. Also who acts on it, for the audit log.
import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import { ensureFirstAccount } from '../../accounts/first-account.ts'
import { stateOfSecret } from '../../accounts/keys/read-keys.ts'
import type { Actor } from '../../audit/audit.ts'
import { type Config, readEnvironment } from '../../config.ts'
import type { Db } from '../../db/db.ts'
import { migrate, schemaState } from '../../db/migrate.ts'
import { openDatabase } from '../../db/open.ts'
import { createDatabaseClock } from '../../db/postgres/database-clock.ts'
import { type Clock, systemClock } from '../../platform/clock.ts'
import { OperatorError } from '../../platform/errors.ts'

/** `clock` is the one that the service itself goes by: PostgreSQL's own, or this machine's. */
export async function withDatabase<T>(config: Config, work: (db: Db, clock: Clock) => Promise<T>): Promise<T> {
  refuseNewDatabase(config)
  const db = await openDatabase(config)
  try {
    const clock = db.dialect === 'postgres' ? await databaseTime(db) : systemClock
    // Checked first, because migrating takes the write lock and the database is almost always up to date.
    const { missing, newer, unusable } = await schemaState(db)
    if (missing.length > 0 || newer?.isCompatible === false || unusable) await migrate(db, clock.now())
    if (config.apiKey !== null && (await stateOfSecret(db, config.apiKey)) === 'unknown') {
      // As a start of the service would: otherwise an account made now would be the first one.
      await ensureFirstAccount(db, {
        apiKey: config.apiKey,
        credits: config.credits,
        secretBox: config.secretBox,
        makeKey: false,
        by: commandLineActor(),
        nowMs: clock.now(),
      })
    }
    if (!(await db.one('select 1 as found from accounts limit 1'))) {
      process.stderr.write(
        `dailies: the database ${nameOf(config)} is empty; set DAILIES_DATA or DAILIES_DATABASE_URL as the service has it\n`,
      )
    }
    return await work(db, clock)
  } finally {
    await db.close()
  }
}

/** A command that was meant for the server of DAILIES_URL must not succeed on a database that it makes here. */
function refuseNewDatabase(config: Config): void {
  const isNamed = (readEnvironment().DAILIES_URL ?? '').trim() !== ''
  if (!isNamed || databaseExists(config)) return
  throw new OperatorError(
    `there is no database ${nameOf(config)}. For the server of DAILIES_URL, add --remote; otherwise unset DAILIES_URL`,
  )
}

/** An SQLite file is made by the first start; where PostgreSQL is configured, it is asked. */
export const databaseExists = (config: Config) => config.databaseUrl !== null || existsSync(nameOf(config))

/** Without the password. */
function nameOf({ databaseUrl, dataDir }: Config): string {
  if (databaseUrl === null) return resolve(dataDir, 'dailies.sqlite')
  const { host, pathname } = new URL(databaseUrl)
  return host + pathname
}

/** A command is over before it would have to be measured again. */
async function databaseTime(db: Db): Promise<Clock> {
  const clock = await createDatabaseClock(db)
  clock.stop()
  return clock
}

export function commandLineActor(): Actor {
  return { actor: `command line:${userName()}`, address: null }
}

/** A container may run as a user id that has no name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}
