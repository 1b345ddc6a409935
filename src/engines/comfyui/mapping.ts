// What ComfyUI's responses mean. Pure. Written from the source of ComfyUI 0.7.0 (server.py, execution.py, folder_paths.py,
// comfy_execution/progress.py), and tested against it.
import { EngineError } from '../engine.ts'
import { refusalOf } from '../remote/failures.ts'

export interface OutputFile {
  filename: string
  subfolder: string
  type: string
}

type PromptState =
  | { state: 'unknown' }
  | { state: 'done'; files: OutputFile[] }
  | { state: 'failed'; message: string; interrupted: boolean }

const filesMax = 3_600

/** What `GET /history/{id}` says about a prompt; null when it makes no sense. `output`: see `savedFiles`. */
export function readHistory(body: unknown, promptId: string, output: string | null): PromptState | null {
  if (typeof body !== 'object' || body === null) return null
  const entry = (body as Record<string, unknown>)[promptId] as
    | { outputs?: unknown; status?: { status_str?: unknown; messages?: unknown } | null }
    | undefined
  if (entry === undefined) return { state: 'unknown' }
  const { status_str: status, messages } = entry.status ?? {}
  if (status === 'error') return failedState(messages)
  const files = savedFiles(entry.outputs, output)
  if (files.length > 0) return { state: 'done', files }
  const node = output === null ? 'the workflow' : `the node ${output}`
  return { state: 'failed', message: `${node} saved no video`, interrupted: false }
}

function failedState(messages: unknown): PromptState {
  for (const message of Array.isArray(messages) ? messages : []) {
    const [event, data] = message as [unknown, { exception_message?: unknown; node_type?: unknown } | undefined]
    if (event === 'execution_interrupted') {
      return { state: 'failed', message: 'it was interrupted in ComfyUI', interrupted: true }
    }
    if (event === 'execution_error') {
      const text = `${String(data?.node_type ?? 'a node')}: ${String(data?.exception_message ?? 'failed').trim()}`
      return { state: 'failed', message: text.slice(0, 500), interrupted: false }
    }
  }
  return { state: 'failed', message: 'the workflow failed', interrupted: false }
}

const videoName = /\.(mp4|webm|mkv|mov|avi|webp|gif)$/i
const imageName = /\.(png|jpe?g)$/i

/**
 * The files of one node: of `output` where it is named, else of the last node that saved any, since drafts come first.
 * One video if there is any, else the images in order. Previews, which lie in the temporary folder, never count.
 */
export function savedFiles(outputs: unknown, output: string | null): OutputFile[] {
  const nodes = Object.entries((outputs ?? {}) as Record<string, unknown>)
    .filter(([id]) => output === null || id === output)
    .map(([, value]) => filesOf(value))
  const last = nodes.findLast((files) => files.some(isVideo)) ?? nodes.findLast((files) => files.some(isImage)) ?? []
  const video = last.findLast(isVideo)
  return video ? [video] : last.filter(isImage).slice(0, filesMax)
}

function filesOf(nodeOutput: unknown): OutputFile[] {
  const lists = Object.values((nodeOutput ?? {}) as Record<string, unknown>).filter(Array.isArray)
  return lists.flat().filter((file) => isFile(file) && file.type === 'output')
}

const isVideo = ({ filename }: OutputFile) => videoName.test(filename)
const isImage = ({ filename }: OutputFile) => imageName.test(filename)

function isFile(value: unknown): value is OutputFile {
  const { filename, subfolder, type } = (value ?? {}) as Record<string, unknown>
  return typeof filename === 'string' && typeof subfolder === 'string' && typeof type === 'string'
}

/** Whether `GET /queue` still has the prompt, and whether it runs; null when the response makes no sense. */
export function readQueue(body: unknown, promptId: string): 'running' | 'pending' | 'absent' | null {
  const { queue_running: running, queue_pending: pending } = (body ?? {}) as Record<string, unknown>
  if (!Array.isArray(running) || !Array.isArray(pending)) return null
  const has = (items: unknown[]) => items.some((item) => Array.isArray(item) && item[1] === promptId)
  return has(running) ? 'running' : has(pending) ? 'pending' : 'absent'
}

