// The program of a process that judges prompts by their words and scores images.
import sharp from 'sharp'
import { serveJobs } from '../../children/serve-jobs.ts'
import { pixelsMax } from '../../contract/limits.ts'
import type { ModerationJob, ModerationResult } from '../moderation-job.ts'
import { withoutHarmlessPhrases } from '../rules/harmless.ts'
import { createPromptRules } from '../rules/prompt-rules.ts'
import { inputSide, loadNsfwModel, type ScorePixels } from './nsfw-model.ts'

// Only the two formats that the service accepts: otherwise an SVG named .png would be rendered.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile'] })
sharp.cache(false)
sharp.concurrency(1)

const objectionTo = createPromptRules()
let score: ScorePixels | null = null

serveJobs<ModerationJob, ModerationResult>(async (job) => {
  if (job.kind === 'prompt') {
    return { kind: 'prompt', objection: objectionTo(job.text), withoutHarmless: withoutHarmlessPhrases(job.text) }
  }
  const pixels = await readPixels(job.path)
  // Loaded with the first image: many processes only ever see prompts.
  score ??= await loadNsfwModel()
  return { kind: 'image', scores: await score(pixels) }
})

async function readPixels(path: string): Promise<Uint8Array> {
  return await sharp(path, { limitInputPixels: pixelsMax, failOn: 'error' })
    .autoOrient()
    .resize(inputSide, inputSide, { fit: 'fill' })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer()
}
