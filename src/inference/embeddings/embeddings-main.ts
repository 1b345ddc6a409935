// The child process of the sentence encoder: loads the model once, then encodes one batch at a time.
import { serveJobs } from '../../children/serve-jobs.ts'
import { type Encoded, loadSentenceEncoder } from './sentence-encoder.ts'

export interface EncodeJob {
  texts: string[]
}

const encode = await loadSentenceEncoder()
serveJobs<EncodeJob, Encoded>(({ texts }) => encode(texts))
