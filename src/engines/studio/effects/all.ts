// Every effect. Its names, and all that is known of effects by name, come from here.

import type { Effect, Kind } from './declaration.ts'
import { blackAndWhite } from './film/black-and-white.ts'
import { fadeIn } from './film/fade-in.ts'
import { fadeOut } from './film/fade-out.ts'
import { freeze } from './film/freeze.ts'
import { glitch } from './film/glitch.ts'
import { grain } from './film/grain.ts'
import { letterbox } from './film/letterbox.ts'
import { rackFocus } from './film/rack-focus.ts'
import { shallowFocus } from './film/shallow-focus.ts'
import { slowMotion } from './film/slow-motion.ts'
import { vhs } from './film/vhs.ts'
import { vignette } from './film/vignette.ts'
import { vintage } from './film/vintage.ts'
import { cold } from './light/cold.ts'
import { dusk } from './light/dusk.ts'
import { flare } from './light/flare.ts'
import { flicker } from './light/flicker.ts'
import { stars } from './light/stars.ts'
import { sunrays } from './light/sunrays.ts'
import { sunrise } from './light/sunrise.ts'
import { warm } from './light/warm.ts'
import { clouds } from './living/clouds.ts'
import { foliage } from './living/foliage.ts'
import { water } from './living/water.ts'
import { bokeh } from './particles/bokeh.ts'
import { bubbles } from './particles/bubbles.ts'
import { confetti } from './particles/confetti.ts'
import { dust } from './particles/dust.ts'
import { embers } from './particles/embers.ts'
import { fireflies } from './particles/fireflies.ts'
import { leaves } from './particles/leaves.ts'
import { petals } from './particles/petals.ts'
import { ash } from './weather/ash.ts'
import { fog } from './weather/fog.ts'
import { lightning } from './weather/lightning.ts'
import { rain } from './weather/rain.ts'
import { sandstorm } from './weather/sandstorm.ts'
import { smoke } from './weather/smoke.ts'
import { snow } from './weather/snow.ts'
import { steam } from './weather/steam.ts'

export const effects = {
  rain,
  snow,
  fog,
  sandstorm,
  ash,
  steam,
  smoke,
  lightning,
  embers,
  dust,
  leaves,
  petals,
  confetti,
  bubbles,
  bokeh,
  fireflies,
  sunrays,
  flare,
  stars,
  flicker,
  dusk,
  sunrise,
  warm,
  cold,
  clouds,
  foliage,
  water,
  shallowFocus,
  rackFocus,
  slowMotion,
  freeze,
  blackAndWhite,
  vintage,
  grain,
  vhs,
  glitch,
  vignette,
  letterbox,
  fadeIn,
  fadeOut,
} satisfies Record<string, Effect>

export type EffectName = keyof typeof effects
export const effectNames = Object.keys(effects) as EffectName[]

/** The names of a kind of effects. */
export type Named<K extends Kind> = {
  [N in EffectName]: (typeof effects)[N]['kind'] extends K ? N : never
}[EffectName]

export function namesOf<K extends Kind>(...kinds: K[]): Named<K>[] {
  return effectNames.filter((name) => (kinds as Kind[]).includes(effects[name].kind)) as Named<K>[]
}
