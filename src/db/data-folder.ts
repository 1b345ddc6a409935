// Creates the data folder if it does not exist, and reports clearly when it cannot be used.
import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { OperatorError } from '../platform/errors.ts'

export function makeDataFolder(dataDir: string): void {
  try {
    makeFolder(resolve(dataDir))
    closeToOthers(dataDir)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const sentence = `DAILIES_DATA is ${dataDir}, which is not a writable folder (${code})`
    throw new OperatorError(sentence, { cause: error })
  }
}

/** A folder made by hand may be open to all users of the machine. One that belongs to another user stays as it is. */
function closeToOthers(dataDir: string): void {
  const { mode, uid } = statSync(dataDir)
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(dataDir, 0o700)
}

/** Creates one level at a time: Node's `recursive` never returns where folders cannot be created, as in /proc. */
function makeFolder(path: string): void {
  if (isFolder(path)) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // Another process may have created it just now.
    if (!isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
