// Stands in for a ComfyUI server: images in, prompts with an id of the caller's, queue, history, view, interrupt, node
// descriptions and the socket. Behaves as ComfyUI 0.7.0 did when it was run on the CPU. Quirks:
// - `partly valid`: a part of the workflow is invalid; 200 with `node_errors`, and the rest runs
// - `only previews`: the run leaves nothing but a preview in the temporary folder
// - `two outputs`: a draft is saved by the node `draft` before the video
// - `interrupted`: the run was interrupted by hand
// - `no sampler`: the class KSamplerAdvanced is not installed
// - `no model file`: the list of diffusion models is empty
import type { Duplex } from 'node:stream'
import { startSocketServer } from './comfyui-socket.ts'
import { type StandIn, type StandInJob, startStandIn, type Wire } from './stand-in.ts'

export interface ComfyuiStandIn extends StandIn {
  /** Images that were uploaded: where they lie. */
  readonly uploads: { name: string; subfolder: string; type: string }[]
  /** The `Authorization` header of each socket that was opened. */
  readonly sockets: (string | undefined)[]
  /** Reports on every open socket that a node is at `value` of `max`. */
  report(promptId: string, nodes: Record<string, { value: number; max: number }>): void
  cutSockets(): void
}

export async function startComfyui(): Promise<ComfyuiStandIn> {
  const uploads: ComfyuiStandIn['uploads'] = []
  const sockets = startSocketServer()
  const standIn = await startStandIn((wire) => respond(wire, uploads), {
    onUpgrade: (request, socket: Duplex) => sockets.accept(request, socket),
  })
  return {
    ...standIn,
    uploads,
    sockets: sockets.authorizations,
    report: (promptId, nodes) =>
      sockets.send(JSON.stringify({ type: 'progress_state', data: { prompt_id: promptId, nodes } })),
    cutSockets: () => sockets.cut(),
    async close() {
      sockets.cut()
      await standIn.close()
    },
  }
}

async function respond(wire: Wire, uploads: ComfyuiStandIn['uploads']): Promise<void> {
  const { request, url, body, jobs, json, quirks, sendResult } = wire
  const parsed = () => JSON.parse(body.toString())
  switch (`${request.method} ${url.pathname}`) {
    case 'POST /upload/image':
      return upload(wire, uploads)
    case 'POST /prompt':
      return submit(wire, parsed())
    case 'GET /queue':
      return json(200, { queue_running: items(jobs, 'running'), queue_pending: items(jobs, 'queued') })
    case 'POST /queue':
      for (const id of parsed().delete ?? []) jobs.get(id)!.state = 'canceled'
      return json(200, {})
    case 'POST /history':
      for (const id of parsed().delete ?? []) jobs.delete(id)
      return json(200, {})
    case 'POST /interrupt':
      jobs.get(parsed().prompt_id)!.state = 'canceled'
      return json(200, {})
    case 'GET /view': {
      const [, id] = /^(?:draft|video|preview)_(.+)\.\w+$/.exec(url.searchParams.get('filename') ?? '') ?? []
      return sendResult(jobs.get(id ?? '')!)
    }
  }
  const [, kind, name = ''] = /^\/(history|object_info)\/(.+)$/.exec(url.pathname) ?? []
  if (kind === 'object_info') return json(200, nodeInfo(decodeURIComponent(name), quirks))
  const job = jobs.get(name)
  return json(200, job ? history(job, quirks) : {})
}

async function upload({ request, body, json }: Wire, uploads: ComfyuiStandIn['uploads']): Promise<void> {
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': request.headers['content-type'] ?? '' },
  }).formData()
  const { name } = form.get('image') as File
  const stored = { name, subfolder: String(form.get('subfolder') ?? ''), type: String(form.get('type') ?? 'input') }
  uploads.push(stored)
  json(200, stored)
}

interface Submitted {
  prompt?: Record<string, { class_type: string; inputs: Record<string, unknown> }>
  prompt_id: string
}

async function submit({ add, json, quirks }: Wire, { prompt, prompt_id: id }: Submitted): Promise<void> {
  if (!prompt) return json(400, { error: { type: 'no_prompt', message: 'No prompt provided' }, node_errors: {} })
  const absent = Object.entries(prompt).find(([, node]) => Object.keys(nodeInfo(node.class_type, quirks)).length === 0)
  if (absent) {
    const message = `Cannot execute because node ${absent[1].class_type} does not exist.`
    return json(400, {
      error: { type: 'invalid_prompt', message, details: `Node ID '#${absent[0]}'` },
      node_errors: {},
    })
  }
  const invalid = {
    '37': {
      errors: [
        {
          type: 'value_not_in_list',
          message: 'Value not in list',
          details: "unet_name: 'wan.safetensors' not in ['other.safetensors']",
          extra_info: {},
        },
      ],
      dependent_outputs: ['58'],
      class_type: 'UNETLoader',
    },
  }
  const lengths = Object.values(prompt).map(({ inputs }) => Number(inputs.length ?? Number.NaN))
  const frames = lengths.find((length) => !Number.isNaN(length)) ?? 81
  const job = add({ prompt }, { id, seconds: frames / 16 })
  json(200, { prompt_id: job.id, number: 1, node_errors: quirks.has('partly valid') ? invalid : {} })
}

function items(jobs: Map<string, StandInJob>, state: StandInJob['state']) {
  return [...jobs.values()]
    .filter((job) => job.state === state)
    .map((job, i) => [i, job.id, job.request.prompt, {}, []])
}

function history({ id, state }: StandInJob, quirks: ReadonlySet<string>) {
  if (state === 'done' && !quirks.has('interrupted')) {
    const file = (name: string, type: string) => ({
      images: [{ filename: `${name}_${id}.mp4`, subfolder: 'dailies', type }],
      animated: [true],
    })
    const outputs = quirks.has('only previews')
      ? { preview: file('preview', 'temp') }
      : { ...(quirks.has('two outputs') ? { draft: file('draft', 'output') } : {}), save: file('video', 'output') }
    return { [id]: { outputs, status: { status_str: 'success', completed: true, messages: [] } } }
  }
  if (state === 'queued' || state === 'running') return {}
  const event = state === 'failed' ? 'execution_error' : 'execution_interrupted'
  const data = { node_type: 'KSampler', exception_message: 'out of memory' }
  return { [id]: { outputs: {}, status: { status_str: 'error', completed: false, messages: [[event, data]] } } }
}

/** The description of a class, with the inputs that have choices; of an unknown one an empty object. */
function nodeInfo(name: string, quirks: ReadonlySet<string>): Record<string, unknown> {
  if (quirks.has('no sampler') && name === 'KSamplerAdvanced') return {}
  if (name === 'NotInstalled') return {}
  const models = quirks.has('no model file') ? { unet_name: [[], {}] } : {}
  const choices = name === 'UNETLoader' ? models : name === 'LoadImage' ? { image: [[], { image_upload: true }] } : {}
  return { [name]: { input: { required: choices }, output_node: name.startsWith('Save') } }
}
