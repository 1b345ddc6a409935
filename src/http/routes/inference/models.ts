// GET /v1/models: the models, each with the schema of its input, from which forms are built.
import { z } from 'zod'
import { type ModelInfo, modelList } from '../../../contract/models.ts'
import type { Catalogue } from '../../../models/catalogue.ts'
import type { Prices } from '../../../models/prices.ts'
import { universalSentenceEncoder } from '../../../models/universal-sentence-encoder.ts'
import { type Route, route } from '../../route.ts'
import { sendJson } from '../../server/responses/envelope.ts'

export interface ModelsDeps {
  catalogue: Catalogue
  prices: Prices
  usdPerMillionTokens: number
}

/** Every model with its prices and the schema of its input. */
export function shownModels(deps: ModelsDeps): ModelInfo[] {
  const videos = deps.catalogue.ids().map((id): ModelInfo => {
    const model = deps.catalogue.get(id)!
    return {
      id,
      kind: model.kind,
      title: model.title,
      description: model.description,
      prices: deps.prices[id]!,
      example: model.example,
      inputSchema: z.toJSONSchema(model.inputSchema, { io: 'input' }),
    }
  })
  const { id, kind, title, description, dimensions, example, bodySchema } = universalSentenceEncoder
  const embeddings: ModelInfo = {
    id,
    kind,
    title,
    description,
    dimensions,
    prices: { usdPerMillionTokens: deps.usdPerMillionTokens },
    example,
    inputSchema: z.toJSONSchema(bodySchema, { io: 'input' }),
  }
  return [...videos, embeddings]
}

export function modelsRoute(models: ModelInfo[]): Route {
  const body = JSON.stringify({ data: models })
  return route({
    endpoint: 'GET /v1/models',
    operationId: 'listModels',
    summary: 'List models',
    description: 'Each model with its prices, an example and the JSON Schema of its input.',
    tag: 'Models',
    access: 'key',
    scope: 'any',
    answer: modelList,
    bare: true,
    handler: async ({ reply }) => sendJson(reply, body),
  })
}
