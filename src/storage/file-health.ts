// Whether files can be stored. They are made in the work folder and kept in the storage, which may be on different disks.
import type { Storage } from './storage.ts'
import type { WorkFolder } from './work-folder.ts'

export interface FileHealth {
  /** Rejects while files cannot be stored. Looks at most once per second, however often it is called. */
  check(): Promise<void>
}

const checkEveryMs = 1_000

export function watchFiles(storage: Storage, workFolder: WorkFolder): FileHealth {
  let latest: { atMs: number; result: Promise<unknown> } | null = null
  return {
    async check() {
      const nowMs = performance.now()
      if (latest === null || nowMs - latest.atMs >= checkEveryMs) {
        latest = { atMs: nowMs, result: Promise.all([storage.check(), workFolder.check()]) }
      }
      await latest.result
    },
  }
}
