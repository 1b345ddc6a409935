// Prometheus metrics. Labels never carry an account, a key or a URL.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import packageJson from '../../package.json' with { type: 'json' }
import type { Queue } from '../queue/queue.ts'
import { watchChildPools } from './child-pools.ts'

export interface HttpMetrics {
  request(method: string, route: string, status: number, elapsedMs: number): void
}

export interface Metrics extends HttpMetrics {
  attempt(engine: string, result: string): void
  /** The outcome of an attempt at a callback. */
  callback(result: string): void
  /** Seconds that a task spent in a state it has left. */
  stateLeft(state: string, seconds: number): void
  ended(model: string, state: string, seconds: number): void
  /** A gauge that is read at every scrape. */
  watch(name: string, help: string, read: () => number): void
  /** How long a transaction waited for a database connection. */
  databaseWait(seconds: number): void
  text(): Promise<{ type: string; body: string }>
  close(): void
}

export function createMetrics(queue: Queue): Metrics {
  const registers = [new Registry()]
  const requests = new Counter({
    name: 'dailies_http_requests_total',
    help: 'HTTP requests by route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'dailies_http_request_seconds',
    help: 'Response time by route.',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  })
  const attempts = new Counter({
    name: 'dailies_engine_attempts_total',
    help: 'How attempts of engines ended.',
    labelNames: ['engine', 'result'],
    registers,
  })
  const callbacks = new Counter({
    name: 'dailies_callback_attempts_total',
    help: 'How attempts at callbacks ended.',
    labelNames: ['result'],
    registers,
  })
  const states = new Histogram({
    name: 'dailies_task_state_seconds',
    help: 'Time tasks spent in each state.',
    labelNames: ['state'],
    buckets: [0.01, 0.1, 1, 5, 15, 60, 300, 1800, 7200],
    registers,
  })
  const tasks = new Histogram({
    name: 'dailies_task_seconds',
    help: 'Time from creation to end.',
    labelNames: ['model', 'state'],
    buckets: [1, 5, 15, 60, 300, 1800, 7200],
    registers,
  })
  const depth = new Gauge({
    name: 'dailies_queue_jobs',
    help: 'Jobs by queue.',
    labelNames: ['queue', 'state'],
    registers,
  })
  const age = new Gauge({
    name: 'dailies_queue_oldest_seconds',
    help: 'How long the oldest waiting job has been due.',
    labelNames: ['queue'],
    registers,
  })
  const watch = (name: string, help: string, read: () => number) => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  }
  watch('dailies_process_resident_bytes', 'Resident memory.', () => process.memoryUsage.rss())
  watchEventLoop(watch)
  const databaseWaits = new Histogram({
    name: 'dailies_database_wait_seconds',
    help: 'How long transactions waited for a database connection.',
    buckets: [0.001, 0.01, 0.1, 0.5, 2, 5, 10],
    registers,
  })
  const close = watchChildPools(registers)
  new Gauge({
    name: 'dailies_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version: packageJson.version, node: process.versions.node }, 1)

  return {
    watch,
    request(method, route, status, elapsedMs) {
      requests.inc({ method, route, status })
      durations.observe({ route }, elapsedMs / 1000)
    },
    attempt: (engine, result) => attempts.inc({ engine, result }),
    callback: (result) => callbacks.inc({ result }),
    stateLeft: (state, seconds) => states.observe({ state }, seconds),
    databaseWait: (seconds) => databaseWaits.observe(seconds),
    close,
    ended: (model, state, seconds) => tasks.observe({ model, state }, seconds),
    async text() {
      depth.reset()
      age.reset()
      for (const { queue: name, waiting, running, oldestMs } of await queue.depths()) {
        depth.set({ queue: name, state: 'waiting' }, waiting)
        depth.set({ queue: name, state: 'running' }, running)
        age.set({ queue: name }, oldestMs / 1000)
      }
      return { type: registers[0]!.contentType, body: await registers[0]!.metrics() }
    },
  }
}

/** The longest turn of the event loop since the last scrape; nothing else is served meanwhile. */
function watchEventLoop(watch: Metrics['watch']): void {
  const delays = monitorEventLoopDelay({ resolution: 10 })
  delays.enable()
  watch('dailies_event_loop_lag_seconds', 'Longest delay of the event loop since the last scrape.', () => {
    const longestMs = delays.max / 1e6
    delays.reset()
    return longestMs / 1000
  })
}
