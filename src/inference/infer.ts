// Runs one inference job: runs the model, then ends the request, charges it and queues its callback in one transaction.

import type { Db, Tx } from '../db/db.ts'
import type { FreeWork } from '../limits/free-work.ts'
import { usdOfCredits } from '../models/prices.ts'
import { creditsOfUsd, embeddingCostUsd, universalSentenceEncoder } from '../models/universal-sentence-encoder.ts'
import type { Clock } from '../platform/clock.ts'
import type { Logger } from '../platform/logger.ts'
import type { JobHandler, Queue } from '../queue/queue.ts'
import { hasCrashedTooOften, settleJob } from '../queue/queue.ts'
import type { TaskEvents } from '../tasks/events.ts'
import { type Embedder, UnreadableText } from './embeddings/embedder.ts'
import { failRequest, findRequest, type RequestRow, succeedRequest } from './requests.ts'

export interface InferDeps {
  db: Db
  queue: Queue
  clock: Clock
  log: Logger
  events: TaskEvents
  embedder: Embedder
  usdPerMillionTokens: number
  /** Counts the time that a request was computed for, if it fails. */
  spend: FreeWork['spend']
  /** Called in the transaction that ends a request, with its final row. */
  onEnded(tx: Tx, request: RequestRow): Promise<void>
}

/** Claims that failed for reasons that are probably not the request's. Crashes are counted apart. */
const failuresMax = 6

export function createInfer(deps: InferDeps): JobHandler {
  return async (job, signal) => {
    let usedMs = 0
    const used = (ms: number) => {
      usedMs += ms
    }
    const request = await findRequest(deps.db, job.subject)
    if (request?.state !== 'queued') return 'done'
    if (job.failures >= failuresMax || hasCrashedTooOften(job)) {
      deps.log.warn(
        { request: request.id, failures: job.failures, crashes: job.crashes },
        'an inference request failed too often and was ended',
      )
      await end((tx) => failRequest(tx, request.id, 'internal', deps.clock.now()))
      return 'settled'
    }
    const { inputs } = JSON.parse(request.param) as { inputs: string[] }
    const startedAt = performance.now()
    const caller = { account: request.account_id, key: request.key_id }
    const embedded = await deps.embedder.embed(inputs, { caller, signal, used }).catch((error: unknown) => {
      if (error instanceof UnreadableText) return error
      throw error
    })
    if (embedded instanceof UnreadableText) {
      deps.log.warn({ request: request.id, err: embedded }, 'a text crashed the text encoder')
      await end((tx) => failRequest(tx, request.id, 'internal', deps.clock.now()))
      return 'settled'
    }
    const { vectors, tokens } = embedded
    const runtimeMs = Math.max(1, Math.round(performance.now() - startedAt))
    const credits = creditsOfUsd(embeddingCostUsd(Math.max(1, tokens), deps.usdPerMillionTokens))
    const success = { results: await resultsJson(vectors, tokens), runtimeMs, costUsd: usdOfCredits(credits), credits }
    await end((tx) => succeedRequest(tx, request.id, success, deps.clock.now()))
    return 'settled'

    function end(move: (tx: Tx) => Promise<RequestRow | null | undefined>) {
      return deps.db.transaction(async (tx) => {
        await settleJob(deps.queue, tx, job)
        const ended = await move(tx)
        if (!ended) return
        if (ended.state === 'failed')
          tx.afterCommit(() => deps.spend({ accountId: ended.account_id, keyId: ended.key_id }, usedMs))
        await deps.onEnded(tx, ended)
        tx.afterCommit(() => deps.events.changed(ended.id))
      })
    }
  }
}

/** Nine digits preserve every bit of a 32-bit float and need half the space of its 64-bit form. */
const significantDigits = 9
/** Vectors formatted before other work gets a turn: about 2 ms. */
const vectorsPerTurn = 8

async function resultsJson(vectors: readonly Float32Array[], tokens: number): Promise<string> {
  const spelled: string[] = []
  for (const [index, vector] of vectors.entries()) {
    if (index % vectorsPerTurn === vectorsPerTurn - 1) await new Promise((resolve) => setImmediate(resolve))
    spelled.push(JSON.stringify(Array.from(vector, (value) => Number(value.toPrecision(significantDigits)))))
  }
  const model = JSON.stringify(universalSentenceEncoder.id)
  return `{"embeddings":[${spelled.join(',')}],"input_tokens":${tokens},"model":${model}}`
}
