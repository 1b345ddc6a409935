// Reads the workflow of an engine: a template that comes with us, or an operator's file. What is wrong with it is told
// at start.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { OperatorError } from '../../platform/errors.ts'
import { parseWith } from '../../schema/validation.ts'
import type { ComfyuiSettings } from './settings.ts'
import {
  fillPlaces,
  fillTemplate,
  missingPlaces,
  templateSchema,
  type Workflow,
  type WorkflowValues,
  workflowSchema,
} from './workflow.ts'

export interface LoadedWorkflow {
  fill(values: WorkflowValues): Workflow
  nodes: number
  lastFrame: boolean
  fps: number
  frameStep: number
  sizeStep: number
  secondsMax: number
}

const templates = ['wan-first-last-frame', 'ltx-image-to-video']
const ofOnesOwn = { fps: 16, frameStep: 4, sizeStep: 16, secondsMax: 5 }

export function loadWorkflow(name: string, settings: ComfyuiSettings): LoadedWorkflow {
  const complain = (words: string): never => {
    throw new OperatorError(`engines.${name}: ${words}`)
  }
  const { fps, frameStep, sizeStep, secondsMax, nodes } = settings
  const given = Object.fromEntries(
    Object.entries({ fps, frameStep, sizeStep, secondsMax }).filter(([, value]) => value !== undefined),
  )
  if (templates.includes(settings.workflow)) {
    const path = fileURLToPath(new URL(`templates/${settings.workflow}.json`, import.meta.url))
    const template = templateSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
    const unknown = Object.keys(settings.values).filter((key) => !Object.hasOwn(template.values, key))
    const known = Object.keys(template.values).join(', ')
    if (unknown.length > 0) complain(`values: the template has no ${unknown.join(', ')} (it has ${known})`)
    const { workflow, lastFrame } = template
    const fixed = { ...template.values, ...settings.values }
    return {
      ...{ lastFrame, nodes: Object.keys(workflow).length },
      ...{ fps: template.fps, frameStep: template.frameStep, sizeStep: template.sizeStep },
      secondsMax: template.secondsMax,
      ...given,
      fill: (values) => fillTemplate(workflow, { ...fixed, ...values }),
    }
  }
  if (!existsSync(settings.workflow)) {
    complain(`workflow: there is no file ${settings.workflow}, and no template of that name (${templates.join(', ')})`)
  }
  const parsed = parseWith(workflowSchema, readJson(settings.workflow, complain), 'workflow')
  if (!parsed.ok) return complain(`${parsed.problems.join('; ')} (export it with "Export (API)")`)
  if (nodes === undefined) return complain('nodes: is required for a workflow of your own')
  const missing = missingPlaces(parsed.value, nodes)
  if (missing.length > 0) complain(missing.join('; '))
  return {
    ...{ ...ofOnesOwn, ...given },
    nodes: Object.keys(parsed.value).length,
    lastFrame: nodes.lastFrame !== undefined,
    fill: (values) => fillPlaces(parsed.value, nodes, values),
  }
}

function readJson(path: string, complain: (words: string) => never): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    return complain(`workflow: ${path} is not JSON: ${(error as Error).message}`)
  }
}
