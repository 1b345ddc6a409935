// Plays the effects of a shot over its finished frames. Every effect begins from nothing, so that the first frame stays the
// picture.

import type { Kernel } from '../../../video/kernel/kernel.ts'
import type { Picture } from '../../../video/picture/picture-planes.ts'
import { easeInOut } from '../camera/view.ts'
import type { ShotScene } from '../scene-builder.ts'
import type { Shot } from '../shots/shot-list.ts'
import type { Still } from '../still.ts'
import { type AirDrawing, type EffectScene, openAir } from './air.ts'
import { type AirEffect, isLiving, strengthOf } from './effect.ts'
import { fog, plume } from './haze.ts'
import { bokeh, dusk, embers, fireflies, lightning, sunrays } from './lights.ts'
import { ambientLight, plumeOrigin, sunPlace } from './picture-light.ts'
import { rain, snow } from './weather.ts'

const drawings: Record<AirEffect, (scene: EffectScene) => AirDrawing> = {
  ...{ rain, snow, fog, embers, fireflies, bokeh, sunrays, lightning, dusk },
  ...{ steam: plume('steam'), smoke: plume('smoke') },
}

/** How long an effect takes to be fully there. */
const riseSeconds = 1.8

export interface EffectLayer {
  /** `second` counts from the shot's start. */
  draw(second: number, frame: Picture): void
}

export interface EffectOptions {
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
  const wishes = shot.reading.effects.filter(({ name }) => !isLiving(name))
  if (wishes.length === 0) return null
  const air = await openAir(kernel, frame, still, scene)
  const common = {
    ...{ air, seed, seconds },
    ambient: ambientLight(still),
    sun: sunPlace(still, scene.area),
    origin: plumeOrigin(still, scene.area),
  }
  const playing = wishes.map((wish) =>
    drawings[wish.name as AirEffect]({ ...common, strength: strengthOf(wish, guidance) }),
  )
  const rise = Math.min(riseSeconds, seconds * 0.45)
  return {
    draw(second, to) {
      if (second <= 0) return
      air.follow()
      const level = easeInOut(0.06 + (0.94 * second) / rise)
      for (const draw of playing) air.apply(to, draw(second, level))
    },
  }
}
