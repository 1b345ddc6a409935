// Stands in for a ComfyUI server: images in, prompts with an id of the caller's, queue, history, view and interrupt.
// It has no socket: progress is a courtesy there, and its absence must not matter.
import { type StandIn, type StandInJob, startStandIn } from './stand-in.ts'

export function startComfyui(): Promise<StandIn> {
  return startStandIn(async ({ request, url, body, jobs, add, json, sendResult }) => {
    switch (`${request.method} ${url.pathname}`) {
      case 'POST /upload/image':
        return json(200, { name: 'first.jpg', subfolder: 'dailies', type: 'input' })
      case 'POST /prompt': {
        const { prompt, prompt_id: id } = JSON.parse(body.toString())
        if (!prompt) return json(400, { error: { message: 'No prompt provided' }, node_errors: {} })
        return json(200, { prompt_id: add({ prompt }, id).id, number: 1, node_errors: {} })
      }
      case 'GET /queue':
        return json(200, { queue_running: items(jobs, 'running'), queue_pending: items(jobs, 'queued') })
      case 'POST /queue':
        for (const id of JSON.parse(body.toString()).delete ?? []) jobs.get(id)!.state = 'canceled'
        return json(200, {})
      case 'POST /interrupt':
        jobs.get(JSON.parse(body.toString()).prompt_id)!.state = 'canceled'
        return json(200, {})
      case 'GET /view':
        return sendResult()
      default: {
        const id = /^\/history\/(.+)$/.exec(url.pathname)?.[1] ?? ''
        const job = jobs.get(id)
        return json(200, job ? history(job) : {})
      }
    }
  })
}

function items(jobs: Map<string, StandInJob>, state: StandInJob['state']) {
  return [...jobs.values()]
    .filter((job) => job.state === state)
    .map((job, i) => [i, job.id, job.request.prompt, {}, []])
}

function history({ id, state }: StandInJob) {
  if (state === 'done') {
    const files = [{ filename: 'video_00001_.mp4', subfolder: 'dailies', type: 'output' }]
    const status = { status_str: 'success', completed: true, messages: [] }
    return { [id]: { outputs: { save: { images: files, animated: [true] } }, status } }
  }
  if (state !== 'failed' && state !== 'canceled') return {}
  const event = state === 'failed' ? 'execution_error' : 'execution_interrupted'
  const data = { node_type: 'KSampler', exception_message: 'out of memory' }
  return { [id]: { outputs: {}, status: { status_str: 'error', completed: false, messages: [[event, data]] } } }
}
