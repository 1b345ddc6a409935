// What happens after a lost COMMIT: the connection broke before its response, so the transaction may or may not be durable.
import { CommitUnknown } from '../db/db.ts'

/**
 * A handler of the failures of a write, which may be repeated. From a lost COMMIT on, each failure may mean that the write was
 * stored: it is looked up. `findStored` returns undefined when nothing was stored.
 */
export function findAfterLostCommit<T>(findStored: () => Promise<T | undefined>): (error: unknown) => Promise<T> {
  let mayBeStored = false
  return async (error) => {
    mayBeStored ||= error instanceof CommitUnknown
    if (!mayBeStored) throw error
    const stored = await findStored().catch((cause) => {
      throw new CommitUnknown('a lost COMMIT could not be looked up', { cause })
    })
    if (stored === undefined) throw error
    return stored
  }
}
