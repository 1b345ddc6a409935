// How a plan becomes clips for a generator that knows only one image and one prompt. Pure.
import type { Plan } from '../engine.ts'

export interface PlannedClip {
  prompt: string
  seconds: number
  /** Whether it starts from the plan's first frame or from the last frame of the clip before. */
  from: 'first' | 'previous'
  /** Whether it ends in the plan's last frame. */
  endsInLast: boolean
}

/** Each shot is a clip, and a shot longer than a clip may be is several clips, each continuing the one before. */
export function clipList(
  plan: Pick<Plan, 'prompt' | 'seconds' | 'shots' | 'lastFrame'>,
  options: { secondsMax: number; shotsFrom: 'previous' | 'first' },
): PlannedClip[] {
  const shots = plan.shots.length > 0 ? plan.shots : [{ prompt: plan.prompt, seconds: plan.seconds }]
  const clips = shots.flatMap(({ prompt, seconds }, shot): Omit<PlannedClip, 'endsInLast'>[] => {
    // A hundredth more than allowed is rounding, and not worth another clip.
    const count = Math.max(1, Math.ceil(seconds / options.secondsMax - 0.01))
    const words = promptOf(plan.prompt, prompt)
    return Array.from({ length: count }, (_, i) => ({
      prompt: words,
      seconds: seconds / count,
      from: i > 0 || (shot > 0 && options.shotsFrom === 'previous') ? 'previous' : 'first',
    }))
  })
  return clips.map((clip, i) => ({ ...clip, endsInLast: plan.lastFrame !== null && i === clips.length - 1 }))
}

/** A shot says what is different; the scene is in the prompt of the whole. */
function promptOf(whole: string, shot: string): string {
  if (whole === shot || whole === '') return shot
  return /[.!?…。]\s*$/.test(whole) ? `${whole.trimEnd()} ${shot}` : `${whole}. ${shot}`
}
