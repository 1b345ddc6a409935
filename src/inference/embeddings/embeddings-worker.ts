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

// Texts that are sent meanwhile wait in the port. A failed load ends the thread, and the next one tries again.
const encoder = await loadSentenceEncoder()

port.on('message', async ({ id, texts }: WorkerRequest) => {
  try {
    const { vectors, tokens } = await encoder.encode(texts)
    port.postMessage({ id, vectors, tokens } satisfies WorkerAnswer, [vectors.buffer as ArrayBuffer])
  } catch (error) {
    port.postMessage({ id, error: error instanceof Error ? error.message : String(error) } satisfies WorkerAnswer)
  }
})
