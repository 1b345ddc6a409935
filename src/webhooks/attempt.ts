// One attempt at a callback: signs the body, posts it through the guarded fetch, and returns the outcome. Stores
// nothing.
import { FetchFailure } from '../outbound/fetch-failure.ts'
import type { GuardedFetch } from '../outbound/guarded-fetch.ts'
import { readRetryAfter } from '../outbound/retry-after.ts'
import type { Clock } from '../platform/clock.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { traceHeaders } from '../tracing/trace-context.ts'
import type { DeliveryRow } from './deliveries.ts'
import { type SecretColumns, signedHeaders, signingSecrets } from './secrets.ts'

const defaultAttemptMs = 15_000
/** Attempts at hanging receivers often begin together. If they also ended together, they would hold up other callbacks. */
const longerByMax = 1 / 15
const answerBytesMax = 65_536
const answerBytesKept = 1024
const headerCharactersKept = 4096

export interface AttemptOutcome {
  at: number
  durationMs: number
  status: number | null
  error: string | null
  answer: string | null
  requestHeaders: Record<string, string>
  /** At most 4 kB; null when there was no response. */
  answerHeaders: Record<string, string> | null
  /** `refused`: a retry cannot help. */
  result: 'delivered' | 'failed' | 'refused'
  retryAfterMs: number | null
}

export type SendableDelivery = DeliveryRow & SecretColumns

interface AttemptDeps {
  fetch: GuardedFetch
  clock: Clock
  attemptMs?: number | undefined
  secretBox: SecretBox
}

export async function attemptDelivery(
  deps: AttemptDeps,
  delivery: SendableDelivery,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  let start: AttemptStart = { at: deps.clock.now(), steadyMs: performance.now(), requestHeaders: {} }
  const sign = () => {
    start = signedStart(deps, delivery)
    return start.requestHeaders
  }
  try {
    const posted = await deps.fetch.post(delivery.callback_url, {
      account: delivery.account_id,
      headers: sign,
      body: delivery.body,
      timeoutMs: (deps.attemptMs ?? defaultAttemptMs) * (1 + Math.random() * longerByMax),
      answerBytesMax,
      signal,
    })
    const delivered = posted.status >= 200 && posted.status < 300
    return {
      at: start.at,
      durationMs: posted.durationMs,
      status: posted.status,
      error: delivered ? null : `the receiver responded with ${posted.status}`,
      answer: keptText(posted.answer),
      requestHeaders: start.requestHeaders,
      answerHeaders: keptHeaders(posted.headers),
      result: delivered ? 'delivered' : 'failed',
      retryAfterMs: delivered ? null : readRetryAfter(posted.headers['retry-after'], deps.clock.now()),
    }
  } catch (error) {
    if (!(error instanceof FetchFailure) || signal.aborted) throw error
    return {
      at: start.at,
      durationMs: Math.round(performance.now() - start.steadyMs),
      status: null,
      error: error.message,
      answer: null,
      requestHeaders: start.requestHeaders,
      answerHeaders: null,
      result: error.kind === 'address' || error.kind === 'url' ? 'refused' : 'failed',
      retryAfterMs: null,
    }
  }
}

/** The times at which an attempt was sent, or begun if it was never sent, and the headers that it was sent with. */
interface AttemptStart {
  at: number
  /** On the clock of `performance`, for the duration. */
  steadyMs: number
  requestHeaders: Record<string, string>
}

function signedStart({ clock, secretBox }: AttemptDeps, delivery: SendableDelivery): AttemptStart {
  const at = clock.now()
  const secrets = signingSecrets(delivery, at, secretBox)
  return {
    at,
    steadyMs: performance.now(),
    requestHeaders: { ...traceHeaders(), ...signedHeaders(delivery.id, delivery.body, secrets, at) },
  }
}

/** The beginning of a response, as text that every database accepts. */
function keptText(answer: Buffer): string {
  return answer.subarray(0, answerBytesKept).toString('utf8').replaceAll('\0', '\ufffd')
}

function keptHeaders(headers: Record<string, string>): Record<string, string> {
  const kept: Record<string, string> = {}
  let characters = 0
  for (const [name, value] of Object.entries(headers)) {
    characters += name.length + value.length
    if (characters > headerCharactersKept) break
    kept[name] = value.replaceAll('\0', '\ufffd')
  }
  return kept
}
