// The program of the process that holds the sentence encoder: loads it once, then encodes one batch at a time.
import { serveJobs } from '../../children/serve-jobs.ts'
import { loadSentenceEncoder } from './sentence-encoder.ts'

export interface EncodeJob {
  texts: string[]
}

export interface Encoded {
  /** One vector after the other, in the order of the texts. */
  vectors: Float32Array
  /** Of each text. */
  tokens: number[]
}

const encoder = await loadSentenceEncoder()
serveJobs<EncodeJob, Encoded>(({ texts }) => encoder.encode(texts))
