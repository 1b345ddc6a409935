// The data folder: made if it is not there, and refused in words if it cannot be used.
import { accessSync, constants, mkdirSync } from 'node:fs'
import { OperatorError } from '../platform/errors.ts'

export function makeDataFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true })
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const sentence = `DAILIES_DATA names ${dataDir}, which is not a folder that can be written to (${code})`
    throw new OperatorError(sentence, { cause: error })
  }
}