/**
 * The progress that a message on the socket reports, in percent; null when it is about something else. A node counts
 * as much as it has steps, so that the sampler, where the time goes, moves the number.
 */
export function readProgress(message: unknown, promptId: string, weights: ReadonlyMap<string, number>): number | null {
  const { type, data } = (message ?? {}) as { type?: unknown; data?: Record<string, unknown> }
  if (type !== 'progress_state' || data?.prompt_id !== promptId) return null
  const states = (data.nodes ?? {}) as Record<string, { value?: unknown; max?: unknown }>
  let total = 0
  let done = 0
  for (const id of new Set([...weights.keys(), ...Object.keys(states)])) {
    const state = states[id]
    const max = Number(state?.max) || 1
    // A node that runs says itself how many steps it has.
    const weight = state !== undefined && max > 1 ? max : (weights.get(id) ?? 1)
    total += weight
    done += weight * Math.min(1, (Number(state?.value) || 0) / max)
  }
  return Math.min(99, (100 * done) / Math.max(total, 1))
}

type SubmittedPrompt = { id: string } | 'busy' | { failure: EngineError; queuedId: string | null } | null

/**
 * What the response to `POST /prompt` means; null when it makes no sense. ComfyUI responds with 200 when only a part of
 * the workflow is valid, and runs that part: `queuedId` is what has to be removed from its queue again.
 */
export function readSubmitted(engine: string, status: number, body: unknown): SubmittedPrompt {
  const { prompt_id: id, error, node_errors: nodeErrors } = (body ?? {}) as Record<string, unknown>
  const problems = nodeProblems(nodeErrors)
  const refused = (message: string, retryable: boolean) =>
    // A workflow that does not fit the server is for the operator to correct.
    new EngineError(refusalOf(engine, 'workflow', status, message), {
      retryable,
      blame: 'engine',
    })
  if (status === 200) {
    if (typeof id !== 'string' || id === '') return null
    if (problems.length === 0) return { id: id.slice(0, 200) }
    return { failure: refused(problems.join('; '), false), queuedId: id.slice(0, 200) }
  }
  if (status === 429 || status === 503) return 'busy'
  const { message, details } = (error ?? {}) as { message?: unknown; details?: unknown }
  const words = [message, details].filter((text) => typeof text === 'string' && text !== '').join(': ')
  const text = problems.length > 0 ? problems.join('; ') : words.slice(0, 500)
  return { failure: refused(text, status >= 500), queuedId: null }
}

const problemsShown = 5

/** What `node_errors` says about each node, with the details: `unet_name: 'a.safetensors' not in […]`. */
function nodeProblems(nodeErrors: unknown): string[] {
  const nodes = Object.entries((nodeErrors ?? {}) as Record<string, unknown>)
  return nodes.slice(0, problemsShown).flatMap(([id, node]) => {
    const { class_type: nodeClass, errors } = (node ?? {}) as { class_type?: unknown; errors?: unknown }
    const reasons = (Array.isArray(errors) ? errors : []).slice(0, problemsShown).map((each) => {
      const { message, details } = (each ?? {}) as { message?: unknown; details?: unknown }
      return [message, details].filter((text) => typeof text === 'string' && text !== '').join(': ')
    })
    return [`node ${id} (${String(nodeClass ?? 'unknown')}): ${reasons.join(', ') || 'invalid'}`.slice(0, 500)]
  })
}

export function failureOf(engine: string, { message, interrupted }: PromptState & { state: 'failed' }): EngineError {
  const text = `The engine ${engine} failed the video: ${message}`
  // A user pressed "interrupt" there; running it again would defeat that.
  return new EngineError(text, interrupted ? { retryable: false, blame: 'task' } : { retryable: true })
}

/** A UUID made from a hash: the same clip always gets the same prompt id, so that it is found instead of sent twice. */
export function promptIdOf(hex: string): string {
  const digits = `${hex.slice(0, 12)}8${hex.slice(13, 16)}a${hex.slice(17, 32)}`
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
