// The restless light of a flame, or of a lamp that fails.

import { flicker as drawFlicker } from '../../air/daylight.ts'
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
  draw: drawFlicker,
}
