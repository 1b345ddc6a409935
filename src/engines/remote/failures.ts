// What a generator's misbehaviour means for a task: wait, try again, or end with a reason.
import { EngineError } from '../engine.ts'
import { RemoteMisbehaved, RemoteUnreachable } from './http.ts'

/** For a submission. What certainly never reached the generator costs the task no attempt. */
export function submissionFailure(engine: string, error: unknown): unknown {
  if (error instanceof RemoteUnreachable) {
    return new EngineError(`The engine ${engine}: ${error.message}.`, {
      retryable: true,
      unavailable: !error.sent,
      cause: error,
    })
  }
  return remoteFailure(engine, error)
}

/** For anything else: a generator that answers nonsense is not asked for the same again, it would be paid again. */
export function remoteFailure(engine: string, error: unknown): unknown {
  if (!(error instanceof RemoteMisbehaved)) return error
  return new EngineError(`The engine ${engine} failed: ${error.message}.`, {
    retryable: false,
    blame: 'engine',
    cause: error,
  })
}

/** The generator no longer knows the work, after a restart perhaps: it is submitted anew. */
export function forgotten(engine: string): EngineError {
  return new EngineError(`The engine ${engine} no longer knows the video it was making.`, { retryable: true })
}
