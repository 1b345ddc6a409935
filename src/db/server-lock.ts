// Allows one server per data folder. The lock is SQLite's file lock on a file beside the database, so the kernel
// releases it however the process ends.
import { DatabaseSync } from 'node:sqlite'
import { OperatorError } from '../platform/errors.ts'

export function lockServer(path: string, folder: string): { release(): void } {
  const db = new DatabaseSync(path, { timeout: 0 })
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

/** Whether a server holds the lock at this moment. */
export function isServerRunning(path: string): boolean {
  try {
    lockServer(path, '').release()
    return false
  } catch (error) {
    if (error instanceof OperatorError) return true
    throw error
  }
}
