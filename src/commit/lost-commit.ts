// What happens after a lost COMMIT: the connection broke before its response, so the transaction may or may not be durable.
import { CommitUnknown } from '../db/db.ts'

/**
 * A write that may be called again, and is looked up after each failure that follows a lost COMMIT: when an earlier call was
 * stored after all, a later one fails because of that. `findStored` returns undefined when nothing was stored.
 */
export function foundAfterLostCommit<T>(
  write: () => Promise<T>,
  findStored: () => Promise<T | undefined>,
): () => Promise<T> {
  let mayBeStored = false
  return async () => {
    try {
      return await write()
    } catch (error) {
      mayBeStored ||= error instanceof CommitUnknown
      if (!mayBeStored) throw error
      const stored = await findStored().catch((cause) => {
        throw new CommitUnknown('a lost COMMIT could not be looked up', { cause })
      })
      if (stored === undefined) throw error
      return stored
    }
  }
}
