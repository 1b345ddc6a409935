// Repeats a write while the database accepts none.
import { setTimeout as sleep } from 'node:timers/promises'
import { isWriteFailure } from './write-health.ts'

const everyMs = 1000

/**
 * Rejects with an error that is not about writing, or for which `givesUp` returns true. Before each repetition,
 * `onFailure` gets the error.
 */
export async function untilWritten<T>(
  write: () => Promise<T>,
  { givesUp, onFailure }: { givesUp(error: unknown): boolean; onFailure(error: unknown): void },
): Promise<T> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (!isWriteFailure(error) || givesUp(error)) throw error
      onFailure(error)
    }
    await sleep(everyMs)
  }
}
