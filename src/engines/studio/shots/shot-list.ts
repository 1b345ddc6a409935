// Settles the shots of a video: which, in what order, how many frames each, and who appears in them. Pure.

import { calls } from '../../../models/subject-names.ts'
import { framesOf, framesOfShots } from '../../../video/av/timing.ts'
import { type PromptReading, readPrompt } from '../prompt/read-prompt.ts'
import type { RenderPlan } from '../render-plan.ts'
import { type Framing, frameShots, planShots } from './shot-plan.ts'

export interface Shot {
  prompt: string
  reading: PromptReading
  framing: Framing
  frames: number
  /** Names of the elements that its prompt calls. */
  cast: string[]
}

export function shotList(plan: RenderPlan, seed: number): Shot[] {
  const whole = { prompt: plan.prompt, seconds: plan.seconds, framing: { x: 0, y: 0, zoom: 1 } }
  const planned =
    plan.shots.length > 0
      ? frameShots(plan.shots, seed)
      : plan.planShots
        ? planShots(plan.prompt, plan.seconds, seed)
        : [whole]
  const total = framesOf(plan.seconds)
  // More shots than frames cannot be shown; the first ones are.
  const shots = planned.slice(0, total)
  const counts = framesOfShots(
    shots.map((shot) => shot.seconds),
    total,
  )
  const names = plan.elements.map((element) => element.name)
  return shots.map((shot, i) => ({
    prompt: shot.prompt,
    reading: readPrompt(shot.prompt, plan.negativePrompt),
    // The first frame of a video is its picture, so the first shot never begins on a part of it.
    framing: i === 0 ? whole.framing : shot.framing,
    frames: counts[i]!,
    cast: names.filter((name) => calls(shot.prompt, name)),
  }))
}
