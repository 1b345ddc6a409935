// Plays the looks of film and tape over finished frames. Looks come up gradually, so that the first frame stays the picture;
// only a fade-in begins with black.

import type { Kernel } from '../../../video/kernel/kernel.ts'
import type { Size } from '../../../video/picture/output-size.ts'
import type { Picture } from '../../../video/picture/picture-planes.ts'
import { effects } from '../effects/all.ts'
import { type EffectWish, levelOf, riseSeconds, strengthOf } from '../effects/effect.ts'

export interface FilmLayer {
  /** `share` is how much of all looks is left. */
  draw(second: number, frame: Picture, share?: number): void
}

/** Null where the shot asks for no such look. */
export function filmLayer(
  kernel: Kernel,
  frame: Size,
  wishes: EffectWish[],
  { seed, seconds, guidance }: { seed: number; seconds: number; guidance: number },
): FilmLayer | null {
  const played = Math.max(0, ...wishes.map(({ before }) => before?.seconds ?? 0))
  const playing = wishes.flatMap((wish) => {
    const effect = effects[wish.name]
    if (effect.kind !== 'film') return []
    const look = effect.open({ kernel, frame, seed, seconds: played + seconds })
    const from = (wish.from ?? 0) * seconds
    const rise = riseSeconds(wish.name, seconds - from)
    return [{ look, wish, from, rise, strength: strengthOf(wish, guidance) }]
  })
  if (playing.length === 0) return null
  // Black shows no look, so it is there when the picture appears.
  const isFromBlack = wishes.some(({ name, from = 0 }) => name === 'fadeIn' && from === 0)
  return {
    draw(second, to, share = 1) {
      if (share === 0) return
      for (const { look, wish, from, rise, strength } of playing) {
        const own = second - from
        const level = share * (isFromBlack && from === 0 ? 1 : levelOf(wish, own, rise))
        const played = wish.before?.seconds ?? 0
        if (own >= 0) look(to, { second: played + second, level, strength, left: seconds - second })
      }
    },
  }
}
