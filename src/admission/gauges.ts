// Gauges of admission and of the database connections that it waits for.
import type { Db } from '../db/db.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Admission } from './admission.ts'

export function watchAdmission(metrics: Metrics, db: Db, admission: Admission): void {
  metrics.watch('dailies_admission_batch_seconds', 'How long the current batch of creations has been running.', () => {
    return admission.batchAgeMs / 1000
  })
  db.onConnectionWait?.((waitedMs) => metrics.databaseWait(waitedMs / 1000))
  const { connections } = db
  if (!connections) return
  metrics.watch('dailies_database_connections', 'Open connections to PostgreSQL.', () => connections().open)
  metrics.watch('dailies_database_waiting', 'Callers that wait for a connection.', () => connections().waiting)
}
