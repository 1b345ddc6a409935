// Prometheus metrics. Labels never carry an account, a key or a URL.
import { Gauge, Registry } from 'prom-client'
import packageJson from '../../package.json' with { type: 'json' }
import { countedJobsMax } from '../contract/operator.ts'
import { keepLatest, type Latest } from '../platform/loops/latest.ts'
import type { Queue } from '../queue/queue.ts'
import { watchChildPools } from './child-pools.ts'
import { metricsIn } from './registered.ts'
import { createHttpMetrics, type HttpMetrics } from './requests.ts'

export interface Metrics extends HttpMetrics {
  attempt(engine: string, result: string): void
  /** The outcome of an attempt at a callback. */
  callback(result: string): void
  /** The input files of a task are fetched or opened again. */
  inputRetry(fault: string): void
  /** Seconds that a task spent in a state it has left. */
  stateLeft(state: string, seconds: number): void
  ended(model: string, state: string, seconds: number): void
  /** A gauge that its owner sets. */
  gauge<Label extends string>(name: string, help: string, labels: Label[]): Gauge<Label>
  /** A gauge that is read at every scrape. */
  watch(name: string, help: string, read: () => number): void
  /**
   * Refreshed at every scrape, which waits for it only briefly: `show` then sets gauges from what is known. For values
   * that are read from the database or the storage.
   */
  watchLatest<T>(latest: Latest<T>, show: (latest: Latest<T>) => void): void
  /** A gauge that is 1 while what `latest` reads from responds. */
  watchUp(name: string, help: string, latest: Latest<unknown>): void
  /** How long a transaction waited for a database connection. */
  databaseWait(seconds: number): void
  text(): Promise<{ type: string; body: string }>
  close(): void
}

const databaseSeconds = [0.001, 0.01, 0.1, 0.5, 2, 5, 10]
const stateSeconds = [0.01, 0.1, 1, 5, 15, 60, 300, 1800, 7200]
const taskSeconds = [1, 5, 15, 60, 300, 1800, 7200]

/** Everyone may read the metrics, as often as they like. */
const scraped = { everyMs: 1000, waitMs: 500, overdueMs: 8000 }

export function createMetrics(queue: Queue, revision: string | null = null): Metrics {
  const register = new Registry()
  const { counter, gauge, histogram } = metricsIn(register)
  const attempts = counter('dailies_engine_attempts_total', 'How attempts of engines ended.', ['engine', 'result'])
  const callbacks = counter('dailies_callback_attempts_total', 'How attempts at callbacks ended.', ['result'])
  const inputRetries = counter('dailies_input_retries_total', 'Tasks whose input files were tried again.', ['fault'])
  const states = histogram('dailies_task_state_seconds', 'Time tasks spent in each state.', ['state'], stateSeconds)
  const tasks = histogram('dailies_task_seconds', 'Time from creation to end.', ['model', 'state'], taskSeconds)
  const depth = gauge('dailies_queue_jobs', `Jobs by queue; waiting ones up to ${countedJobsMax}.`, ['queue', 'state'])
  const age = gauge('dailies_queue_oldest_seconds', 'How long the oldest waiting job has been due.', ['queue'])
  const refreshed: { latest: Latest<unknown>; show(): void }[] = []
  const watchLatest: Metrics['watchLatest'] = (latest, show) => {
    refreshed.push({ latest, show: () => show(latest) })
  }
  const watch: Metrics['watch'] = (name, help, read) => {
    new Gauge({
      name,
      help,
      registers: [register],
      collect() {
        this.set(read())
      },
    })
  }
  const watchUp: Metrics['watchUp'] = (name, help, latest) => {
    const up = gauge(name, help, [])
    watchLatest(latest, ({ isUp }) => up.set(isUp ? 1 : 0))
  }
  const stored = keepLatest(() => queue.depths(), scraped)
  const storedAge = gauge('dailies_database_values_age_seconds', 'Age of the values read from the database.', [])
  watchLatest(stored, ({ value, ageMs }) => {
    if (value === undefined || ageMs === null) return
    storedAge.set(ageMs / 1000)
    depth.reset()
    age.reset()
    for (const { queue: name, waiting, running, oldestMs } of value) {
      depth.set({ queue: name, state: 'waiting' }, waiting)
      depth.set({ queue: name, state: 'running' }, running)
      age.set({ queue: name }, oldestMs / 1000)
    }
  })
  watch('dailies_process_resident_bytes', 'Resident memory.', () => process.memoryUsage.rss())
  const databaseWaits = histogram(
    'dailies_database_wait_seconds',
    'How long transactions waited for a database connection.',
    [],
    databaseSeconds,
  )
  const stopWatchingChildPools = watchChildPools(register)
  gauge('dailies_build_info', 'Always 1; the labels say what runs.', ['version', 'revision', 'node']).set(
    { version: packageJson.version, revision: revision ?? 'unknown', node: process.versions.node },
    1,
  )

  return {
    gauge,
    watch,
    watchLatest,
    watchUp,
    ...createHttpMetrics(register),
    attempt: (engine, result) => attempts.inc({ engine, result }),
    callback: (result) => callbacks.inc({ result }),
    inputRetry: (fault) => inputRetries.inc({ fault }),
    stateLeft: (state, seconds) => states.observe({ state }, seconds),
    databaseWait: (seconds) => databaseWaits.observe(seconds),
    close() {
      stopWatchingChildPools()
    },
    ended: (model, state, seconds) => tasks.observe({ model, state }, seconds),
    async text() {
      await Promise.all(refreshed.map(({ latest }) => latest.refresh()))
      for (const { show } of refreshed) show()
      return { type: register.contentType, body: await register.metrics() }
    },
  }
}
