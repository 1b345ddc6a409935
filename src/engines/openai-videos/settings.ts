// Settings of an engine of type `openai-videos`.
import { z } from 'zod'
import { commonSettings } from '../remote/common-settings.ts'

export const openaiVideosSettings = z.strictObject({
  type: z.literal('openai-videos'),
  ...commonSettings,
  /** The server's name for its model; many servers have one and ignore this. */
  model: z.string().min(1).optional(),
  /** Lengths that the server makes; left out: any whole number of seconds. */
  seconds: z.array(z.int().min(1).max(60)).min(1).optional(),
  /** Sizes that the server makes, such as "1280x720"; left out: whatever is asked. */
  sizes: z
    .array(z.string().regex(/^\d{2,4}x\d{2,4}$/, 'must be a size such as 1280x720'))
    .min(1)
    .optional(),
  /** The form field for a last frame; left out: the server takes none. */
  lastFrameField: z.string().min(1).optional(),
  /** Whether the server's own extra fields (negative_prompt, width, height) are sent. */
  extraFields: z.boolean().default(false),
  /** Further form fields, sent as they are. */
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
})

export type OpenaiVideosSettings = z.output<typeof openaiVideosSettings>
