// Videos in OpenAI's shape: the same tasks under the fields that OpenAI's clients know.
import { z } from 'zod'
import { isMissing } from '../schema/validation.ts'
import { example } from './example-values.ts'
import { idParam, pageQuery } from './page.ts'

const created = z.int().meta({ description: 'Epoch seconds.' })

const createdS = example.createdMs / 1000
const exampleVideo = {
  id: example.taskId,
  object: 'video',
  model: example.videoModel,
  status: 'completed',
  progress: 100,
  prompt: example.prompt,
  seconds: '5',
  size: '1280x720',
  created_at: createdS,
  completed_at: createdS + 21,
  expires_at: createdS + 14 * 86_400,
  remixed_from_video_id: null,
  error: null,
}

export const openaiVideo = z
  .object({
    id: z.string().meta({ description: 'The task id.' }),
    object: z.literal('video'),
    model: z.string(),
    status: z.enum(['queued', 'in_progress', 'completed', 'failed']),
    progress: z.int().meta({ description: 'Percent, 0 to 100.' }),
    prompt: z.string(),
    seconds: z.string(),
    size: z.string().meta({ description: 'As delivered, such as `1280x720`; empty until there is a video.' }),
    created_at: created,
    completed_at: created.nullable(),
    expires_at: created.nullable(),
    remixed_from_video_id: z.string().nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .meta({ id: 'OpenAIVideo', examples: [exampleVideo] })

/** As it is when it has just been created. */
export const queuedOpenaiVideo = openaiVideo.meta({
  examples: [{ ...exampleVideo, status: 'queued', progress: 0, size: '', completed_at: null, expires_at: null }],
})

export const openaiVideoList = z
  .object({
    object: z.literal('list'),
    data: z.array(openaiVideo),
    first_id: z
      .string()
      .nullable()
      .meta({ examples: [example.taskId] }),
    last_id: z
      .string()
      .nullable()
      .meta({ examples: [example.taskId] }),
    has_more: z.boolean().meta({ examples: [false] }),
  })
  .meta({ id: 'OpenAIVideoList' })

export const deletedOpenaiVideo = z
  .object({
    id: z.string().meta({ examples: [example.taskId] }),
    object: z.literal('video.deleted'),
    deleted: z.literal(true),
  })
  .meta({ id: 'DeletedOpenAIVideo' })

const secondsMax = 60

export const createOpenaiVideoBody = z
  .object({
    prompt: z.string(),
    model: z
      .string()
      .nullish()
      .meta({ description: 'A model of this service; by default the first of the catalogue.' }),
    seconds: z.coerce
      .number()
      .min(1)
      .max(secondsMax)
      .nullish()
      .meta({ description: 'The next length that the model makes.' }),
    size: z
      .string()
      .regex(/^\d{2,5}x\d{2,5}$/, 'must be a size such as 1280x720')
      .nullish()
      .meta({ description: 'Chooses the resolution; the shape follows the image.' }),
    input_reference: z
      .union([z.string(), z.object({ image_url: z.string() })], {
        error: (issue) =>
          isMissing(issue)
            ? 'is required'
            : 'must be an image: a file of a form, its URL, or an object with its image_url',
      })
      .nullish()
      .meta({ description: 'The first frame: a file in a multipart form, else a URL or a data URL. Required.' }),
  })
  .meta({
    title: 'OpenAI video request',
    examples: [{ model: example.videoModel, prompt: example.prompt, input_reference: example.imageUrl }],
  })

export const listOpenaiVideosQuery = z.object({
  after: idParam('must be the last id of the page before')
    .optional()
    .meta({ description: 'The last id of the page before.' }),
  limit: pageQuery.limit,
  order: z.literal('desc', { error: 'must be desc: newest first' }).optional(),
})

export const openaiVideoContentQuery = z.object({
  variant: z.enum(['video', 'thumbnail']).default('video'),
})

export type OpenAIVideo = z.output<typeof openaiVideo>
export type CreateOpenAIVideo = z.output<typeof createOpenaiVideoBody>
