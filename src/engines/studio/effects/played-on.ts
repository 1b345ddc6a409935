// Effects across the join of a video and its extension. What plays on the last frame travels to the extension as numbers, and
// plays on there from the same moment: rain falls on, fog drifts on, and nothing is drawn twice.

import type { Momentum } from '../camera/momentum.ts'
import { type EffectName, effects } from './all.ts'
import type { EffectWish } from './effect.ts'
import type { WavePlace } from './waves.ts'

/** What is known of the effects on a last frame, flat: `rain` is how long it has played, `rainAmount` how much of it there is. */
export interface PlayedEffects extends Partial<Record<EffectName | `${EffectName}Amount`, number>> {
  /** From which their drops, flakes and gusts come. */
  effectSeed?: number
  flickerElectric?: 1
  /** Where the waves of leaves and water lie for the last frame. */
  wavesX?: number
  wavesY?: number
  wavesWidth?: number
  wavesHeight?: number
}

/** All that was playing on a last frame. */
export type Playing = Momentum & PlayedEffects

/** What an extension takes over. `second` is the moment of the last frame, `rate` how fast the time of effects runs. */
export function playedEffects(
  wishes: EffectWish[],
  { seed, second, seconds, rate }: { seed: number; second: number; seconds: number; rate: number },
  waves?: WavePlace,
): PlayedEffects {
  const played: PlayedEffects = { effectSeed: seed }
  for (const { name, amount, from = 0, before, goes, electric } of wishes) {
    if (effects[name].joins === 'own' || goes) continue
    const own = Math.max(0, second - from * seconds) * (effects[name].kind === 'region' ? 1 : rate)
    played[name] = own + (before?.seconds ?? 0)
    played[`${name}Amount`] = amount
    if (electric) played.flickerElectric = 1
  }
  const sways = wishes.some(({ name }) => name === 'water' || name === 'foliage')
  if (!waves || !sways) return played
  return { ...played, wavesX: waves.x, wavesY: waves.y, wavesWidth: waves.width, wavesHeight: waves.height }
}

export function wavesFrom({ wavesX, wavesY, wavesWidth, wavesHeight }: PlayedEffects): WavePlace | null {
  if (!wavesWidth || !wavesHeight) return null
  return { x: wavesX ?? 0, y: wavesY ?? 0, width: wavesWidth, height: wavesHeight }
}

/** The effects of an extension: those of its prompt, and those of the video before that the prompt does not mention. */
export function playOn(wishes: EffectWish[], refused: EffectName[], played: PlayedEffects): EffectWish[] {
  const asked = wishes.map((wish) => {
    const before = beforeOf(wish.name, played)
    return before ? { ...wish, from: 0, before } : wish
  })
  const others = (Object.keys(played) as EffectName[]).flatMap((name): EffectWish[] => {
    const before = beforeOf(name, played)
    if (!before || wishes.some((wish) => wish.name === name)) return []
    const electric = name === 'flicker' && played.flickerElectric === 1 && { electric: true as const }
    const goes = refused.includes(name) && { goes: true as const }
    return [{ name, amount: before.amount, implied: true, before, ...electric, ...goes }]
  })
  // What lay over the picture first still does.
  return [...others, ...asked]
}

/** How effects play on: drops and flakes that stand still in what was encoded must go at once. */
export function playingOn(wishes: EffectWish[]): 'none' | 'smooth' | 'rough' {
  const played = wishes.filter(({ before }) => before)
  if (played.length === 0) return 'none'
  return played.every(({ name }) => effects[name].joins === 'smooth') ? 'smooth' : 'rough'
}

function beforeOf(name: EffectName, played: PlayedEffects): EffectWish['before'] {
  const [seconds, amount] = [played[name], played[`${name}Amount`]]
  return seconds === undefined || amount === undefined ? undefined : { seconds, amount }
}
