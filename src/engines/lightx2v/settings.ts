// Settings of an engine of type `lightx2v`.
import { z } from 'zod'
import { commonSettings } from '../remote/common-settings.ts'

export const lightx2vSettings = z.strictObject({
  type: z.literal('lightx2v'),
  ...commonSettings,
  /** Frames per second of the server's model. */
  fps: z.int().min(1).max(60).default(16),
  /** The number of frames is 1 more than a multiple of this. */
  frameStep: z.int().min(1).max(64).default(4),
  /** The longest clip it makes; longer videos are made of several. */
  secondsMax: z.number().min(1).max(60).default(5),
  /** The short side of the images that it gets, in pixels; the server sizes the video after them. */
  shortSide: z.int().min(64).max(2160).default(480),
  /** Whether the server was started for first and last frame (`--task flf2v`). */
  lastFrame: z.boolean().default(false),
  /** Further fields of the request, such as infer_steps, sent as they are. */
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
})

export type Lightx2vSettings = z.output<typeof lightx2vSettings>
