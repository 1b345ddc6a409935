// What an effect is: something of the prompt that is drawn over a finished frame, or lives inside the picture.

/** Effects in the air, drawn over the frame. */
export const airEffects = [
  'rain',
  'snow',
  'fog',
  'steam',
  'smoke',
  'embers',
  'sunrays',
  'bokeh',
  'fireflies',
  'lightning',
  'dusk',
] as const
/** Effects inside the picture, where it has such a region. */
export const livingEffects = ['clouds', 'foliage'] as const

export type AirEffect = (typeof airEffects)[number]
export type LivingEffect = (typeof livingEffects)[number]
export type EffectName = AirEffect | LivingEffect

/** An effect that a prompt asks for. */
export interface EffectWish {
  name: EffectName
  /** 0.4 to 1.6; 1 where no adverb says otherwise. */
  amount: number
}

/** How strongly an effect shows: guidance 0.5 plays it as it was meant. */
export function strengthOf({ amount }: EffectWish, guidance: number): number {
  return Math.min(1.7, amount * (0.55 + 0.9 * guidance))
}

export function isLiving(name: EffectName): name is LivingEffect {
  return (livingEffects as readonly string[]).includes(name)
}
