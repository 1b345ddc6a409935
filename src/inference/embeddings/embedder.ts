// Turns texts into unit vectors in a child process. Concurrent calls share its batches, in fair turns between accounts,
// keys and calls. It does not know model names, prices or routes.
import { ChildError } from '../../children/child-error.ts'
import { createChildPool } from '../../children/child-pool.ts'
import { createFairQueue } from '../../limits/fair-queue.ts'
import { type Caller, everyone } from '../../limits/slots.ts'
import { slots } from '../../limits/table.ts'
import { tokensReadMax } from './batch-plan.ts'
import type { EncodeJob } from './embeddings-main.ts'
import { dimensions, type Encoded } from './sentence-encoder.ts'

export interface EmbedRequest {
  caller: Caller
  /** Moderation texts go before the texts of requests, because tasks wait for them. */
  lane?: 'moderation' | 'requests'
  signal?: AbortSignal
  /** Called after each batch that held texts of this call, with the batch's time in proportion to those texts. */
  used?(ms: number): void
}

export interface Embeddings {
  vectors: Float32Array[]
  /** The number of tokens of the texts by the model's own tokeniser, including those past its 128-token window. */
  tokens: number
}

export interface Embedder {
  embed(texts: readonly string[], request: EmbedRequest): Promise<Embeddings>
  close(): Promise<void>
}

export interface EmbedderOptions {
  /** Maximum number of texts sent to the child at once. */
  batchTextsMax?: number
  /** Maximum number of waiting texts over all calls; further calls are rejected at once. */
  waitingTextsMax?: number
  /** Time limit of one batch. A text that exceeds it alone fails its call. */
  batchMs?: number
  module?: URL
}

/** One of the texts crashed the encoder, so a retry cannot help. */
export class UnreadableText extends Error {
  override readonly name = 'UnreadableText'
}

interface Call {
  id: string
  request: EmbedRequest
  vectors: Float32Array[]
  missing: number
  tokens: number
  settled: boolean
  resolve(result: Embeddings): void
  reject(error: unknown): void
}

interface Text {
  call: Call
  index: number
  text: string
  tokensAbout: number
}

/**
 * A batch has about this many tokens: one text of maximum length, or ten sentences. Texts of others wait for a running
 * batch, so it is kept to a fraction of a second; batches of twice the size save a tenth of the time per sentence.
 * English has about four characters per token.
 */
const batchTokensMax = tokensReadMax
const charactersPerToken = 4
/** The part of a batch that moderation leaves to requests while both wait. */
const requestsShare = 0.25

/** Normalised, because one character may expand to a whole phrase. */
function tokensAbout(text: string): number {
  const read = text.slice(0, tokensReadMax * charactersPerToken).normalize('NFKC')
  return Math.min(tokensReadMax, Math.ceil(read.length / charactersPerToken))
}

const shareOf = ({ request: { caller }, id }: Call) => [caller.account, caller.key, id]

