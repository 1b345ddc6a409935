// An effect that a prompt asks for: how strong it is, and when it comes and goes.

import { easeInOut } from '../camera/view.ts'
import { type EffectName, effects } from './all.ts'

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

/** How long an effect takes to be fully there: at most these seconds, and this share of what is left of the shot. */
const rises = { quick: { seconds: 1.8, share: 0.45 }, slow: { seconds: 3, share: 0.8 } }

export function riseSeconds(name: EffectName, left: number): number {
  const { seconds, share } = rises[effects[name].rise]
  return Math.min(seconds, left * share)
}

/** What slow motion and a freeze make of time. */
export function timeOf(wishes: Pick<EffectWish, 'name'>[]): { rate: number; pace: number; until: number } {
  const time = { rate: 1, pace: 1, until: 1 }
  for (const { name } of wishes) {
    const effect = effects[name]
    if (effect.kind !== 'time') continue
    time.rate *= effect.rate
    time.pace *= effect.pace
    time.until = Math.min(time.until, effect.until)
  }
  return time
}

/** How much of an effect is there after some of its seconds, 0 to 1; `rise` is how long it takes to come or go. */
export function levelOf({ before, goes }: EffectWish, second: number, rise: number): number {
  if (goes) return 1 - easeInOut(second / rise)
  return before ? 1 : easeInOut(second / rise)
}
