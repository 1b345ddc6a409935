// Wraps the steps of a task in spans: admission, prepare, the wait in the queue, each attempt, and the end. The context
// of the admission is stored with the task, so that steps in other processes join the same trace.
import type { Sql } from '../db/db.ts'
import type { Engine } from '../engines/engine.ts'
import type { Clock } from '../platform/clock.ts'
import type { Job, JobHandler } from '../queue/queue.ts'
import { currentTraceparent } from '../tracing/trace-context.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { Generate } from './attempt/generate.ts'
import type { Finish } from './finish/finish.ts'
import { readAttempts } from './store/attempts.ts'
import type { FindTask } from './store/read.ts'
import type { TaskRow } from './store/task-row.ts'
import type { SubmitTask } from './submit.ts'

type GenerateOn = (engine: Engine) => Generate

interface TracedDeps {
  tracing: Tracing
  db: Sql
  clock: Clock
  find: FindTask
}

/** Each takes a step and returns it wrapped in its span. */
interface TaskSpans {
  submit(step: SubmitTask): SubmitTask
  prepare(step: JobHandler): JobHandler
  generate(step: GenerateOn): GenerateOn
  finish(step: Finish): Finish
}

/** Without tracing, the steps stay as they are: the spans cost queries of their own. */
export function createTaskSpans(tracing: Tracing | null, deps: Omit<TracedDeps, 'tracing'>): TaskSpans {
  if (tracing === null) return { submit: same, prepare: same, generate: same, finish: same }
  const traced = { tracing, ...deps }
  return {
    submit: (step) => traceSubmit(tracing, step),
    prepare: (step) => tracePrepare(traced, step),
    generate: (step) => traceGenerate(traced, step),
    finish: (step) => traceFinish(traced, step),
  }
}

const same = <T>(step: T): T => step

/** The request's own `traceparent` is the parent, where there is one. */
function traceSubmit(tracing: Tracing, submit: SubmitTask): SubmitTask {
  return (caller, task) =>
    tracing.span('admission', { kind: 'server', parent: currentTraceparent() }, async (span) => {
      const admitted = await submit(caller, { ...task, traceparent: span.traceparent })
      span.set({ 'dailies.task': admitted.id, 'dailies.model': task.model.id })
      return admitted
    })
}

function tracePrepare({ tracing, find }: TracedDeps, prepare: JobHandler): JobHandler {
  return async (job, ...slot) => {
    const task = await find(job.subject)
    if (!task?.traceparent) return prepare(job, ...slot)
    const options = { kind: 'consumer', parent: task.traceparent, attributes: attributesOf(task) } as const
    return tracing.span('prepare', options, () => prepare(job, ...slot))
  }
}

function traceGenerate({ tracing, clock, db, find }: TracedDeps, generate: GenerateOn): GenerateOn {
  return (engine) => {
    const { onClaim, run: handle } = generate(engine)
    const run: JobHandler = async (job, ...slot) => {
      const task = await find(job.subject)
      if (!task?.traceparent) return handle(job, ...slot)
      const { traceparent: parent } = task
      const attributes = { ...attributesOf(task), 'dailies.engine': engine.name, 'dailies.attempt': job.attempt }
      const wait = waitOf(task, job, clock.now())
      if (wait) tracing.record('queue', { kind: 'internal', parent, attributes: attributesOf(task), ...wait })
      return tracing.span('attempt', { kind: 'consumer', parent, attributes }, async (span) => {
        const result = await handle(job, ...slot)
        const outcome = await outcomeOf(db, job)
        if (outcome !== null) span.set({ 'dailies.outcome': outcome })
        if (outcome !== null && outcome !== 'succeeded') span.fail(outcome)
        return result
      })
    }
    return { onClaim, run }
  }
}

/** How long the task of a claimed job waited: until now, unless its attempt began with the claim. */
function waitOf(task: TaskRow, job: Job, nowMs: number): { startMs: number; endMs: number } | null {
  if (task.state === 'queueing') return { startMs: task.state_at, endMs: nowMs }
  const beganAtClaim = task.state === 'generating' && task.attempt === job.attempt
  return beganAtClaim ? { startMs: task.queued_at!, endMs: task.state_at } : null
}

async function outcomeOf(db: Sql, job: Job): Promise<string | null> {
  const attempts = await readAttempts(db, job.subject)
  return attempts.find(({ number }) => number === job.attempt)?.outcome ?? null
}

function traceFinish({ tracing, clock }: TracedDeps, finish: Finish): Finish {
  return async (end) => {
    const startMs = clock.now()
    const task = await finish(end)
    if (task?.traceparent) {
      const attributes = { ...attributesOf(task), 'dailies.state': task.state }
      const span = { kind: 'internal', parent: task.traceparent, attributes } as const
      tracing.record('finish', { ...span, startMs, endMs: clock.now(), error: task.fail_reason })
    }
    return task
  }
}

const attributesOf = (task: TaskRow) => ({ 'dailies.task': task.id, 'dailies.model': task.model })
