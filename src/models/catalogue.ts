// The catalogue of video models, and the reading of a request that creates a task for one of them.
// A new model is a file of its own and a line in `videoModels`.

import { z } from 'zod'
import { splitFields } from '../schema/unknown-fields.ts'
import { type Parsed, parseWith } from '../schema/validation.ts'
import { optionalHttpUrl, textOrNull } from '../schema/wire-types.ts'
import { callBackNearMisses, suggestInput } from './misplaced-fields.ts'
import type { VideoModel, VideoRequest } from './model.ts'
import { v25TurboImageToVideoPro } from './v2-5-turbo-image-to-video-pro.ts'
import { v30OmniImageToVideo } from './v3-0-omni-image-to-video.ts'

export const videoModels: readonly VideoModel[] = [v25TurboImageToVideoPro, v30OmniImageToVideo]

export interface Catalogue {
  get: (id: string) => VideoModel | undefined
  ids(): string[]
  /** The wire shape of a creation's body, one alternative for each model; for OpenAPI. */
  readonly createTaskSchema: z.ZodType
  /** The field `model` of a creation. */
  readonly modelSchema: z.ZodType<string>
  /** The body of one model's requests; it separates known fields from ignored ones. */
  bodySchema(id: string): z.ZodType | undefined
}

export const callBackUrlSchema = optionalHttpUrl().meta({
  description: 'Where the finished task is announced by a signed POST.',
})

export function createCatalogue(models: readonly VideoModel[] = videoModels): Catalogue {
  const byId = new Map(models.map((model) => [model.id, { model, body: bodyOf(model) }]))
  const [first, ...others] = [...byId.values()].map((entry) => entry.body)
  if (first === undefined) throw new Error('a catalogue needs at least one model')
  const ids = [...byId.keys()]
  return {
    get: (id) => byId.get(id)?.model,
    ids: () => [...ids],
    createTaskSchema: z.discriminatedUnion('model', [first, ...others]),
    modelSchema: z.enum(ids),
    bodySchema: (id) => byId.get(id)?.body,
  }
}

function bodyOf(model: VideoModel) {
  return z.object({ model: z.literal(model.id), input: model.inputSchema, callBackUrl: callBackUrlSchema }).meta({
    title: model.title,
    description: model.description,
    examples: [{ model: model.id, input: model.example }],
  })
}

/** A creation that is accepted. */
export interface CreateTask {
  model: VideoModel
  request: VideoRequest
  callBackUrl: string | null
  /** The body as far as it is known. */
  body: unknown
  ignoredFields: string[]
}

/** Reads the body of a creation. Everything wrong with it is named at once; unknown fields are listed, not refused. */
export function parseCreateTask(catalogue: Catalogue, body: unknown): Parsed<CreateTask> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { ok: false, problems: [{ field: 'body', message: 'must be a JSON object' }] }
  }
  const { model: modelField, input, callBackUrl: callBackField } = body as Record<string, unknown>
  const modelId = parseWith(catalogue.modelSchema, modelField, 'model')
  const model = modelId.ok ? catalogue.get(modelId.value) : undefined
  const callBackUrl = parseWith(callBackUrlSchema, callBackField, 'callBackUrl')
  // Without a model there are no rules for the input, except that it is required.
  const requested = model ? model.parse(input) : parseWith(anyInput, input, 'input')
  const nearMisses = callBackNearMisses(body)
  if (model && requested.ok && callBackUrl.ok && nearMisses.length === 0) {
    const value: CreateTask = {
      model,
      request: requested.value as VideoRequest,
      callBackUrl: textOrNull(callBackUrl.value),
      ...splitFields(catalogue.bodySchema(model.id)!, body),
    }
    return { ok: true, value }
  }
  const problems = [modelId, requested, callBackUrl].flatMap((part) => (part.ok ? [] : part.problems))
  const models = model ? [model] : catalogue.ids().map((id) => catalogue.get(id)!)
  const inputFields = models.flatMap(({ inputSchema }) => Object.keys(inputSchema.shape))
  return { ok: false, problems: [...suggestInput(problems, body, inputFields), ...nearMisses] }
}

const anyInput = z.object({})
