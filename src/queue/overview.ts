// Every queue with what it holds and which live workers serve it, also summed up by kind. Pure.
import type { QueueDepth } from '../contract/operator.ts'
import type { QueueState, WorkerProcess } from '../contract/operator-queues.ts'

interface Found {
  /** Only queues with jobs. */
  depths: QueueDepth[]
  workers: WorkerProcess[]
  paused: ReadonlySet<string>
  /** Queues of this configuration, whether they have jobs or not. */
  configured: readonly string[]
}

const empty = { waiting: 0, later: 0, running: 0, oldestMs: 0 }

export function queueStates({ depths, workers, paused, configured }: Found): QueueState[] {
  const byName = new Map(depths.map((depth) => [depth.queue, depth]))
  const served = Map.groupBy(
    workers.flatMap(({ queues }) => queues),
    ({ queue }) => queue,
  )
  const names = new Set([...configured, ...byName.keys(), ...served.keys(), ...paused])
  return [...names].sort().map((queue) => ({
    ...(byName.get(queue) ?? { queue, ...empty }),
    kind: kindOf(queue),
    paused: paused.has(queue),
    workers: served.get(queue)?.length ?? 0,
  }))
}

/** `generate` of `generate:studio`. */
const kindOf = (queue: string) => queue.split(':')[0]!

export function queueKinds(states: readonly QueueState[]) {
  return [...Map.groupBy(states, ({ kind }) => kind)].map(([kind, of]) => ({
    kind,
    waiting: sum(of, 'waiting'),
    later: sum(of, 'later'),
    running: sum(of, 'running'),
    oldestMs: Math.max(...of.map(({ oldestMs }) => oldestMs)),
  }))
}

const sum = (states: readonly QueueState[], count: 'waiting' | 'later' | 'running') =>
  states.reduce((total, state) => total + state[count], 0)
