// Stands in for a server with the OpenAI videos API: create, retrieve, content, list and delete.
import { type StandIn, type StandInJob, startStandIn } from './stand-in.ts'

export function startOpenaiVideos(): Promise<StandIn> {
  return startStandIn(async ({ request, url, body, jobs, add, json, sendResult }) => {
    if (url.pathname === '/v1/videos' && request.method === 'GET') return json(200, { object: 'list', data: [] })
    if (url.pathname === '/v1/videos') {
      const type = request.headers['content-type'] ?? ''
      if (!type.startsWith('multipart/form-data')) return json(400, { error: { message: 'a form is wanted' } })
      const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
      const fields = Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'))
      const image = form.get('input_reference')
      if (!fields.prompt || !(image instanceof Blob))
        return json(400, { error: { message: 'prompt and image are wanted' } })
      return json(200, jobJson(add({ ...fields, imageBytes: image.size })))
    }
    const [, id, content] = /^\/v1\/videos\/([^/]+)(\/content)?$/.exec(url.pathname) ?? []
    const job = jobs.get(id ?? '')
    if (!job) return json(404, { error: { message: 'Video not found' } })
    if (request.method === 'DELETE') {
      job.state = 'canceled'
      return json(200, { id, object: 'video.deleted', deleted: true })
    }
    if (!content) return json(200, jobJson(job))
    return job.state === 'done' ? sendResult() : json(404, { error: { message: 'not ready' } })
  })
}

const statuses = { queued: 'queued', running: 'in_progress', done: 'completed', failed: 'failed', canceled: 'failed' }

function jobJson(job: StandInJob) {
  return {
    id: job.id,
    object: 'video',
    status: statuses[job.state],
    progress: job.percent,
    created_at: 1_700_000_000,
    error: job.state === 'failed' ? { code: 'server_error', message: 'out of memory' } : null,
  }
}
