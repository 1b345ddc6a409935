// What happens in the pools of child processes, for metrics. Published on a diagnostics channel, because pools are deep
// inside media checks, moderation, inference and engines, which have no use for the figures.
import { channel } from 'node:diagnostics_channel'
import type { ChildErrorCode } from './child-error.ts'

export type PoolEvent = {
  /** What its children do: "render", "image check". */
  pool: string
} & (
  | { kind: 'queued' }
  /** Left the queue without a child: the caller gave up, or none could be started. */
  | { kind: 'left' }
  | { kind: 'started'; waitedMs: number }
  /** `killed` when the child crashed or exceeded a limit. */
  | { kind: 'ended'; killed: ChildErrorCode | null }
)

const events = channel('dailies:child-pools')

export function publishPoolEvent(event: PoolEvent): void {
  if (events.hasSubscribers) events.publish(event)
}

export function onPoolEvent(listener: (event: PoolEvent) => void): () => void {
  const receive = (event: unknown) => listener(event as PoolEvent)
  events.subscribe(receive)
  return () => events.unsubscribe(receive)
}
