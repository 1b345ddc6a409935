// The model `google/universal-sentence-encoder`: English texts to unit vectors. Owns its wire fields, their bounds and
// what it costs; running it is inference/embeddings.

import { z } from 'zod'
import { mapParsed, parseWith } from '../schema/validation.ts'
import { optionalHttpUrl, requiredOr, requiredText, textOrNull } from '../schema/wire-types.ts'
import { creditUsd } from './prices.ts'

export const embeddingInputsMax = 256
const embeddingCharactersMax = 8192

export const embeddingInput = requiredText(embeddingCharactersMax)

export const webhookSchema = optionalHttpUrl().meta({
  description: 'Where the result is sent by a signed POST; the response then only says that the request is queued.',
})

const noTexts = requiredOr(`must be an array of 1 to ${embeddingInputsMax} texts`)

const example = { inputs: ['A sailing boat leaves the harbour', 'A ship goes out to sea'] }

const bodySchema = z
  .object({
    inputs: z
      .array(embeddingInput, { error: (issue) => (issue.code === 'invalid_type' ? noTexts(issue) : undefined) })
      .min(1)
      .max(embeddingInputsMax)
      .meta({ description: `1 to ${embeddingInputsMax} texts of at most ${embeddingCharactersMax} characters.` }),
    normalize: z.boolean().nullish().meta({
      description: 'Whether vectors have length 1. This model gives no others, so both values mean the same.',
      default: true,
    }),
    webhook: webhookSchema,
  })
  .meta({ title: 'Body for google/universal-sentence-encoder', examples: [example] })

export const universalSentenceEncoder = {
  id: 'google/universal-sentence-encoder',
  kind: 'embeddings',
  title: 'Universal Sentence Encoder',
  description: 'Turns English texts into vectors of 512 numbers whose dot product says how alike their meaning is.',
  dimensions: 512,
  bodySchema,
  example,
  parse: (body: unknown) =>
    mapParsed(parseWith(bodySchema, body, ''), ({ inputs, webhook }) => ({ inputs, webhook: textOrNull(webhook) })),
} as const

/** US dollars for tokens at a price for a million of them. */
export function embeddingCostUsd(tokens: number, usdPerMillionTokens: number): number {
  return (tokens * usdPerMillionTokens) / 1e6
}

// Larger than floating-point errors, smaller than the cost of any request.
const creditTolerance = 1e-9

/** Whole credits for a cost, rounded up: any cost is at least one credit. */
export function creditsOfUsd(usd: number): number {
  return Math.max(1, Math.ceil(usd / creditUsd - creditTolerance))
}

/**
 * Credits to set aside before the tokens are counted. Texts have fewer tokens than characters, except for a few
 * characters that stand for whole phrases.
 */
export function embeddingCreditsEstimate(inputs: readonly string[], usdPerMillionTokens: number): number {
  const characters = inputs.reduce((sum, input) => sum + input.length + 1, 0)
  return creditsOfUsd(embeddingCostUsd(characters, usdPerMillionTokens))
}