export function createEmbedder(options: EmbedderOptions = {}): Embedder {
  const { batchTextsMax = 32, waitingTextsMax = slots.waitingTexts.of, batchMs = 20_000 } = options
  const pool = createChildPool<EncodeJob, Encoded>({
    name: 'text encoder',
    module: options.module ?? new URL('./embeddings-main.ts', import.meta.url),
    slots: 1,
    rssBytesMax: 800_000_000,
    heapMegabytesMax: 512,
    jobMsMax: batchMs,
    abortMsMax: 1_000,
    startMsMax: 60_000,
    niceness: 2,
  })
  const lanes = { moderation: createFairQueue<Text>(), requests: createFairQueue<Text>() }
  /** Texts of a batch that crashed the child: each is retried once, alone. */
  const suspects: Text[] = []
  const open = new Set<Call>()
  let lastId = 0
  let running = false
  let scheduled = false
  let closed = false

  const laneOf = ({ request }: Call) => lanes[request.lane ?? 'requests']

  function settle(call: Call, outcome: { error: unknown } | null): void {
    if (call.settled) return
    call.settled = true
    open.delete(call)
    laneOf(call).remove(shareOf(call), () => true)
    if (outcome) call.reject(outcome.error)
    else call.resolve({ vectors: call.vectors, tokens: call.tokens })
  }

  function take(lane: keyof typeof lanes, batch: Text[], tokensMax: number): void {
    let tokens = batch.reduce((sum, text) => sum + text.tokensAbout, 0)
    // At least one text of each lane, so that neither starves. A long text does not join short ones, which would wait
    // for it; it keeps its turn and begins the next batch.
    for (let taken = 0; batch.length < batchTextsMax && (taken === 0 || tokens < tokensMax); taken++) {
      const next = lanes[lane].take((text) => taken === 0 || tokens + text.tokensAbout <= tokensMax)
      if (next === undefined) return
      batch.push(next)
      tokens += next.tokensAbout
    }
  }

  function nextBatch(): Text[] {
    while (suspects.length > 0) {
      const suspect = suspects.shift()!
      if (!suspect.call.settled) return [suspect]
    }
    const batch: Text[] = []
    take('moderation', batch, lanes.requests.size > 0 ? batchTokensMax * (1 - requestsShare) : batchTokensMax)
    take('requests', batch, batchTokensMax)
    return batch
  }

  async function runAll(): Promise<void> {
    if (running || closed) return
    running = true
    try {
      for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) await runBatch(batch)
    } finally {
      running = false
    }
  }

  async function runBatch(batch: Text[]): Promise<void> {
    const used = (ms: number) => {
      for (const { call } of batch) call.request.used?.(ms / batch.length)
    }
    try {
      const texts = batch.map(({ text }) => text)
      // Batches already take turns; the child gets one at a time.
      const { vectors, tokens } = await pool.run({ texts }, { caller: everyone, used })
      for (const [i, { call, index }] of batch.entries()) {
        // A copy, so that keeping one vector does not keep the whole batch in memory.
        call.vectors[index] = vectors.slice(i * dimensions, (i + 1) * dimensions)
        call.tokens += tokens[i]!
        if (--call.missing === 0) settle(call, null)
      }
    } catch (error) {
      const blamed = error instanceof ChildError && error.blamesJob
      if (blamed && batch.length > 1) suspects.push(...batch)
      else for (const { call } of batch) settle(call, { error: blamed ? asUnreadable(error) : error })
    }
  }

  /** Waits for the end of the turn, so that calls made together share the first batch. */
  function schedule(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      void runAll()
    })
  }

  return {
    async embed(texts, request) {
      const { signal } = request
      signal?.throwIfAborted()
      if (closed) throw new ChildError('closed', 'the text encoder is closed')
      const waiting = lanes.moderation.size + lanes.requests.size
      if (waiting + texts.length > waitingTextsMax) {
        throw new ChildError('busy', `more than ${waitingTextsMax} texts wait for the text encoder`)
      }
      if (texts.length === 0) return { vectors: [], tokens: 0 }
      const { promise, resolve, reject } = Promise.withResolvers<Embeddings>()
      const id = String(++lastId)
      const call: Call = {
        id,
        request,
        resolve,
        reject,
        vectors: [],
        missing: texts.length,
        tokens: 0,
        settled: false,
      }
      const abort = () => settle(call, { error: signal?.reason })
      signal?.addEventListener('abort', abort, { once: true })
      open.add(call)
      for (const [index, text] of texts.entries()) {
        laneOf(call).add(shareOf(call), { call, index, text, tokensAbout: tokensAbout(text) })
      }
      schedule()
      try {
        return await promise
      } finally {
        signal?.removeEventListener('abort', abort)
      }
    },

    async close() {
      closed = true
      for (const call of [...open]) {
        settle(call, { error: new ChildError('closed', 'the text encoder was closed') })
      }
      await pool.close()
    },
  }
}

function asUnreadable(cause: unknown): UnreadableText {
  return new UnreadableText('The text could not be encoded.', { cause })
}
