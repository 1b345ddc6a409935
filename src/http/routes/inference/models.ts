// GET /v1/models: what can be asked for, with the schema a form can be made from.
import { z } from 'zod'
import type { Catalogue } from '../../../models/catalogue.ts'
import type { Prices } from '../../../models/prices.ts'
import { universalSentenceEncoder } from '../../../models/universal-sentence-encoder.ts'
import { answered, type Route, route } from '../../server/route.ts'

export interface ModelsDeps {
  catalogue: Catalogue
  prices: Prices
  usdPerMillionTokens: number
}

export function modelsRoute(deps: ModelsDeps): Route {
  const videos = deps.catalogue.ids().map((id) => {
    const model = deps.catalogue.get(id)!
    return {
      id,
      kind: model.kind,
      title: model.title,
      description: model.description,
      prices: deps.prices[id],
      example: model.example,
      inputSchema: z.toJSONSchema(model.inputSchema, { io: 'input' }),
    }
  })
  const { id, kind, title, description, dimensions, example, bodySchema } = universalSentenceEncoder
  const embeddings = {
    id,
    kind,
    title,
    description,
    dimensions,
    prices: { usdPerMillionTokens: deps.usdPerMillionTokens },
    example,
    inputSchema: z.toJSONSchema(bodySchema, { io: 'input' }),
  }
  const body = JSON.stringify({ data: [...videos, embeddings] })
  return route({
    method: 'GET',
    path: '/v1/models',
    summary: 'List models',
    tag: 'Models',
    access: 'key',
    plainAnswer: {
      type: 'application/json',
      schema: z.object({ data: z.array(z.looseObject({ id: z.string(), kind: z.string(), title: z.string() })) }),
    },
    async handler({ reply }) {
      reply.header('content-type', 'application/json; charset=utf-8').send(body)
      return answered
    },
  })
}
