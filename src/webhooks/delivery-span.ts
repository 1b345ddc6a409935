// Wraps each attempt at the callback of a task in a span of the task's trace. Receivers get its context in the header
// `traceparent`.
import type { Sql } from '../db/db.ts'
import type { JobHandler } from '../queue/queue.ts'
import type { Tracing } from '../tracing/tracing.ts'

interface SpanDeps {
  tracing: Tracing | null
  db: Sql
}

export function traceDelivery({ tracing, db }: SpanDeps, deliver: JobHandler): JobHandler {
  if (tracing === null) return deliver
  return async (job, ...slot) => {
    const task = await db.one<{ id: string; traceparent: string | null }>(selectTask, [job.subject])
    if (!task?.traceparent) return deliver(job, ...slot)
    const attributes = { 'dailies.task': task.id, 'dailies.delivery': job.subject }
    const options = { kind: 'client', parent: task.traceparent, attributes } as const
    return tracing.span('delivery', options, async (span) => {
      const result = await deliver(job, ...slot)
      const delivery = await db.one<{ state: string; attempts: number }>(selectOutcome, [job.subject])
      if (delivery) span.set({ 'dailies.state': delivery.state, 'dailies.attempt': delivery.attempts })
      if (delivery && delivery.state !== 'delivered') span.fail('the receiver did not accept the callback')
      return result
    })
  }
}

const selectTask = 'select t.id, t.traceparent from deliveries d join tasks t on t.id = d.subject where d.id = ?'
const selectOutcome = 'select state, attempts from deliveries where id = ?'
