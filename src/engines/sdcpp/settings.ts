// Settings of an engine of type `sdcpp`.
import { z } from 'zod'
import { commonSettings } from '../remote/common-settings.ts'

export const sdcppSettings = z.strictObject({
  type: z.literal('sdcpp'),
  ...commonSettings,
  /** Frames per second that the loaded model is made for. */
  fps: z.int().min(1).max(60).default(16),
  /** The longest clip it makes; longer videos are made of several. */
  secondsMax: z.number().min(1).max(60).default(5),
  /** The short side of what it makes, in pixels; the video is scaled up from there. */
  shortSide: z.int().min(64).max(2160).default(480),
  lastFrame: z.boolean().default(true),
  format: z.enum(['webm', 'webp', 'avi']).default('webm'),
  /** Further fields of the request, such as sample_params, sent as they are. */
  fields: z.record(z.string(), z.json()).default({}),
})

export type SdcppSettings = z.output<typeof sdcppSettings>
