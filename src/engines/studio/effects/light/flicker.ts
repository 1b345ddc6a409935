// The restless light of a flame, or of a lamp that fails.

import { type AirDrawing, drawing, type EffectScene } from '../../air/effect-scene.ts'
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
