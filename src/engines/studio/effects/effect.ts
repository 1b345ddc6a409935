// What an effect is: something of the prompt besides the camera's moves, drawn over a finished frame, inside the picture, or
// by the film that the frame is seen on.

import { easeInOut } from '../camera/view.ts'

/** Effects in the air, drawn over the frame. */
export const airEffects = [
  ...(['rain', 'snow', 'fog', 'steam', 'smoke', 'embers', 'ash', 'dust', 'leaves', 'petals', 'confetti'] as const),
  ...(['sunrays', 'flare', 'bokeh', 'bubbles', 'fireflies', 'lightning', 'stars', 'flicker'] as const),
  ...(['dusk', 'sunrise', 'warm', 'cold'] as const),
] as const
/** Effects inside the picture, where it has such a region. */
export const livingEffects = ['clouds', 'foliage', 'water'] as const
/** Effects of lens, film and time. */
export const filmEffects = [
  ...(['shallowFocus', 'rackFocus', 'slowMotion', 'freeze'] as const),
  ...(['blackAndWhite', 'vintage', 'grain', 'vhs', 'glitch', 'vignette', 'letterbox', 'fadeIn', 'fadeOut'] as const),
] as const

export type AirEffect = (typeof airEffects)[number]
export type LivingEffect = (typeof livingEffects)[number]
export type FilmEffect = (typeof filmEffects)[number]
export type EffectName = AirEffect | LivingEffect | FilmEffect

/** An effect that a prompt asks for. */
export interface EffectWish {
  name: EffectName
  /** 0.4 to 1.6; 1 where no adverb says otherwise. */
  amount: number
  /** When it begins, as a share of the shot: later where the prompt names it after "then". */
  from?: number
  /** Not named itself, but moved by what is named: leaves by "wind". A picture without it does not miss it. */
  implied?: true
  /** For flickering light: a lamp or a sign, which keeps the picture's colours, instead of a flame. */
  electric?: true
  /** How it was on the last frame of the video that this one continues: it is fully there from the start. */
  before?: { seconds: number; amount: number }
  /** Whether it only plays on to go: the prompt says that it ends. */
  goes?: true
}

/** How strongly an effect shows: guidance 0.5 plays it as it was meant. */
export function strengthOf({ amount }: EffectWish, guidance: number): number {
  return Math.min(1.7, amount * (0.55 + 0.9 * guidance))
}

export function isLiving(name: EffectName): name is LivingEffect {
  return (livingEffects as readonly string[]).includes(name)
}

export function isAir(name: EffectName): name is AirEffect {
  return (airEffects as readonly string[]).includes(name)
}

/** How long an effect takes to be fully there: at most these seconds, and this share of what is left of the shot. */
const rise = { seconds: 1.8, share: 0.45 }
/** Effects that change the whole frame rise slowly: on a smooth picture a fast rise would be conspicuous. */
const slowRise = { seconds: 3, share: 0.8 }
const slow: ReadonlySet<EffectName> = new Set(['fog', 'sunrays', 'flare', 'flicker', 'vignette', 'letterbox'])

export function riseSeconds(name: EffectName, left: number): number {
  const { seconds, share } = slow.has(name) ? slowRise : rise
  return Math.min(seconds, left * share)
}

/** How fast the time of effects runs: slowly in slow motion. */
export function slowRate(wishes: EffectWish[]): number {
  return wishes.some(({ name }) => name === 'slowMotion') ? 0.4 : 1
}

/** How much of an effect is there after some of its seconds, 0 to 1; `rise` is how long it takes to come or go. */
export function levelOf({ before, goes }: EffectWish, second: number, rise: number): number {
  if (goes) return 1 - easeInOut(second / rise)
  return before ? 1 : easeInOut(second / rise)
}
