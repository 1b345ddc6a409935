// Stands in for stable-diffusion.cpp's server: vid_gen, jobs with the video in base64, cancel, capabilities.
import { type StandIn, startStandIn, type Wire } from './stand-in.ts'

export function startSdcpp(): Promise<StandIn> {
  return startStandIn(async (wire) => {
    const { request, url, body, jobs, add, json } = wire
    if (url.pathname === '/sdcpp/v1/capabilities') return json(200, { supported_modes: ['vid_gen'] })
    if (url.pathname === '/sdcpp/v1/vid_gen' && request.method === 'POST') {
      const submitted = JSON.parse(body.toString())
      if (!submitted.prompt || !submitted.init_image) return json(400, { error: 'bad request' })
      const { id } = add(submitted)
      return json(202, { id, kind: 'vid_gen', status: 'queued', created: 1, poll_url: `/sdcpp/v1/jobs/${id}` })
    }
    const [, id, cancel] = /^\/sdcpp\/v1\/jobs\/([^/]+)(\/cancel)?$/.exec(url.pathname) ?? []
    const job = jobs.get(id ?? '')
    if (!job) return json(410, { error: 'job expired' })
    if (cancel) {
      job.state = 'canceled'
      return json(200, { id, status: 'cancelled' })
    }
    return sendJob(wire, job.id)
  })
}

const statuses = { queued: 'queued', running: 'generating', done: 'completed', failed: 'failed', canceled: 'cancelled' }

async function sendJob({ jobs, json, resultBytes }: Wire, id: string): Promise<void> {
  const { state } = jobs.get(id)!
  const common = { id, kind: 'vid_gen', status: statuses[state], queue_position: 0, result: null, error: null }
  if (state === 'failed' || state === 'canceled') {
    return json(200, { ...common, error: { code: 'generation_failed', message: 'out of memory' } })
  }
  if (state !== 'done') return json(200, common)
  const base64 = (await resultBytes()).toString('base64')
  const result = { output_format: 'webm', mime_type: 'video/webm', fps: 16, frame_count: 4, b64_json: base64 }
  return json(200, { ...common, result })
}
