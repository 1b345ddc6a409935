// Allows one server per data folder. The lock is SQLite's file lock on a file beside the database, so the kernel
// releases it however the process ends.
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { OperatorError } from '../../platform/errors.ts'

// Commands that only look whether a server runs hold the file for less than a millisecond.
const probeEndsWithinMs = 1000

export function lockServer(path: string, folder: string): { release(): void } {
  const db = new DatabaseSync(path, { timeout: probeEndsWithinMs })
  try {
    db.exec('PRAGMA locking_mode = exclusive; BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    throw new OperatorError(
      `another server already runs on the data folder ${folder}; stop it, or set DAILIES_DATA to another folder`,
      { cause: error },
    )
  }
  return { release: () => db.close() }
}

const sqliteBusy = 5

/** Whether a server holds the lock at this moment. Reading takes a shared lock, so that probes do not see each other. */
export function isServerRunning(path: string): boolean {
  if (!existsSync(path)) return false
  const db = new DatabaseSync(path, { timeout: 0, readOnly: true })
  try {
    db.exec('SELECT count(*) FROM sqlite_schema')
    return false
  } catch (error) {
    if ((error as { errcode?: number }).errcode === sqliteBusy) return true
    throw error
  } finally {
    db.close()
  }
}
