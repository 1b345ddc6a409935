// Turns texts into unit vectors without stalling the caller's thread: starts the worker when first needed, lets
// concurrent calls share its batches, replaces it when it dies. It knows nothing of models' names, prices or routes.

import { Worker } from 'node:worker_threads'
import type { WorkerAnswer, WorkerRequest } from './embeddings-worker.ts'
import { dimensions } from './sentence-encoder.ts'

export interface Embedder {
  /** `tokens` is what the model's own tokeniser makes of the inputs, the part past its 128-token window included. */
  embed(inputs: string[], options?: { signal?: AbortSignal }): Promise<{ vectors: Float32Array[]; tokens: number }>
  close(): Promise<void>
}

export interface EmbedderOptions {
  /** Texts handed to the worker at once. */
  batchInputsMax?: number
  /** Texts waiting over all calls; past it a call is refused at once. */
  waitingInputsMax?: number
  /** UTF-16 units of one text. The tokeniser's time grows with the square of it: 8,192 take up to 0.2 s. */
  inputCharactersMax?: number
  /** A worker that holds a batch for longer is replaced. The first batch includes loading the model. */
  batchMs?: number
  workerUrl?: URL
}

export class EmbedderError extends Error {
  readonly code: 'closed' | 'busy' | 'too_long' | 'crashed' | 'timed_out' | 'model_failed'
  constructor(code: EmbedderError['code'], message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'EmbedderError'
    this.code = code
  }
}

interface Call {
  inputs: string[]
  sent: number
  vectors: Float32Array[]
  answered: number
  tokens: number
  resolve(result: { vectors: Float32Array[]; tokens: number }): void
  reject(error: unknown): void
}
interface Batch {
  id: number
  parts: { call: Call; index: number }[]
  timer: NodeJS.Timeout
}

export function createEmbedder(options: EmbedderOptions = {}): Embedder {
  const batchInputsMax = options.batchInputsMax ?? 32
  const waitingInputsMax = options.waitingInputsMax ?? 20_000
  const inputCharactersMax = options.inputCharactersMax ?? 8192
  const batchMs = options.batchMs ?? 60_000
  const workerUrl = options.workerUrl ?? new URL('./embeddings-worker.ts', import.meta.url)

  // Calls with texts still to be sent, in the order in which they take turns.
  let waiting: Call[] = []
  const open = new Set<Call>()
  let worker: Worker | null = null
  let batch: Batch | null = null
  let lastBatchId = 0
  let scheduled = false
  let closed = false

  function settle(call: Call, error?: unknown) {
    if (!open.delete(call)) return
    waiting = waiting.filter((other) => other !== call)
    if (error === undefined) call.resolve({ vectors: call.vectors, tokens: call.tokens })
    else call.reject(error)
  }

  function failBatch(error: EmbedderError) {
    const failed = batch
    if (!failed) return
    clearTimeout(failed.timer)
    batch = null
    for (const { call } of failed.parts) settle(call, error)
  }

  function startWorker(): Worker {
    const started = new Worker(workerUrl)
    let cause: unknown
    started.on('message', (answer: WorkerAnswer) => {
      if (worker === started) receive(answer)
    })
    started.on('error', (error) => {
      cause = error
    })
    started.on('exit', (code) => {
      if (worker !== started) return
      worker = null
      failBatch(new EmbedderError('crashed', `The embeddings worker ended with code ${code}`, cause))
      schedule()
    })
    return started
  }

  function replaceWorker(error: EmbedderError) {
    void worker?.terminate()
    worker = null
    failBatch(error)
    schedule()
  }

  function receive(answer: WorkerAnswer) {
    const answered = batch
    if (answered?.id !== answer.id) return
    if ('error' in answer) failBatch(new EmbedderError('model_failed', answer.error))
    else {
      clearTimeout(answered.timer)
      batch = null
      answered.parts.forEach(({ call, index }, position) => {
        // A copy of its own, so that keeping one vector does not keep the whole batch in memory.
        call.vectors[index] = answer.vectors.slice(position * dimensions, (position + 1) * dimensions)
        call.tokens += answer.tokens[position]!
        call.answered++
        if (call.answered === call.inputs.length) settle(call)
      })
    }
    worker?.unref()
    sendNext()
  }

  /** One text a call and turn: a call with a thousand texts does not hold up a call with one. */
  function takeParts(): Batch['parts'] {
    const parts: Batch['parts'] = []
    while (parts.length < batchInputsMax) {
      const call = waiting.shift()
      if (!call) break
      parts.push({ call, index: call.sent++ })
      if (call.sent < call.inputs.length) waiting.push(call)
    }
    return parts
  }

  function sendNext() {
    if (batch || closed) return
    const parts = takeParts()
    if (parts.length === 0) return
    worker ??= startWorker()
    worker.ref()
    const timer = setTimeout(() => {
      replaceWorker(new EmbedderError('timed_out', `The embeddings worker gave no answer within ${batchMs} ms`))
    }, batchMs)
    batch = { id: ++lastBatchId, parts, timer }
    const texts = parts.map(({ call, index }) => call.inputs[index]!)
    worker.postMessage({ id: batch.id, texts } satisfies WorkerRequest)
  }

  /** Waits for the end of the turn, so that calls made together share the first batch too. */
  function schedule() {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      sendNext()
    })
  }

  function refusal(inputs: string[]): EmbedderError | null {
    if (closed) return new EmbedderError('closed', 'The embedder is closed')
    if (inputs.some((input) => input.length > inputCharactersMax))
      return new EmbedderError('too_long', `An input has more than ${inputCharactersMax} characters`)
    const waitingInputs = waiting.reduce((sum, call) => sum + call.inputs.length - call.sent, 0)
    if (waitingInputs + inputs.length > waitingInputsMax)
      return new EmbedderError('busy', `More than ${waitingInputsMax} inputs are waiting`)
    return null
  }

  return {
    async embed(inputs, { signal } = {}) {
      signal?.throwIfAborted()
      const refused = refusal(inputs)
      if (refused) throw refused
      if (inputs.length === 0) return { vectors: [], tokens: 0 }
      const { promise, resolve, reject } = Promise.withResolvers<{ vectors: Float32Array[]; tokens: number }>()
      const call: Call = { inputs: [...inputs], sent: 0, vectors: [], answered: 0, tokens: 0, resolve, reject }
      const abort = () => settle(call, signal?.reason)
      signal?.addEventListener('abort', abort, { once: true })
      open.add(call)
      waiting.push(call)
      schedule()
      try {
        return await promise
      } finally {
        signal?.removeEventListener('abort', abort)
      }
    },

    async close() {
      closed = true
      if (batch) clearTimeout(batch.timer)
      batch = null
      for (const call of [...open]) settle(call, new EmbedderError('closed', 'The embedder was closed'))
      const ending = worker
      worker = null
      await ending?.terminate()
    },
  }
}
