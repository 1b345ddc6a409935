// Settings of an engine of type `openai-videos`.
import { z } from 'zod'
import { commonSettings } from '../remote/common-settings.ts'

export const openaiVideosSettings = z
  .strictObject({
    type: z.literal('openai-videos'),
    ...commonSettings,
    /** The server's name for its model; many servers have one and ignore this. */
    model: z.string().min(1).optional(),
    /** Lengths that the server makes; left out: any whole number of seconds. */
    seconds: z.array(z.int().min(1).max(60)).min(1).optional(),
    /** Sizes that the server makes, such as "1280x720"; left out: any in multiples of `sizeStep`. */
    sizes: z
      .array(z.string().regex(/^\d{2,4}x\d{2,4}$/, 'must be a size such as 1280x720'))
      .min(1)
      .optional(),
    /** Width and height are multiples of this; diffusion models refuse other sizes. */
    sizeStep: z.int().min(1).max(128).default(16),
    /** The short side of what it makes, in pixels; the video is scaled up from there. Left out: as requested. */
    shortSide: z.int().min(64).max(2160).optional(),
    /** The form field for a last frame beside `input_reference`. */
    lastFrameField: z.string().min(1).optional(),
    /** The form field for first and last frame together, in place of `input_reference` (vLLM-Omni: input_references). */
    framesField: z.string().min(1).optional(),
    /** Whether the server's own extra fields (negative_prompt, width, height, seed) are sent. */
    extraFields: z.boolean().default(false),
    /** Further form fields, sent as they are. */
    fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  })
  .refine((settings) => settings.lastFrameField === undefined || settings.framesField === undefined, {
    path: ['framesField'],
    message: 'must be left out where lastFrameField is given',
  })

export type OpenaiVideosSettings = z.output<typeof openaiVideosSettings>
