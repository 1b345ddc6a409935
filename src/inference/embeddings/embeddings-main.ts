// The child process of the sentence encoder: loads the model once, then encodes one batch at a time.
import { serveJobs } from '../../children/serve-jobs.ts'
import { loadSentenceEncoder } from './sentence-encoder.ts'

export interface EncodeJob {
  texts: string[]
}

export interface Encoded {
  /** The vectors, concatenated in the order of the texts. */
  vectors: Float32Array
  /** Token counts, one per text. */
  tokens: number[]
}

const encoder = await loadSentenceEncoder()
serveJobs<EncodeJob, Encoded>(({ texts }) => encoder.encode(texts))
