// Metrics of the pools of child processes: how many are busy, how many jobs wait and for how long, and what was killed.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { onPoolEvent, type PoolEvent } from '../children/pool-events.ts'

/** Returns a function that stops watching. */
export function watchChildPools(registers: Registry[]): () => void {
  const labelNames = ['pool'] as const
  const busy = new Gauge({ name: 'dailies_children_busy', help: 'Child processes at work.', labelNames, registers })
  const waiting = new Gauge({
    name: 'dailies_children_waiting',
    help: 'Jobs that wait for a child process.',
    labelNames,
    registers,
  })
  const waits = new Histogram({
    name: 'dailies_child_wait_seconds',
    help: 'How long jobs waited for a child process.',
    labelNames,
    buckets: [0.01, 0.1, 1, 5, 15, 60, 300],
    registers,
  })
  const killed = new Counter({
    name: 'dailies_children_killed_total',
    help: 'Child processes that crashed or exceeded a limit, by reason.',
    labelNames: ['pool', 'reason'],
    registers,
  })
  return onPoolEvent((event: PoolEvent) => {
    const { pool, kind } = event
    if (kind === 'queued') waiting.inc({ pool })
    else if (kind === 'left') waiting.dec({ pool })
    else if (kind === 'started') {
      waiting.dec({ pool })
      busy.inc({ pool })
      waits.observe({ pool }, event.waitedMs / 1000)
    } else {
      busy.dec({ pool })
      if (event.killed) killed.inc({ pool, reason: event.killed })
    }
  })
}
