// Whether the database and the storage can be used, for readiness and metrics, which wait for neither.
import { DatabaseBusy } from '../../../db/db.ts'
import type { WriteHealth } from '../../../db/write-health.ts'
import type { Metrics } from '../../../metrics/metrics.ts'
import { keepLatest } from '../../../platform/loops/latest.ts'
import type { FileHealth } from '../../../storage/file-health.ts'

const limits = { everyMs: 1000, waitMs: 500, overdueMs: 8000 }

export function watchHealth(metrics: Metrics, writes: WriteHealth, files: FileHealth) {
  // A database whose connections are all in use is not away.
  const isSlow = (error: unknown) => error instanceof DatabaseBusy
  const database = keepLatest(() => writes.probe(), { ...limits, isSlow })
  const storage = keepLatest(() => files.check(), limits)
  metrics.watchUp('dailies_database_up', 'Whether the database responds and accepts writes.', database)
  metrics.watchUp('dailies_storage_up', 'Whether files can be stored.', storage)
  return { database, storage }
}
