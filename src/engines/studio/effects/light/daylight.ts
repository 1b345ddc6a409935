// Light that changes as a whole: how far a change of the day has come, and tints.

import { type AirDrawing, type EffectScene, steady } from '../../air/effect-scene.ts'
import type { Colour } from '../../air/mood.ts'

/** How much of a change that takes a whole video is done: all of it where a video before has shown it. */
export function changed(second: number, seconds: number, played: number): number {
  return played > 0 ? 1 : Math.min(1, second / Math.max(1, seconds * 0.96))
}

/** A tint of all light. */
export function tint(gain: Colour) {
  return (scene: EffectScene): AirDrawing =>
    steady(scene, {
      light(level) {
        const share = level * Math.min(1.4, scene.strength)
        return { gain: gain.map((own) => 1 + (own - 1) * share) as unknown as Colour }
      },
    })
}
