// The restless light of a flame, or of a lamp that fails.

import { type AirDrawing, drawing, type EffectScene } from '../../air/effect-scene.ts'
import type { AirEffect } from '../declaration.ts'

export const flicker: AirEffect = {
  kind: 'air',
  label: 'flickering light',
  words: {
    latin:
      '(?<!(northern|southern|polar) )(candle|fire|torch|lantern|fireplace|lamp|light|neon( sign)?|flame)(light)?s? (flickers?|flickering|dances?|dancing)|(fire|fireplace|campfire|bonfire) (burns|burning|crackles|crackling|glows|glowing)|campfire|bonfire|lagerfeuer|kaminfeuer|feu de camp|fogata|hoguera|falo|fogueira|flickering|candle ?light|firelight|kerzen(licht|schein)|feuerschein|flackert|flackernd\\w*|lueur (des|d une|de la) (bougies?|feu)|vacillante?|luz de (las )?velas?|parpadeante|lume di candela|tremolante|luz de velas?|bruxuleante',
    any: '烛光|燭光|篝火|焚き火|모닥불|кост[её]р|نار المخيم|火光|灯光闪烁|闪烁|閃爍|ろうそくの|揺らめく|ちらつ|촛불|깜박|일렁이|мерца|свет свечи|ضوء الشموع|وميض',
  },
  sample: { prompt: 'candlelight', picture: 'coffee' },
  rise: 'slow',
  joins: 'rough',
  windborne: false,
  isLight: true,
  sees: [],
  sound: 'fire',
  cost: 'high',
  draw,
}

function draw(scene: EffectScene): AirDrawing {
  const { strength, seed, electric } = scene
  const phase = seed % 31
  const share = Math.min(1.4, strength)
  return drawing(scene, {
    light(level, second) {
      const wave = (hertz: number, own: number) => Math.sin(2 * Math.PI * hertz * second + phase * own)
      if (electric) {
        // A lamp's light has no tint of its own, and goes out for moments.
        const fails = Math.max(0, wave(1.1, 1) * wave(3.7, 2.3) + 0.35 * wave(9.3, 3.1) - 0.35)
        const lit = 1 - level * Math.min(0.5, 0.55 * share * fails) - 0.02 * level * share * (1 + wave(5.3, 4.7))
        return { gain: [lit, lit, lit] }
      }
      const restless = 0.42 * wave(1.3, 1) + 0.3 * wave(2.9, 2.3) + 0.18 * wave(5.3, 3.1) + 0.1 * wave(8.1, 4.7)
      const bright = 1 + share * level * (0.16 * restless - 0.06)
      return { gain: [bright * (1 + 0.1 * level), bright, bright * (1 - 0.16 * level)] }
    },
  })
}
