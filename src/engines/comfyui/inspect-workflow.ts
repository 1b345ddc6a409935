// Compares a workflow with what a ComfyUI server says about its node classes (`GET /object_info/{class}`): classes that
// are not installed, required inputs that are missing, and choices such as model files that the server does not have.
// Pure.
import type { Finding } from '../engine.ts'
import type { Workflow } from './workflow.ts'

/** What the server says about each class; null: it does not have the class. */
export type NodeInfos = ReadonlyMap<string, unknown>

/** Stands for an image that is uploaded when the workflow runs, so that no list can have it yet. */
export const uploadedImage = 'dailies-image-of-the-task'

const optionsShown = 5

/** The node's description in a response of `/object_info/{class}`; null when the class is not installed. */
export function readNodeInfo(body: unknown, nodeClass: string): unknown {
  return (body as Record<string, unknown> | null)?.[nodeClass] ?? null
}

export function missingClasses(workflow: Workflow, infos: NodeInfos): string[] {
  return Object.entries(workflow)
    .filter(([, { class_type: name }]) => infos.get(name) === null)
    .map(([id, { class_type: name }]) => `node ${id}: the class ${name} is not installed`)
}

export function inspectWorkflow(workflow: Workflow, infos: NodeInfos, output: string | null): Finding[] {
  const missing = [
    ...missingClasses(workflow, infos),
    ...Object.entries(workflow).flatMap(([id, node]) => inputProblems(id, node, infos.get(node.class_type))),
  ]
  return [
    ...missing.map((message) => ({ message, isFatal: true })),
    ...outputProblems(workflow, infos, output).map((message) => ({ message, isFatal: false })),
  ]
}

function inputProblems(id: string, { class_type: name, inputs }: Workflow[string], info: unknown): string[] {
  const { required = {}, optional = {} } =
    ((info ?? {}) as { input?: Record<string, Record<string, unknown>> }).input ?? {}
  const missing = Object.keys(required).filter((input) => !Object.keys(inputs).some((given) => isFor(given, input)))
  const unknownChoices = Object.entries(inputs).flatMap(([input, value]) => {
    const options = optionsOf(required[input] ?? optional[input])
    if (options === null || Array.isArray(value) || value === uploadedImage || options.includes(value)) return []
    const shown = options.slice(0, optionsShown).join(', ') || 'nothing'
    return [`node ${id} (${name}): ${input} "${value}" is not there (there is ${shown})`]
  })
  return [...missing.map((input) => `node ${id} (${name}): the input ${input} is missing`), ...unknownChoices]
}

/** Inputs that depend on a choice are named after it, such as `resize_type.width`. */
function isFor(given: string, input: string): boolean {
  return given === input || given.startsWith(`${input}.`)
}

/** The values of an input that is a choice, in the old form and in the new one; null for any other input. */
function optionsOf(spec: unknown): unknown[] | null {
  const [type, details] = Array.isArray(spec) ? spec : []
  if (Array.isArray(type)) return isUpload(details) ? null : type
  const options = (details as { options?: unknown } | undefined)?.options
  return type === 'COMBO' && Array.isArray(options) && !isUpload(details) ? options : null
}

function isUpload(details: unknown): boolean {
  return Object.keys((details ?? {}) as object).some((name) => name.endsWith('_upload'))
}

function outputProblems(workflow: Workflow, infos: NodeInfos, output: string | null): string[] {
  const saving = Object.entries(workflow).filter(([, { class_type: name }]) => {
    const info = infos.get(name) as { output_node?: unknown } | null | undefined
    return info?.output_node === true && !/preview/i.test(name)
  })
  if (output !== null || saving.length < 2) return []
  const names = saving.map(([id, { class_type: name }]) => `${id} ${name}`).join(', ')
  return [`several nodes save (${names}): name the one that is the video with "output"`]
}
