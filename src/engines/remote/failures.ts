// What a peer's misbehaviour means for a task: wait, try again, or end with a reason.
import { EngineError } from '../engine.ts'
import { PeerMisbehaved, PeerUnreachable } from './http.ts'

/** For a submission. What certainly never reached the peer costs the task no attempt. */
export function submissionFailure(engine: string, error: unknown): unknown {
  if (error instanceof PeerUnreachable) {
    return new EngineError(`The engine ${engine}: ${error.message}.`, {
      retryable: true,
      unavailable: !error.sent,
      cause: error,
    })
  }
  return peerFailure(engine, error)
}

/** For anything else: a peer that answers nonsense is not asked for the same again, it would be paid again. */
export function peerFailure(engine: string, error: unknown): unknown {
  if (!(error instanceof PeerMisbehaved)) return error
  return new EngineError(`The engine ${engine} failed: ${error.message}.`, {
    retryable: false,
    blame: 'engine',
    cause: error,
  })
}

/** The peer no longer knows the work, after a restart perhaps: it is submitted anew. */
export function forgotten(engine: string): EngineError {
  return new EngineError(`The engine ${engine} no longer knows the video it was making.`, { retryable: true })
}
