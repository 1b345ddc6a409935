// Plays the effects in the air over the finished frames of a shot. Every effect begins at zero, so that the first frame is
// the unchanged picture; in an extension, those that were there before play on.

import type { Kernel } from '../../../video/kernel/kernel.ts'
import type { Picture } from '../../../video/picture/picture-planes.ts'
import { type AirDrawing, type EffectScene, openAir } from '../air/air.ts'
import { cold, dusk, flicker, sunrise, warm } from '../air/daylight.ts'
import { falling } from '../air/falling.ts'
import { lightning } from '../air/lightning.ts'
import { bokeh, bubbles, dust, embers, fireflies } from '../air/lights.ts'
import { ambientLight, highlightOf, isDark, meanLight, plumeOrigin, sunPlace } from '../air/picture-light.ts'
import { smoke, steam } from '../air/plumes.ts'
import { glints, stars } from '../air/stars.ts'
import { flare, sunrays } from '../air/sunlight.ts'
import { ash, fog, rain, snow } from '../air/weather.ts'
import { cutMap } from '../relief/cut-window.ts'
import type { ShotScene } from '../scene-builder.ts'
import type { Shot } from '../shots/shot-list.ts'
import type { Still } from '../still.ts'
import { type AirEffect, isAir, levelOf, riseSeconds, slowRate, strengthOf } from './effect.ts'
import { findWater } from './regions.ts'

/** What an effect draws, one air after another; null where the picture has no place for it. */
type Drawing = (scene: EffectScene) => AirDrawing | AirDrawing[] | null

const drawings: Record<AirEffect, Drawing> = {
  rain,
  snow,
  fog,
  steam,
  smoke,
  ash,
  embers,
  fireflies,
  bokeh,
  bubbles,
  dust,
  sunrays,
  flare,
  lightning,
  stars,
  dusk,
  sunrise,
  warm,
  cold,
  flicker,
  leaves: falling('leaves'),
  petals: falling('petals'),
  confetti: falling('confetti'),
}

export interface EffectLayer {
  /** `second` counts from the shot's start. */
  draw(second: number, frame: Picture): void
  /** Effects that the picture has no place for. */
  missed: string[]
}

interface EffectOptions {
  seed: number
  seconds: number
  guidance: number
}

/** Null where the shot asks for no effect in the air. */
export async function effectLayer(
  kernel: Kernel,
  frame: Picture,
  still: Still,
  scene: ShotScene,
  shot: Shot,
  { seed, seconds, guidance }: EffectOptions,
): Promise<EffectLayer | null> {
  const wishes = shot.reading.effects.filter(({ name }) => isAir(name) || name === 'water')
  if (wishes.length === 0) return null
  const asks = (...names: AirEffect[]) => wishes.some(({ name }) => names.some((own) => own === name))
  const seen = { sky: asks('lightning', 'dusk', 'fog', 'sunrise'), bright: asks('sunrays') }
  const air = await openAir(kernel, frame, still, scene, seen)
  const common = {
    air,
    seed,
    ambient: ambientLight(still),
    highlight: highlightOf(still),
    mean: meanLight(still.sight),
    sun: () => sunPlace(still, scene.area),
    origin: () => plumeOrigin(still, scene.area),
    night: () => asks('dusk') || isDark(still),
  }
  const missed: string[] = []
  const slow = slowRate(shot.reading.effects)
  const playing = wishes.flatMap((wish, i) => {
    const from = (wish.from ?? 0) * seconds
    const left = seconds - from
    const strength = strengthOf(wish, guidance)
    const settles = i === 0 && shot.cast.length === 0 && scene.source?.alone === true && !wish.goes
    const played = wish.before?.seconds ?? 0
    const own = { ...common, strength, settles, seconds: played + left * slow, played, electric: wish.electric }
    const drawn = wish.name === 'water' ? waterLights(own, still, scene) : drawings[wish.name as AirEffect](own)
    // Water that is not there was missed already; water without glints still moves.
    if (!drawn && isAir(wish.name)) missed.push(wish.name)
    return [drawn ?? []].flat().map((draw) => ({ draw, wish, from, played, rise: riseSeconds(wish.name, left) }))
  })
  return {
    missed,
    draw(second, to) {
      if (second <= 0 && !playing.some(({ wish }) => wish.before)) return
      air.follow()
      for (const { draw, wish, from, played, rise } of playing) {
        const own = second - from
        if (own <= 0 && !wish.before) continue
        const level = levelOf(wish, 0.06 * rise + 0.94 * own, rise)
        if (level > 0) air.apply(to, draw(played + own * slow, level))
      }
    },
  }
}

function waterLights(own: EffectScene, { sight, pixels }: Still, { source }: ShotScene): AirDrawing[] | null {
  const water = sight && findWater(sight)
  if (!water || !source) return null
  const data = Float32Array.from({ length: water.data.length }, (_, i) => sight.rgb[i * 3 + 1]! / 255)
  const luma = { data, width: water.width, height: water.height }
  return glints(own, cutMap(water, pixels, source.part, 480), cutMap(luma, pixels, source.part, 480))
}
