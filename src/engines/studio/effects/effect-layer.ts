// Plays the effects in the air over the finished frames of a shot. Every effect begins at zero, so that the first frame is
// the unchanged picture; in an extension, those that were there before play on.

import type { Kernel } from '../../../video/kernel/kernel.ts'
import type { Picture } from '../../../video/picture/picture-planes.ts'
import { openAir } from '../air/air.ts'
import { ambientLight, highlightOf, isDark, meanLight, plumeOrigins, sunPlace } from '../air/picture-light.ts'
import type { RequestPicture } from '../request-picture.ts'
import type { ShotScene } from '../scene-builder.ts'
import type { Shot } from '../shots/shot-list.ts'
import { effects } from './all.ts'
import { levelOf, riseSeconds, strengthOf, timeOf } from './effect.ts'

export interface EffectLayer {
  /** `second` counts from the shot's start; `share` is how much of all effects is left. */
  draw(second: number, frame: Picture, share?: number): void
  /** Effects that the picture has no place for. */
  missed: string[]
}

interface EffectOptions {
  seed: number
  seconds: number
  guidance: number
}

/** Null where the shot asks for no effect in the air. */
export function effectLayer(
  kernel: Kernel,
  frame: Picture,
  still: RequestPicture,
  scene: ShotScene,
  shot: Shot,
  { seed, seconds, guidance }: EffectOptions,
): EffectLayer | null {
  const wishes = shot.reading.effects.flatMap((wish) => {
    const effect = effects[wish.name]
    return (effect.kind === 'air' || effect.kind === 'region') && effect.draw ? [{ ...wish, effect }] : []
  })
  if (wishes.length === 0) return null
  const sees = (what: 'sky' | 'bright') => wishes.some(({ effect }) => effect.sees.includes(what))
  const air = openAir(kernel, frame, still, scene, { sky: sees('sky'), bright: sees('bright') })
  const common = {
    air,
    seed,
    ambient: ambientLight(still),
    highlight: highlightOf(still),
    mean: meanLight(still.analysis),
    sun: () => sunPlace(still, scene.area),
    origins: (plume: 'smoke' | 'steam') => plumeOrigins(still, scene.area, plume),
    analysis: still.analysis,
    night: () => wishes.some(({ name }) => name === 'dusk') || isDark(still),
  }
  const missed: string[] = []
  const slow = timeOf(shot.reading.effects).rate
  const playing = wishes.flatMap((wish, i) => {
    const from = (wish.from ?? 0) * seconds
    const left = seconds - from
    const strength = strengthOf(wish, guidance)
    const settles = i === 0 && shot.cast.length === 0 && scene.source?.alone === true && !wish.goes
    const played = wish.before?.seconds ?? 0
    const own = { ...common, strength, settles, seconds: played + left * slow, played, electric: wish.electric }
    const drawn = wish.effect.draw!(own)
    // Water that is not there was missed already; water without glints still moves.
    if (!drawn && wish.effect.kind === 'air') missed.push(wish.name)
    return [drawn ?? []].flat().map((draw) => ({ draw, wish, from, played, rise: riseSeconds(wish.name, left) }))
  })
  return {
    missed,
    draw(second, to, share = 1) {
      if (second <= 0 && !playing.some(({ wish }) => wish.before)) return
      air.follow()
      for (const { draw, wish, from, played, rise } of playing) {
        const own = second - from
        if (own <= 0 && !wish.before) continue
        const level = share * levelOf(wish, 0.06 * rise + 0.94 * own, rise)
        if (level > 0) air.apply(to, draw(played + own * slow, level))
      }
    },
  }
}
