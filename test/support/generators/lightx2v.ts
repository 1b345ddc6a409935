// Stands in for LightX2V's server: tasks by JSON with an id of the caller's, tasks by form with an id of its own, status,
// result, list and delete. Follows the source of commit f8aee98b (lightx2v/server); it was read, not run. Quirks:
// - `queue full`: new tasks are refused with 503
import { randomUUID } from 'node:crypto'
import { type StandIn, type StandInJob, startStandIn, type Wire } from './stand-in.ts'

const framesPerSecond = 16

export function startLightx2v(): Promise<StandIn> {
  return startStandIn(async (wire) => {
    const { request, url, jobs, json, sendResult } = wire
    switch (`${request.method} ${url.pathname}`) {
      case 'GET /v1/service/status':
        return json(200, { service_status: 'idle', current_task: null, pending_tasks: 0, queue_size: 10 })
      case 'GET /v1/tasks/':
        return json(200, Object.fromEntries([...jobs].map(([id, job]) => [id, statusJson(job)])))
      case 'POST /v1/tasks/video/':
        return createByJson(wire)
      case 'POST /v1/tasks/video/form':
        return createByForm(wire)
    }
    const [, id, part] = /^\/v1\/tasks\/([^/]+)(?:\/(status|result))?$/.exec(url.pathname) ?? []
    const job = jobs.get(id ?? '')
    if (request.method === 'DELETE') {
      const stops = job !== undefined && (job.state === 'queued' || job.state === 'running')
      if (stops) job.state = 'canceled'
      return json(200, { stop_status: stops ? 'success' : 'do_nothing', reason: '' })
    }
    if (!job) return json(404, { detail: 'Task not found' })
    if (part === 'status') return json(200, statusJson(job))
    return job.state === 'done' ? sendResult(job) : json(404, { detail: 'Task not completed' })
  })
}

async function createByJson(wire: Wire): Promise<void> {
  const submitted = JSON.parse(wire.body.toString())
  const { task_id: id = randomUUID(), last_frame_path: last } = submitted
  // The server decodes the first image only: a last frame in base64 is opened as if it were a path, and fails.
  if (last) return wire.json(500, { detail: 'File name too long' })
  if (wire.jobs.has(id)) return wire.json(503, { detail: `Task ID ${id} already exists` })
  accept(wire, submitted, id)
}

async function createByForm(wire: Wire): Promise<void> {
  const type = wire.request.headers['content-type'] ?? ''
  const form = await new Response(new Uint8Array(wire.body), { headers: { 'content-type': type } }).formData()
  if (!(form.get('image_file') instanceof Blob))
    return wire.json(422, { detail: [{ loc: ['body', 'image_file'], msg: 'Field required' }] })
  const fields = Object.fromEntries([...form].map(([name, value]) => [name, value instanceof Blob ? 'file' : value]))
  accept(wire, fields, randomUUID())
}

async function accept({ add, json, quirks }: Wire, submitted: Record<string, unknown>, id: string): Promise<void> {
  if (quirks.has('queue full')) return json(503, { detail: 'Task queue is full (max 10 tasks)' })
  add(submitted, { id, seconds: Number(submitted.target_video_length) / framesPerSecond })
  json(200, { task_id: id, task_status: 'pending', save_result_path: submitted.save_result_path })
}

const statuses = {
  queued: 'pending',
  running: 'processing',
  done: 'completed',
  failed: 'failed',
  canceled: 'cancelled',
}

function statusJson({ id, state, request }: StandInJob) {
  const path = String(request.save_result_path || id)
  return {
    task_id: id,
    status: statuses[state],
    start_time: '2026-08-21T10:00:00',
    end_time: null,
    error: state === 'failed' ? 'CUDA out of memory' : null,
    error_type: '',
    save_result_path: state === 'done' ? `${path}.mp4` : path,
  }
}
