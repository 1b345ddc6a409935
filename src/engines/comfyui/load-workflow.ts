// Reads the workflow of an engine: a bundled template, or an operator's file. Mistakes in it stop the start.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OperatorError } from '../../platform/errors.ts'
import { withoutUndefined } from '../../platform/without-undefined.ts'
import { problemsText } from '../../schema/problem.ts'
import { parseWith } from '../../schema/validation.ts'
import type { ComfyuiSettings } from './settings.ts'
import {
  fillPlaces,
  fillTemplate,
  imageNodeClasses,
  isEditorFormat,
  missingPlaces,
  nodeIdOf,
  templateSchema,
  type Workflow,
  type WorkflowValues,
  workflowSchema,
} from './workflow.ts'

interface LoadedWorkflow {
  fill(values: WorkflowValues): Workflow
  /** The node whose files are the video; null: the last one that saves. */
  output: string | null
  /** Whether images may lie in ComfyUI's temporary folder, which it empties when it starts. */
  takesTemporaryImages: boolean
  lastFrame: boolean
  fps: number
  frameStep: number
  sizeStep: number
  secondsMax: number
}

const templates = ['wan-first-last-frame', 'ltx-image-to-video']
const ownDefaults = { fps: 16, frameStep: 4, sizeStep: 16, secondsMax: 5 }
/** ComfyUI's own node, known to understand `name [temp]`. */
const loadImage = 'LoadImage'

/** The workflow of the settings, its path made absolute: it is relative to the configuration file's folder. */
export function workflowIn(folder: string, workflow: string): string {
  return templates.includes(workflow) ? workflow : resolve(folder, workflow)
}

export function loadWorkflow(name: string, settings: ComfyuiSettings): LoadedWorkflow {
  const refuse = (message: string): never => {
    throw new OperatorError(`engines.${name}: ${message}`)
  }
  const { fps, frameStep, sizeStep, secondsMax, nodes } = settings
  const given = withoutUndefined({ fps, frameStep, sizeStep, secondsMax })
  const outputOf = (workflow: Workflow): string | null => {
    if (settings.output === undefined) return null
    return nodeIdOf(workflow, settings.output) ?? refuse(`output: the workflow has no node "${settings.output}"`)
  }
  const takesTemporaryImages = (workflow: Workflow, places: typeof nodes | null) =>
    imageNodeClasses(workflow, places ?? null).every((nodeClass) => nodeClass === loadImage)

  if (templates.includes(settings.workflow)) {
    const path = fileURLToPath(new URL(`templates/${settings.workflow}.json`, import.meta.url))
    const { about: _, values, workflow, ...template } = templateSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
    const unknown = Object.keys(settings.values).filter((key) => !Object.hasOwn(values, key))
    const known = Object.keys(values).join(', ')
    if (unknown.length > 0) refuse(`values: the template has no ${unknown.join(', ')} (it has ${known})`)
    return {
      ...template,
      ...given,
      output: outputOf(workflow),
      takesTemporaryImages: takesTemporaryImages(workflow, null),
      fill: (filled) => fillTemplate(workflow, { ...values, ...settings.values, ...filled }),
    }
  }
  if (!existsSync(settings.workflow)) {
    refuse(`workflow: there is no file ${settings.workflow}, and no template of that name (${templates.join(', ')})`)
  }
  const content = readJson(settings.workflow, refuse)
  if (isEditorFormat(content)) {
    refuse(`workflow: ${settings.workflow} is saved for the editor; in ComfyUI use Workflow → Export (API)`)
  }
  const parsed = parseWith(workflowSchema, content, 'workflow')
  if (!parsed.ok) return refuse(`${problemsText(parsed.problems)} (in ComfyUI use Workflow → Export (API))`)
  if (nodes === undefined) return refuse('nodes: is required for a workflow of your own')
  const missing = missingPlaces(parsed.value, nodes)
  if (missing.length > 0) refuse(missing.join('; '))
  return {
    ...ownDefaults,
    ...given,
    output: outputOf(parsed.value),
    takesTemporaryImages: takesTemporaryImages(parsed.value, nodes),
    lastFrame: nodes.lastFrame !== undefined,
    fill: (values) => fillPlaces(parsed.value, nodes, values),
  }
}

function readJson(path: string, refuse: (message: string) => never): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    return refuse(`workflow: ${path} is not JSON: ${(error as Error).message}`)
  }
}
