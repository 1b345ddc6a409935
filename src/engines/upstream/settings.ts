// Settings of an engine of type `upstream`.
import { z } from 'zod'
import { commonSettings } from '../remote/common-settings.ts'

export const upstreamSettings = z.strictObject({
  type: z.literal('upstream'),
  ...commonSettings,
  /** The upstream service's name for the model; left out: our own. */
  model: z.string().min(1).optional(),
})

export type UpstreamSettings = z.output<typeof upstreamSettings>
