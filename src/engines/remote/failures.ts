// What a misbehaving remote server means for a task: wait, retry, or end with a reason.
import { EngineError } from '../engine.ts'
import { RemoteMisbehaved, type RemoteResponse, RemoteUnreachable } from './http.ts'
import { Busy } from './poll.ts'

/** For a submission. What certainly never reached the server costs the task no attempt. */
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

/** For anything else: a server whose responses make no sense is not called again, since that would be charged again. */
export function remoteFailure(engine: string, error: unknown): unknown {
  if (!(error instanceof RemoteMisbehaved)) return error
  return new EngineError(`The engine ${engine} failed: ${error.message}.`, {
    retryable: false,
    blame: 'engine',
    cause: error,
  })
}

/** The server no longer knows the job, perhaps after a restart: it is submitted again. */
export function forgotten(engine: string): EngineError {
  return new EngineError(`The engine ${engine} no longer knows the video it was making.`, { retryable: true })
}

/** Throws for a status that says nothing about the job itself: the server has lost it, or cannot answer now. */
export function requireJob(engine: string, status: number): void {
  if (status === 404 || status === 410) throw forgotten(engine)
  if (status >= 500 || status === 429) throw new RemoteUnreachable(`it responded with ${status}`, { sent: true })
}

/** What the response to a submission means; null when it makes no sense. */
export type Submitted = { id: string } | 'busy' | { failure: EngineError } | null

export function acceptedOrBusy(submitted: Submitted, response: RemoteResponse): { id: string } | Busy {
  if (submitted === null) {
    throw new RemoteMisbehaved(`it responded with ${response.status} to a video: ${response.text}`)
  }
  if (submitted === 'busy') return new Busy(response)
  if ('failure' in submitted) throw submitted.failure
  return submitted
}

/** Of a submission that was refused with this status. Not every server says why: a proxy's error page is no reason. */
export function refusalOf(engine: string, what: 'video' | 'workflow' | 'task', status: number, reason: string): string {
  return `The engine ${engine} did not accept the ${what} (${status})${reason === '' ? '.' : `: ${reason}`}`
}
