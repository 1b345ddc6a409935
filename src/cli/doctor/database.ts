// The doctor's checks of the database: that it responds, its schema, its integrity, its clock and the number of waiting jobs.
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { checkLedger } from '../../account-data/check-ledger.ts'
import { countStaleSecrets } from '../../accounts/stored-secrets.ts'
import { readMaintenance } from '../../accounts/switches.ts'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/db.ts'
import { schemaState } from '../../db/migrate.ts'
import { openDatabase } from '../../db/open.ts'
import { serverTimeSql } from '../../db/postgres/database-clock.ts'
import { queueDepths } from '../../queue/depths.ts'
import { countText, ownersText } from '../terminal/print.ts'
import { type Check, fine, problem, warning } from './checks.ts'
import { checkPostgres, checkRights } from './postgres.ts'

export async function checkDatabase(config: Config, nowMs: number): Promise<Check[]> {
  const file = join(config.dataDir, 'dailies.sqlite')
  if (config.databaseUrl === null && !existsSync(file)) {
    return [fine('database', 'SQLite; the first start creates it'), ...checkClock(nowMs, null)]
  }
  let db: Db
  try {
    db = await openDatabase(config)
  } catch (error) {
    const advice =
      config.databaseUrl === null
        ? `look at ${file}; if it is not a Dailies database, set DAILIES_DATA to another folder`
        : 'check DAILIES_DATABASE_URL, and that PostgreSQL runs and lets this machine in'
    return [problem('database', (error as Error).message, advice)]
  }
  try {
    return await checkOpen(db, config, file, nowMs)
  } catch (error) {
    const advice =
      config.databaseUrl === null
        ? 'restore it from a backup, or set DAILIES_DATA to another folder'
        : 'look at the log of PostgreSQL, and at the rights of the role of DAILIES_DATABASE_URL'
    return [problem('database', (error as Error).message, advice)]
  } finally {
    await db.close()
  }
}

async function checkOpen(db: Db, config: Config, file: string, nowMs: number): Promise<Check[]> {
  const lacking = db.dialect === 'postgres' ? await checkRights(db) : null
  if (lacking) return [lacking]
  const { version, missing, newer, unusable } = await schemaState(db)
  const checks = [await checkSoundness(db, file)]
  if (unusable) return [...checks, problem('schema', unusable.message, unusable.advice)]
  if (newer && !newer.isCompatible) {
    const message = `the database has schema ${newer.version}, which is newer than this program`
    return [...checks, problem('schema', message, 'run a newer version of Dailies')]
  }
  if (missing.length > 0) {
    const message = `${countText(missing.length, 'migration')} to be applied`
    return [...checks, warning('schema', message, 'run dailies migrate; a start of the service does it too')]
  }
  return [
    ...checks,
    newer
      ? warning('schema', `${version}, of a newer release that this one can work beside`, 'upgrade this machine too')
      : fine('schema', `up to date (${version})`),
    ...checkClock(nowMs, await databaseTimes(db)),
    await checkBooks(db),
    await checkSecrets(db, config),
    ...(await checkQueues(db, nowMs)),
    ...(db.dialect === 'postgres' ? await checkPostgres(db, config, nowMs) : []),
  ]
}

async function checkSecrets(db: Db, { secretBox }: Config): Promise<Check> {
  const { stale, unreadable } = await countStaleSecrets(db, secretBox)
  if (unreadable > 0) {
    const message = `those of ${ownersText(unreadable)} are encrypted with a key that is not set: their callbacks cannot be signed`
    return problem('secrets', message, 'set DAILIES_SECRET_KEY (or _OLD) as it was, in every process')
  }
  if (!secretBox.encrypts) {
    const advice = 'set DAILIES_SECRET_KEY (openssl rand -base64 32) and run dailies secrets encrypt'
    return warning('secrets', 'stored as they are: DAILIES_SECRET_KEY is not set', advice)
  }
  return stale === 0
    ? fine('secrets', 'encrypted with DAILIES_SECRET_KEY')
    : warning(
        'secrets',
        `those of ${ownersText(stale)} are not encrypted with DAILIES_SECRET_KEY`,
        'run dailies secrets encrypt',
      )
}

