// The restless light of a flame, or of a lamp that fails.

import { flicker as drawFlicker } from '../../air/daylight.ts'
import type { AirEffect } from '../declaration.ts'

export const flicker: AirEffect = {
  kind: 'air',
  label: 'flickering light',
  words: {
    en: 'candle/candles/fire/torch/torches/lantern/lanterns/fireplace/lamp/lamps/light/lights/neon/sign/signs/flame/flames/bulb/screen ~ flicker*, candle/candles/torch/torches/lantern/lanterns/fireplace ~ burn*/glow*/danc*, candle/torch flame/flames ~ danc*/flicker*/sway*, flame/flames/firelight ~ danc*, fire/fireplace/campfire/bonfire burns/burning/crackles/crackling/glows/glowing, campfire, bonfire, flickering, flickers, candlelight, candle light, firelight, torchlight, shadow/shadows ~ danc*/flicker*/mov*',
    de: 'lagerfeuer, kaminfeuer, kerzenlicht/kerzenschein, feuerschein, flacker*, kerze/kerzen/neon*/laterne* ~ flacker*/brennt/brennen, neonreklame',
    fr: 'feu de camp, lueur des bougies, lueur du feu, lueur d une bougie, vacill*, bougie/bougies/neon/neons ~ vacill*/clignot*/brule*, scintille, lueur',
    es: 'fogata, hoguera, luz de las? vela/velas, parpadeante/parpadea/parpadean, vela/velas ~ parpade*/arde*',
    it: 'falo, lume di candela, tremolante, candela/candele ~ tremol*/arde/ardono, neon ~ lampegg*',
    pt: 'fogueira, luz de velas/vela, bruxuleante/bruxuleia, vela/velas ~ tremul*/bruxule*/pisca*, neon ~ pisca*',
    zh: '烛光, 燭光, 篝火, 火光, 灯光闪烁, 闪烁, 閃爍, 霓虹 ~ 闪烁/閃爍, 霓虹灯闪烁',
    ja: '焚き火, ろうそくの, ろうそく, ろうそく ~ 揺れ/揺らめ, ろうそくの炎が揺れ, 揺らめく, ちらつ, 点滅, ネオン ~ ちらつ/点滅/揺らめ',
    ko: '모닥불, 촛불, 깜박*, 깜빡*, 일렁이, 네온 ~ 깜박/깜빡, 네온사인이 깜박/깜빡, 촛불이 흔들',
    ru: 'костер/костра/костре, мерца*, свет свечи, свечи ~ горят/мерцают, неон* ~ мерца*/мига*',
    ar: 'نار المخيم, ضوء الشموع, وميض',
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
