// Metrics of the pools of child processes: how many are busy, how many jobs wait and for how long, and what was killed.
import type { Registry } from 'prom-client'
import { onPoolEvent, type PoolEvent } from '../children/pool-events.ts'
import { metricsIn } from './registered.ts'

/** Returns a function that stops watching. */
export function watchChildPools(register: Registry): () => void {
  const { counter, gauge, histogram } = metricsIn(register)
  const busy = gauge('dailies_children_busy', 'Child processes at work.', ['pool'])
  const waiting = gauge('dailies_children_waiting', 'Jobs that wait for a child process.', ['pool'])
  const waits = histogram(
    'dailies_child_wait_seconds',
    'How long jobs waited for a child process.',
    ['pool'],
    [0.01, 0.1, 1, 5, 15, 60, 300],
  )
  const killed = counter(
    'dailies_children_killed_total',
    'Child processes that crashed or exceeded a limit, by reason.',
    ['pool', 'reason'],
  )
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
