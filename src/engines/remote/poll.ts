// Polls a generator until its work is done. Each response is a heartbeat; a generator that cannot be reached sends none,
// and the silence watchdog ends the attempt.
import { setTimeout as sleep } from 'node:timers/promises'
import { EngineError, type FollowContext, StoppedWaiting } from '../engine.ts'
import { RemoteMisbehaved, type RemoteResponse, RemoteUnreachable } from './http.ts'

export type Polled<T> = { done: T } | { percent: number | null }

interface WaitOptions {
  signal: AbortSignal
  /** Aborts when this process stops. */
  stopping?: AbortSignal | undefined
}

interface PollOptions extends WaitOptions {
  engine: string
  settings: { pollEvery: number; jobTime: number }
  progress(percent: number): void
  /** The work took longer than it may. */
  overdue(): Promise<void>
}

/** Responses without meaning in a row before giving up: a proxy's error page is temporary, a wrong address is not. */
const nonsenseMax = 5
const busyRetryMs = 2_000
/** The longest that a busy generator's `Retry-After` is followed: it may have room earlier. */
const retryAfterMsMax = 60_000

/** The generator refused a submission for now. */
export class Busy {
  /** What it said, such as `it responded with 429: quota exceeded`. */
  readonly reason: string
  readonly retryMs: number
  constructor({ status, text, retryAfterS }: RemoteResponse) {
    this.reason = `it responded with ${status}${text === '' ? '' : `: ${text}`}`
    this.retryMs = Math.min(Math.max(busyRetryMs, (retryAfterS ?? 0) * 1000), retryAfterMsMax)
  }
}

/** `looking` also aborts when this process stops: for requests that another process can repeat, such as for the state. */
export type Ask<T> = (looking: AbortSignal) => Promise<Polled<T>>

export async function poll<T>(ask: Ask<T>, options: PollOptions): Promise<T> {
  const { signal, stopping } = options
  const looking = untilStopping(options)
  const deadline = performance.now() + options.settings.jobTime
  let percent = 0
  let nonsense = 0
  for (;;) {
    try {
      const polled = await ask(looking)
      nonsense = 0
      if ('done' in polled) return polled.done
      percent = Math.max(percent, polled.percent ?? 0)
      options.progress(percent)
    } catch (error) {
      if (stopping?.aborted && !signal.aborted && error === stopping.reason) throw new StoppedWaiting()
      if (error instanceof RemoteMisbehaved && !error.final && ++nonsense < nonsenseMax) options.progress(percent)
      else if (!(error instanceof RemoteUnreachable)) throw error
    }
    if (performance.now() > deadline) {
      // A generator that cannot be reached now cannot cancel either; the work is overdue all the same.
      await options.overdue().catch(() => {})
      const seconds = Math.round(options.settings.jobTime / 1000)
      throw new EngineError(`The engine ${options.engine} was not done after ${seconds} s.`, {
        retryable: false,
        blame: 'engine',
      })
    }
    await wait(options.settings.pollEvery, options)
  }
}

const untilStopping = ({ signal, stopping }: WaitOptions) => (stopping ? AbortSignal.any([signal, stopping]) : signal)

/** Waits before a generator is asked again. A process that stops need not finish the wait: another one can ask as well. */
export async function wait(ms: number, options: WaitOptions): Promise<void> {
  try {
    await sleep(ms, undefined, { signal: untilStopping(options) })
  } catch (error) {
    if (options.signal.aborted) throw error
    throw new StoppedWaiting()
  }
}

type BusyOptions = Omit<PollOptions, 'overdue'> & { waiting?: FollowContext['waiting'] | undefined }

/**
 * Repeats a submission while the generator is busy, as long as a job may last. The signal does not abort the call that
 * submits: work that the generator accepted, but whose id never arrived, could not be canceled.
 */
export async function whileBusy<T>(submit: () => Promise<T | Busy>, options: BusyOptions): Promise<T> {
  const deadline = performance.now() + options.settings.jobTime
  try {
    for (;;) {
      options.signal.throwIfAborted()
      const submitted = await submit()
      if (!(submitted instanceof Busy)) return submitted
      options.waiting?.(submitted.reason)
      // The refusal is a heartbeat, and so is each part of the wait that it asked for.
      for (let waitedMs = 0; waitedMs < submitted.retryMs; waitedMs += busyRetryMs) {
        options.progress(0)
        if (performance.now() > deadline) {
          throw new EngineError(`The engine ${options.engine} had no room for the video: ${submitted.reason}`, {
            retryable: true,
          })
        }
        await wait(Math.min(busyRetryMs, submitted.retryMs - waitedMs), options)
      }
    }
  } finally {
    options.waiting?.(null)
  }
}
