// Water that ripples and glints.

import { glints } from '../../air/stars.ts'
import type { RegionEffect } from '../declaration.ts'

export const water: RegionEffect = {
  kind: 'region',
  label: 'moving water',
  words: {
    en: 'wave/waves, wave/waves ~ crash*/roll*/lap*/break*/wash*/hit*/rise*/rising, gentle/small/soft/rolling/crashing/breaking waves, ripple/ripples/rippling, lake/sea/ocean/river/water/surface/canal/pool/stream ~ rippl*/shimmer*/glitter*/sparkl*/glisten*/flow*/mov*, reflections ~ shimmer*/ripple*/danc*/mov*, surf, lapping, flowing/moving/rushing/rippling/shimmering/glittering/sparkling water/sea/river/lake/stream, river/stream/brook/creek/water ~ flow*/run/runs/running/rush*, glint/glints/glinting on the? water, tide ~ com*/roll*',
    de: 'wellen, welle, wogen, brandung, wasser/see/meer/fluss/bach ~ fliesst/bewegt/glitzert/krauselt/funkelt/platschert/rauscht, fluss fliesst, wellen ~ brechen/schlagen/rollen',
    fr: 'vague/vagues, ondes, eau/mer/lac/riviere/canal/fleuve ~ coule/bouge/scintille/ondule/miroite/scintillent, vagues ~ deferlent/brisent/ecrasent',
    es: 'ola/olas, ondas, agua/mar/rio/lago ~ fluye/mueve/brilla/corre/ondula/reluce, olas ~ rompen/golpean',
    it: 'onda/onde, ondeggia/ondeggiano, acqua/mare/fiume/lago ~ scorre/muove/brilla/luccica/scintilla, onde ~ infrangono/rompono',
    pt: 'onda/ondas, agua/mar/rio/lago ~ corre/flui/brilha/move/cintila, ondas ~ quebram/batem',
    zh: '波浪, 海浪, 波纹, 波紋, 涟漪, 漣漪, 流水, 水面波, 水波, 波光, 波光粼粼, 水流, 溪水 ~ 流, 河水 ~ 流, 浪花, 湖面 ~ 波光/荡漾, 水面 ~ 荡漾/闪, 海浪 ~ 拍打',
    ja: '波が, 波 ~ 打ち寄せ/寄せ/砕け, さざ波, 水が流れ, 水面が, 水面 ~ 揺/輝/きらめ, きらめく水, 川 ~ 流れ',
    ko: '파도*, 물결*, 물이 흐, 강물이 흐, 수면이 반짝, 파도가 치',
    ru: 'волн*, рябь, вода ~ течет/блестит/мерцает, река ~ течет, блики на воде, море ~ блестит/волнуется',
    ar: 'أمواج, موج, الماء يتدفق, الماء ~ يتدفق/يتلألأ, أمواج ~ تتكسر/تضرب',
  },
  sample: { prompt: 'gentle waves', picture: 'lake' },
  rise: 'quick',
  joins: 'smooth',
  windborne: false,
  isLight: false,
  sees: ['water'],
  sound: 'surf',
  draw: glints,
}
