// Gauges of the work of all processes: workers of each queue, queues that none serves, open tasks, and the disk of this
// process. They are read in the background of a scrape, which never waits for the database.
import { pausedQueues } from '../../accounts/switches.ts'
import type { Admission } from '../../admission/admission.ts'
import type { Db } from '../../db/db.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { Clock } from '../../platform/clock.ts'
import { keepLatest } from '../../platform/loops/latest.ts'
import { queueStates, waitingQueues } from '../../queue/depths.ts'
import { listWorkers } from '../../queue/workers.ts'
import { diskOf } from '../../storage/disk.ts'

interface GaugeDeps {
  db: Db
  clock: Clock
  metrics: Metrics
  dataDir: string
  /** The queues of this configuration. */
  queues(): readonly string[]
}

/** Counting more would take too long. */
const openMax = 100_000

/** Everyone may read the metrics, as often as they like. */
const limits = { everyMs: 1000, waitMs: 500, overdueMs: 8000 }

export function watchWork({ db, clock, metrics, dataDir, queues }: GaugeDeps): void {
  const workers = metrics.gauge('dailies_queue_workers', 'Live workers that serve a queue.', ['queue'])
  const unserved = metrics.gauge('dailies_queue_unserved', 'Whether jobs wait in a queue that no live worker serves.', [
    'queue',
  ])
  const paused = metrics.gauge('dailies_queue_paused', 'Whether an operator has paused a queue.', ['queue'])
  const open = metrics.gauge('dailies_open_tasks', `Tasks that have not ended, counted up to ${openMax}.`, [])
  const read = async () => {
    const [waiting, processes, pausedNow, tasks] = await Promise.all([
      waitingQueues(db),
      listWorkers(db, clock.now()),
      pausedQueues(db),
      countOpen(db),
    ])
    const states = queueStates({
      depths: [],
      workers: processes,
      paused: pausedNow,
      configured: [...queues(), ...waiting],
    })
    return { waiting: new Set(waiting), states, tasks }
  }
  metrics.watchLatest(keepLatest(read, limits), ({ value }) => {
    if (!value) return
    for (const gauge of [workers, unserved, paused]) gauge.reset()
    for (const state of value.states) {
      const labels = { queue: state.queue }
      workers.set(labels, state.workers)
      unserved.set(labels, state.workers === 0 && value.waiting.has(state.queue) ? 1 : 0)
      paused.set(labels, state.paused ? 1 : 0)
    }
    open.set(value.tasks)
  })

  const free = metrics.gauge('dailies_disk_free_bytes', 'Free space of the disk of the data folder.', [])
  const total = metrics.gauge('dailies_disk_total_bytes', 'Size of the disk of the data folder.', [])
  metrics.watchLatest(
    keepLatest(() => diskOf(dataDir), limits),
    ({ value }) => {
      if (!value) return
      free.set(value.freeBytes)
      total.set(value.totalBytes)
    },
  )
}

async function countOpen(db: Db): Promise<number> {
  const row = await db.one<{ open: number }>(
    `select count(*) as open from (select 1 from tasks where completed_at is null limit ${openMax}) as counted`,
  )
  return row!.open
}

/** Admission, and the database connections that it waits for. */
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