// A full check of a larger file would take too long; the report says that it was skipped.
const wholeCheckBytesMax = 2 ** 30

async function checkSoundness(db: Db, file: string): Promise<Check> {
  if (db.dialect === 'postgres') {
    const row = await db.one<{ version: string }>(`select current_setting('server_version') as version`)
    return fine('database', `PostgreSQL ${row!.version} responds`)
  }
  if (statSync(file).size > wholeCheckBytesMax)
    return fine('database', `SQLite in ${file} (too large to check every page)`)
  const row = await db.one<{ quick_check: string }>('PRAGMA quick_check(1)')
  return row?.quick_check === 'ok'
    ? fine('database', `SQLite in ${file}`)
    : problem('database', `SQLite in ${file} is damaged: ${row?.quick_check}`, 'stop the service and restore a backup')
}

interface DatabaseTimes {
  /** The database server's clock; null where it is our own. */
  serverMs: number | null
  /** When the newest entry was written. */
  newestMs: number | null
}

async function databaseTimes(db: Db): Promise<DatabaseTimes> {
  const newest = await db.one<{ at: number | null }>(
    'select max(at) as at from (select max(created_at) as at from ledger union all select max(applied_at) as at from schema_migrations) as times',
  )
  const server = db.dialect === 'postgres' ? await db.one<{ ms: number }>(serverTimeSql) : undefined
  return { serverMs: server?.ms ?? null, newestMs: newest?.at ?? null }
}

const earliestMs = Date.UTC(2025, 0, 1)
const clockToleranceMs = 5000

/** Expiry, limits and the order of ids follow the clock. */
export function checkClock(nowMs: number, times: DatabaseTimes | null): Check[] {
  const advice = 'set the clock of this machine, best by NTP'
  const shown = new Date(nowMs).toISOString().slice(0, 19)
  if (nowMs < earliestMs) return [problem('clock', `says ${shown}, which cannot be`, advice)]
  if (times?.serverMs != null && Math.abs(nowMs - times.serverMs) > clockToleranceMs) {
    const apartS = Math.round(Math.abs(nowMs - times.serverMs) / 1000)
    return [problem('clock', `is ${apartS} s apart from the database server's`, advice)]
  }
  if (times?.newestMs != null && times.newestMs - nowMs > clockToleranceMs) {
    const newest = new Date(times.newestMs).toISOString().slice(0, 19)
    return [problem('clock', `says ${shown}, but the newest entry was written at ${newest} (UTC)`, advice)]
  }
  return [fine('clock', `${shown} UTC`)]
}

async function checkBooks(db: Db): Promise<Check> {
  const { ok, problems } = await checkLedger(db)
  return ok
    ? fine('ledger', 'balances')
    : problem('ledger', `does not balance: ${problems[0]}`, 'run dailies ledger check for all of it, and report it')
}

const oldestJobMs = 10 * 60_000

async function checkQueues(db: Db, nowMs: number): Promise<Check[]> {
  const depths = await queueDepths(db, nowMs)
  const waiting = depths.reduce((sum, depth) => sum + depth.waiting, 0)
  const running = depths.reduce((sum, depth) => sum + depth.running, 0)
  const oldestMs = Math.max(0, ...depths.map((depth) => depth.oldestMs))
  const message = `${countText(waiting, 'job')} waiting, ${running} running`
  return [
    oldestMs > oldestJobMs
      ? warning(
          'queue',
          `${message}; the oldest has been due for ${Math.round(oldestMs / 60_000)} minutes`,
          'if no server runs, start one; if one does, give it more DAILIES_RENDER_SLOTS or another machine',
        )
      : fine('queue', message),
    ...((await readMaintenance(db))
      ? [warning('maintenance', 'is on: new work is refused', 'run dailies maintenance off when you are done')]
      : []),
  ]
}
