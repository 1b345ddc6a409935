// Stands in for stable-diffusion.cpp's server: vid_gen, jobs with the video in base64, cancel, capabilities. Behaves as
// `sd-server` of commit 97d2990 did when it was run. Quirks:
// - `no webm`: a build without libwebm, which writes only webp and avi
// - `generating cannot be canceled`: the cancel of a running job responds with 409, and the job goes on
import { type StandIn, type StandInJob, startStandIn, type Wire } from './stand-in.ts'

export function startSdcpp(): Promise<StandIn> {
  return startStandIn(async (wire) => {
    const { request, url, body, jobs, add, json, quirks } = wire
    if (url.pathname === '/sdcpp/v1/capabilities') return json(200, capabilities(quirks))
    if (url.pathname === '/sdcpp/v1/vid_gen' && request.method === 'POST') {
      const submitted = JSON.parse(body.toString())
      if (!submitted.prompt || !submitted.init_image) return json(400, { error: 'bad request' })
      const { id } = add(submitted, { seconds: submitted.video_frames / submitted.fps })
      return json(202, { id, kind: 'vid_gen', status: 'queued', created: 1, poll_url: `/sdcpp/v1/jobs/${id}` })
    }
    const [, id, cancel] = /^\/sdcpp\/v1\/jobs\/([^/]+)(\/cancel)?$/.exec(url.pathname) ?? []
    const job = jobs.get(id ?? '')
    if (!job) return json(410, { error: 'job expired' })
    if (cancel && quirks.has('generating cannot be canceled')) {
      return json(409, { error: 'job is generating and cannot be cancelled' })
    }
    if (cancel) {
      job.state = 'canceled'
      return json(200, { id, status: 'cancelled' })
    }
    return sendJob(wire, job)
  })
}

function capabilities(quirks: ReadonlySet<string>) {
  return {
    supported_modes: ['vid_gen'],
    output_formats_by_mode: { vid_gen: quirks.has('no webm') ? ['webp', 'avi'] : ['webm', 'webp', 'avi'] },
    features_by_mode: { vid_gen: { init_image: true, end_image: true, cancel_queued: true, cancel_generating: false } },
    samplers: ['euler', 'euler_a', 'dpm++2m'],
    schedulers: ['discrete', 'karras', 'simple'],
  }
}

const statuses = { queued: 'queued', running: 'generating', done: 'completed', failed: 'failed', canceled: 'cancelled' }

async function sendJob({ json, resultBytes }: Wire, job: StandInJob): Promise<void> {
  const { id, state } = job
  const common = { id, kind: 'vid_gen', status: statuses[state], queue_position: 0, result: null, error: null }
  if (state === 'failed' || state === 'canceled') {
    return json(200, { ...common, error: { code: 'generation_failed', message: 'out of memory' } })
  }
  if (state !== 'done') return json(200, common)
  const base64 = (await resultBytes(job)).toString('base64')
  const result = { output_format: 'webm', mime_type: 'video/webm', fps: 16, frame_count: 4, b64_json: base64 }
  return json(200, { ...common, result })
}
