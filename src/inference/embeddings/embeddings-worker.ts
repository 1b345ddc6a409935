// The thread that holds the sentence encoder: loads it once, answers one batch at a time, in order.
// Queueing, batching, abort and time limits are the embedder's, on the other side of the port.

import { parentPort } from 'node:worker_threads'
import { loadSentenceEncoder } from './sentence-encoder.ts'

export interface WorkerRequest {
  id: number
  texts: string[]
}
export type WorkerAnswer = { id: number; vectors: Float32Array; tokens: number[] } | { id: number; error: string }

const port = parentPort
if (!port) throw new Error('embeddings-worker runs as a worker thread only')

const loading = loadSentenceEncoder()
// A failed load must reach the caller that waits for an answer, below, and not end the thread before that.
loading.catch(() => undefined)

port.on('message', async ({ id, texts }: WorkerRequest) => {
  try {
    const { vectors, tokens } = await (await loading).encode(texts)
    port.postMessage({ id, vectors, tokens } satisfies WorkerAnswer, [vectors.buffer as ArrayBuffer])
  } catch (error) {
    port.postMessage({ id, error: error instanceof Error ? error.message : String(error) } satisfies WorkerAnswer)
  }
})
