// GET /v1/models: what can be asked for, with the schema a form can be made from.
import { z } from 'zod'
import type { Catalogue } from '../../models/catalogue.ts'
import type { Prices } from '../../models/prices.ts'
import { answered, type Route, route } from '../route.ts'

export function modelsRoute(deps: { catalogue: Catalogue; prices: Prices }): Route {
  const data = deps.catalogue.ids().map((id) => {
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
  const body = JSON.stringify({ data })
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
