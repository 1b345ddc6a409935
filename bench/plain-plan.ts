// The plan of a clip from one picture, with nothing but a prompt, for benchmarks of rendering.
import type { RenderPlan } from '../src/engines/studio/render-plan.ts'

type PlainClip = Pick<RenderPlan, 'prompt' | 'seconds' | 'workDir'> & { path: string; shortSide: 720 | 1080 | 2160 }

export function plainPlan({ prompt, seconds, workDir, path, shortSide }: PlainClip): RenderPlan {
  return {
    prompt,
    negativePrompt: '',
    guidance: 0.5,
    seconds,
    shots: [],
    planShots: false,
    audio: false,
    workDir,
    firstFrame: { path, kind: 'image' },
    lastFrame: null,
    elements: [],
    size: { shortSide, ratio: 'auto' },
  }
}
