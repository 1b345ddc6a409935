// ComfyUI's answers in our words. Pure. Read: server.py, execution.py, comfy_execution/progress.py and
// script_examples/websockets_api_example.py of ComfyUI 0.7.0 (2026-01-03).
import { EngineError } from '../engine.ts'

export interface OutputFile {
  filename: string
  subfolder: string
  type: string
}

export type PromptState =
  | { state: 'unknown' }
  | { state: 'done'; files: OutputFile[] }
  | { state: 'failed'; message: string; interrupted: boolean }

const filesMax = 3_600

/** What `GET /history/{id}` says of a prompt; null when it makes no sense. */
export function readHistory(body: unknown, promptId: string): PromptState | null {
  if (typeof body !== 'object' || body === null) return null
  const entry = (body as Record<string, unknown>)[promptId] as
    | { outputs?: unknown; status?: { status_str?: unknown; messages?: unknown } | null }
    | undefined
  if (entry === undefined) return { state: 'unknown' }
  const { status_str: status, messages } = entry.status ?? {}
  if (status === 'error') return failedState(messages)
  const files = chosenFiles(entry.outputs)
  if (files.length === 0) return { state: 'failed', message: 'the workflow gave no video', interrupted: false }
  return { state: 'done', files }
}

function failedState(messages: unknown): PromptState {
  for (const message of Array.isArray(messages) ? messages : []) {
    const [event, data] = message as [unknown, { exception_message?: unknown; node_type?: unknown } | undefined]
    if (event === 'execution_interrupted') return { state: 'failed', message: 'it was interrupted', interrupted: true }
    if (event === 'execution_error') {
      const words = `${String(data?.node_type ?? 'a node')}: ${String(data?.exception_message ?? 'failed').trim()}`
      return { state: 'failed', message: words.slice(0, 500), interrupted: false }
    }
  }
  return { state: 'failed', message: 'the workflow failed', interrupted: false }
}

const videoName = /\.(mp4|webm|mkv|mov|avi|webp|gif)$/i
const imageName = /\.(png|jpe?g)$/i

/** One video if there is any, else the single images in order. Previews that were not kept do not count. */
export function chosenFiles(outputs: unknown): OutputFile[] {
  const lists = Object.values((outputs ?? {}) as Record<string, unknown>).flatMap((output) =>
    Object.values((output ?? {}) as Record<string, unknown>).filter(Array.isArray),
  )
  const files = lists.flat().filter(isFile)
  const kept = files.filter(({ type }) => type === 'output')
  const among = kept.length > 0 ? kept : files
  const video = among.find(({ filename }) => videoName.test(filename))
  if (video) return [video]
  return among.filter(({ filename }) => imageName.test(filename)).slice(0, filesMax)
}

function isFile(value: unknown): value is OutputFile {
  const { filename, subfolder, type } = (value ?? {}) as Record<string, unknown>
  return typeof filename === 'string' && typeof subfolder === 'string' && typeof type === 'string'
}

/** Whether `GET /queue` still has the prompt, and whether it runs; null when the answer makes no sense. */
export function readQueue(body: unknown, promptId: string): 'running' | 'pending' | 'absent' | null {
  const { queue_running: running, queue_pending: pending } = (body ?? {}) as Record<string, unknown>
  if (!Array.isArray(running) || !Array.isArray(pending)) return null
  const has = (items: unknown[]) => items.some((item) => Array.isArray(item) && item[1] === promptId)
  return has(running) ? 'running' : has(pending) ? 'pending' : 'absent'
}

/** The share of the work that a message on the socket tells of, in percent; null when it is about something else. */
export function readProgress(message: unknown, promptId: string, nodes: number): number | null {
  const { type, data } = (message ?? {}) as { type?: unknown; data?: Record<string, unknown> }
  if (type !== 'progress_state' || data?.prompt_id !== promptId) return null
  const states = Object.values((data.nodes ?? {}) as Record<string, { value?: unknown; max?: unknown }>)
  const done = states.reduce((sum, { value, max }) => sum + Math.min(1, Number(value) / Number(max) || 0), 0)
  return Math.min(99, (100 * done) / Math.max(nodes, states.length, 1))
}

export type Submitted = { id: string } | 'busy' | { failure: EngineError } | null

export function readSubmitted(engine: string, status: number, body: unknown): Submitted {
  const { prompt_id: id, error, node_errors: nodeErrors } = (body ?? {}) as Record<string, unknown>
  if (status === 200) return typeof id === 'string' && id !== '' ? { id: id.slice(0, 200) } : null
  if (status === 429 || status === 503) return 'busy'
  const message = (error as { message?: unknown } | null)?.message
  const nodes =
    typeof nodeErrors === 'object' && nodeErrors !== null ? Object.keys(nodeErrors).slice(0, 5).join(', ') : ''
  const words = `The engine ${engine} did not take the workflow (${status}): ${String(message ?? '').slice(0, 300)}${nodes && ` (nodes ${nodes})`}`
  // A workflow that does not fit the server is the operator's to mend.
  return { failure: new EngineError(words, { retryable: status >= 500, blame: 'engine' }) }
}

export function failureOf(engine: string, { message }: PromptState & { state: 'failed' }): EngineError {
  return new EngineError(`The engine ${engine} failed the video: ${message}`, { retryable: true })
}

/** A UUID of a text: the same prompt id whenever the same clip is submitted, so that it is found before it is sent twice. */
export function promptIdOf(hex: string): string {
  const digits = `${hex.slice(0, 12)}8${hex.slice(13, 16)}a${hex.slice(17, 32)}`
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
