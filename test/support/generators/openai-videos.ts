// Stands in for a server with the OpenAI videos API: create, retrieve, content, list, delete and models. Behaves as
// SGLang-Diffusion (cce0a124) and vLLM-Omni (ae7bee0c) did when their own routes were run with a stub model, and as
// LiteLLM's source says. Quirks:
// - `failed with 500`: a failed job is returned with HTTP 500 and the job as body (vLLM-Omni)
// - `url`: a finished job has a `url`, and `/content` responds with 400 (SGLang with S3)
// - `lists fail`: `GET /v1/videos` responds with 500 (LiteLLM)
// - `no models`: `GET /v1/models` responds with 404
// - `delete forgets`: DELETE removes the job and does not stop it (SGLang)
// - `steps of 16`: sizes that are no multiples of 16 are refused (vLLM-Omni's Wan)
// - `references stand alone`: `input_references` beside `input_reference` is refused (vLLM-Omni)
// - `wrong key`: every creation is refused with 401
// - `quota`: every creation is refused with 429, and asked to wait for a day
// - `slow to accept`: a creation is stored, and its response waits until the quirk is removed
import { untilTrue } from '../until.ts'
import { type StandIn, type StandInJob, startStandIn, type Wire } from './stand-in.ts'

export function startOpenaiVideos(): Promise<StandIn> {
  return startStandIn(async (wire) => {
    const { request, url, jobs, json, sendResult, quirks } = wire
    if (url.pathname === '/v1/models') {
      return quirks.has('no models') ? json(404, { detail: 'Not Found' }) : json(200, { object: 'list', data: [] })
    }
    if (url.pathname === '/v1/videos' && request.method === 'GET') {
      return quirks.has('lists fail')
        ? json(500, { error: { message: 'boom' } })
        : json(200, { object: 'list', data: [] })
    }
    if (url.pathname === '/v1/videos') return create(wire)
    const [, kind, id, content] = /^\/v1\/(videos|cloud)\/([^/]+)(\/content)?$/.exec(url.pathname) ?? []
    const job = jobs.get(id ?? '')
    if (!job) return json(404, { detail: 'Video not found' })
    if (kind === 'cloud') return sendResult(job)
    if (request.method === 'DELETE') {
      if (quirks.has('delete forgets')) jobs.delete(job.id)
      else job.state = 'canceled'
      return json(200, { id, object: 'video.deleted', deleted: true })
    }
    const cloudUrl = quirks.has('url') ? `http://${request.headers.host}/v1/cloud/${id}` : null
    if (!content) {
      return json(quirks.has('failed with 500') && job.state === 'failed' ? 500 : 200, jobJson(job, cloudUrl))
    }
    if (cloudUrl)
      return json(400, { detail: `Video has been uploaded to cloud storage. Please use the cloud URL: ${cloudUrl}` })
    return job.state === 'done' ? sendResult(job) : json(404, { detail: 'Generation is still in-progress' })
  })
}

async function create({ request, response, body, add, json, quirks }: Wire): Promise<void> {
  if (quirks.has('wrong key')) return json(401, { error: { message: 'Unauthorized' } })
  if (quirks.has('quota')) {
    response.setHeader('retry-after', '86400')
    return json(429, { error: { message: 'Quota exceeded' } })
  }
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) return json(400, { error: { message: 'a form is wanted' } })
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  const fields = Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'))
  const images = [...form].flatMap(([field, value]) => (value instanceof Blob ? [{ field, bytes: value.size }] : []))
  if (!fields.prompt || images.length === 0) return json(400, { error: { message: 'prompt and image are wanted' } })
  const fieldNames = new Set(images.map(({ field }) => field))
  if (quirks.has('references stand alone') && fieldNames.has('input_references') && fieldNames.size > 1) {
    return json(400, { detail: 'input_references cannot be combined with input_reference' })
  }
  const sides = String(fields.size).split('x').map(Number)
  if (quirks.has('steps of 16') && sides.some((side) => side % 16 !== 0)) {
    return json(400, { detail: `size must be divisible by 16: ${fields.size}` })
  }
  const job = add({ ...fields, images, imageBytes: images[0]!.bytes }, { seconds: Number(fields.seconds) })
  await untilTrue('the response to a creation', () => !quirks.has('slow to accept'), 60_000)
  return json(200, jobJson(job, null))
}

const statuses = { queued: 'queued', running: 'in_progress', done: 'completed', failed: 'failed', canceled: 'failed' }

function jobJson(job: StandInJob, url: string | null) {
  return {
    id: job.id,
    object: 'video',
    status: statuses[job.state],
    progress: job.percent,
    created_at: 1_700_000_000,
    url: job.state === 'done' ? url : null,
    error: job.state === 'failed' ? { code: 'server_error', message: 'CUDA out of memory' } : null,
  }
}
