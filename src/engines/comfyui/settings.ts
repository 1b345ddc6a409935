// Settings of an engine of type `comfyui`.
import { z } from 'zod'
import { commonSettings } from '../remote/common-settings.ts'

/** One input of one node: the node's number or title, then the input's name, which may have dots of its own. */
const place = z.string().regex(/^[^.]+\..+$/, 'must name a node and its input, such as "6.text"')
const places = z.union([place, z.array(place)]).transform((value) => (Array.isArray(value) ? value : [value]))

/** Where the values of a plan go in a workflow. */
const workflowPlaces = z.strictObject({
  firstFrame: places,
  prompt: places.optional(),
  negativePrompt: places.optional(),
  lastFrame: places.optional(),
  width: places.optional(),
  height: places.optional(),
  frames: places.optional(),
  fps: places.optional(),
  seed: places.optional(),
})

export const comfyuiSettings = z.strictObject({
  type: z.literal('comfyui'),
  ...commonSettings,
  /** A bundled template, or the path of a workflow exported with "Export (API)", relative to the configuration file. */
  workflow: z.string().min(1),
  /** Required for a workflow of your own. */
  nodes: workflowPlaces.optional(),
  /** The node whose files are the video, by number or title; needed where several nodes save. */
  output: z.string().min(1).optional(),
  /** Values for the placeholders of a template, such as the file name of a model. */
  values: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  /** Default as in the template; for a workflow of your own 16, 4, 16 and 5. */
  fps: z.int().min(1).max(60).optional(),
  /** The number of frames is 1 more than a multiple of this. */
  frameStep: z.int().min(1).max(64).optional(),
  /** Width and height are multiples of this. */
  sizeStep: z.int().min(1).max(128).optional(),
  secondsMax: z.number().min(1).max(60).optional(),
  shortSide: z.int().min(64).max(2160).default(480),
})

export type ComfyuiSettings = z.output<typeof comfyuiSettings>
export type WorkflowPlaces = z.output<typeof workflowPlaces>
