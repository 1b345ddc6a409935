// How the service describes a model.
import { z } from 'zod'

const jsonObject = z.record(z.string(), z.unknown())

export const modelInfo = z
  .object({
    id: z.string(),
    kind: z.enum(['video', 'embeddings']),
    title: z.string(),
    description: z.string(),
    dimensions: z.int().optional().meta({ description: 'Of embeddings: numbers per vector.' }),
    prices: z.record(z.string(), z.number()).meta({
      description: 'Credits by the names of the price list; for embeddings US dollars per million tokens.',
    }),
    example: jsonObject.meta({ description: 'An input that the model accepts.' }),
    inputSchema: jsonObject.meta({ description: 'JSON Schema of the input.' }),
  })
  .meta({ id: 'ModelInfo' })

export const modelList = z.object({ data: z.array(modelInfo) })

export type ModelInfo = z.output<typeof modelInfo>
