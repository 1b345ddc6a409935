// Workflows in ComfyUI's API format, and how a clip's values get into them: by `{{placeholders}}` in a bundled template,
// or at named places of an operator's own export. Pure.
import { z } from 'zod'
import type { WorkflowPlaces } from './settings.ts'

const node = z.looseObject({
  class_type: z.string(),
  inputs: z.record(z.string(), z.json()),
  _meta: z.looseObject({ title: z.string().optional() }).optional(),
})
export const workflowSchema = z.record(z.string(), node)
export type Workflow = z.output<typeof workflowSchema>

export const templateSchema = z.strictObject({
  about: z.string(),
  fps: z.int(),
  frameStep: z.int(),
  sizeStep: z.int(),
  secondsMax: z.number(),
  lastFrame: z.boolean(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  workflow: workflowSchema,
})

/** What a clip puts into a workflow. Null: the clip has none, and the nodes that would use it are removed. */
export type WorkflowValues = Record<string, string | number | null>

const placeholder = /^\{\{(\w+)\}\}$/

export function fillTemplate(workflow: Workflow, values: WorkflowValues): Workflow {
  const gone = new Set(
    Object.entries(workflow)
      .filter(([, { inputs }]) => Object.values(inputs).some((input) => valueFor(input, values) === null))
      .map(([id]) => id),
  )
  const filled = Object.entries(workflow)
    .filter(([id]) => !gone.has(id))
    .map(([id, each]) => {
      const inputs = Object.entries(each.inputs)
        .filter(([, input]) => !(Array.isArray(input) && gone.has(String(input[0]))))
        .map(([name, input]) => [name, valueFor(input, values) ?? input] as const)
      return [id, { ...each, inputs: Object.fromEntries(inputs) }] as const
    })
  return Object.fromEntries(filled)
}

/** The value of an input that is a placeholder; undefined for any other. */
function valueFor(input: unknown, values: WorkflowValues): string | number | null | undefined {
  const name = typeof input === 'string' ? placeholder.exec(input)?.[1] : undefined
  if (name === undefined) return undefined
  if (!Object.hasOwn(values, name)) throw new Error(`the workflow asks for {{${name}}}, which has no value`)
  return values[name]!
}

/** An operator's own workflow with the clip's values at the named places. */
export function fillPlaces(workflow: Workflow, places: WorkflowPlaces, values: WorkflowValues): Workflow {
  const filled = structuredClone(workflow)
  for (const [name, targets] of Object.entries(places)) {
    const value = values[name]
    if (value === undefined || value === null) continue
    for (const target of targets ?? []) {
      const [id, input] = splitPlace(target)
      filled[nodeIdOf(filled, id)!]!.inputs[input] = value
    }
  }
  return filled
}

/** Places that the workflow does not have, as messages. */
export function missingPlaces(workflow: Workflow, places: WorkflowPlaces): string[] {
  return Object.entries(places).flatMap(([name, targets]) =>
    (targets ?? []).flatMap((target) => {
      const [id, input] = splitPlace(target)
      const found = nodeIdOf(workflow, id)
      if (found === undefined) return [`nodes.${name}: the workflow has no node "${id}"`]
      return Object.hasOwn(workflow[found]!.inputs, input)
        ? []
        : [`nodes.${name}: the node "${id}" has no input "${input}"`]
    }),
  )
}

/** At the first dot: names of inputs may contain dots, such as `resize_type.width`. */
function splitPlace(place: string): [node: string, input: string] {
  const dot = place.indexOf('.')
  return [place.slice(0, dot), place.slice(dot + 1)]
}

/** The classes of the nodes that get an image of the clip. */
export function imageNodeClasses(workflow: Workflow, places: WorkflowPlaces | null): string[] {
  if (places === null) {
    const isImage = (input: unknown) => input === '{{firstFrame}}' || input === '{{lastFrame}}'
    return Object.values(workflow)
      .filter(({ inputs }) => Object.values(inputs).some(isImage))
      .map(({ class_type: name }) => name)
  }
  const targets = [...places.firstFrame, ...(places.lastFrame ?? [])]
  return targets.map((target) => workflow[nodeIdOf(workflow, splitPlace(target)[0])!]!.class_type)
}

/** How much of the work each node stands for: a sampler as much as it has steps, any other node 1. */
export function nodeWeights(workflow: Workflow): Map<string, number> {
  return new Map(
    Object.entries(workflow).map(([id, { inputs }]) => [
      id,
      typeof inputs.steps === 'number' ? Math.max(1, inputs.steps) : 1,
    ]),
  )
}

/** Whether it is a workflow as the editor saves it, which only the editor can run. */
export function isEditorFormat(content: unknown): boolean {
  const { nodes, links } = (content ?? {}) as { nodes?: unknown; links?: unknown }
  return Array.isArray(nodes) && Array.isArray(links)
}

export function nodeIdOf(workflow: Workflow, idOrTitle: string): string | undefined {
  if (Object.hasOwn(workflow, idOrTitle)) return idOrTitle
  return Object.keys(workflow).find((id) => workflow[id]!._meta?.title === idOrTitle)
}
