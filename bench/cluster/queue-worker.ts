// A worker process of bench/cluster/queues.ts: works jobs that do nothing, on our queue or on pg-boss, and says how many.
import { PgBoss } from 'pg-boss'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { silentLogger } from '../../src/platform/logger.ts'
import { createSqlQueue } from '../../src/queue/sql-queue.ts'

const [kind, url] = process.argv.slice(2) as ['ours' | 'pg-boss', string]
let done = 0
let told = 0
const tell = setInterval(() => {
  if (done === told) return
  told = done
  process.send!({ done })
}, 5)
process.once('disconnect', () => process.exit(0))

if (kind === 'ours') {
  const db = await openPostgres(url, { connectionsMax: 10 })
  const queue = createSqlQueue({
    db,
    clock: systemClock,
    log: silentLogger,
    about: { role: 'worker', release: 'bench' },
  })
  queue.work('bench', { slots: 64, retryDelayMs: 1000 }, async () => {
    done++
    return 'done'
  })
} else {
  const boss = new PgBoss({ connectionString: url, max: 10, useListenNotify: true })
  boss.on('error', () => {})
  await boss.start()
  const options = { batchSize: 64, burstWhenBatchFull: true, localConcurrency: 2, pollingIntervalSeconds: 0.5 }
  await boss.work('bench', options, async (jobs: unknown[]) => {
    done += jobs.length
  })
}
process.send!({ ready: true, keep: tell.hasRef() })
