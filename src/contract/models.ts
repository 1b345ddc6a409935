// How the service describes a model.
import { z } from 'zod'
import { example } from './example-values.ts'

const jsonObject = z.record(z.string(), z.unknown())

export const modelInfo = z
  .object({
    id: z.string().meta({ examples: [example.videoModel] }),
    kind: z.enum(['video', 'embeddings']),
    title: z.string().meta({ examples: ['v2.5 turbo, image to video, pro'] }),
    description: z
      .string()
      .meta({ examples: ['Turns an image, optionally with a last frame, into a video of 5 or 10 seconds.'] }),
    dimensions: z.int().optional().meta({ description: 'Of embeddings: numbers per vector.' }),
    prices: z.record(z.string(), z.number()).meta({
      description: 'Credits by the names of the price list; for embeddings US dollars per million tokens.',
      examples: [{ '5': 42, '10': 84 }],
    }),
    example: jsonObject.meta({
      description: 'An input that the model accepts.',
      examples: [{ prompt: example.prompt, image_url: example.imageUrl }],
    }),
    inputSchema: jsonObject.meta({
      description: 'JSON Schema of the input.',
      examples: [{ type: 'object', required: ['prompt', 'image_url'], properties: {} }],
    }),
  })
  .meta({ id: 'ModelInfo' })

export const modelList = z.object({ data: z.array(modelInfo) })

export type ModelInfo = z.output<typeof modelInfo>
