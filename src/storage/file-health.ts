// Whether files can be stored. They are made in the work folder and kept in the storage, which may be on different disks.
import type { Storage } from './storage.ts'
import type { WorkFolder } from './work-folder.ts'

export interface FileHealth {
  /** Rejects while files cannot be stored. Looks at most once per second, however often it is called. */
  check(): Promise<void>
  canStore(): Promise<boolean>
  /** How long to take no work that stores files: 0 unless the latest check failed and would fail again. */
  pauseMs(): Promise<number>
}

const checkEveryMs = 1_000

export function watchFiles(storage: Storage, workFolder: WorkFolder): FileHealth {
  let latest: { atMs: number; result: Promise<unknown> } | null = null
  let hasFailed = false

  async function check(): Promise<void> {
    const nowMs = performance.now()
    if (latest === null || nowMs - latest.atMs >= checkEveryMs) {
      latest = { atMs: nowMs, result: Promise.all([storage.check(), workFolder.check()]) }
    }
    try {
      await latest.result
      hasFailed = false
    } catch (error) {
      hasFailed = true
      throw error
    }
  }

  const canStore = () =>
    check().then(
      () => true,
      () => false,
    )

  return {
    check,
    canStore,
    // A check may take as long as a request to S3, so work waits for one only after a failure.
    pauseMs: async () => (!hasFailed || (await canStore()) ? 0 : checkEveryMs),
  }
}
