// Leaves and grass that sway.

import type { RegionEffect } from '../declaration.ts'

export const foliage: RegionEffect = {
  kind: 'region',
  label: 'swaying foliage',
  words: {
    en: 'leaves/tree/trees/grass/grasses/branches/foliage/plant/plants/flower/flowers/wheat/reeds/palms/bamboo/willow/meadow/crops/field/fields/lavender/ivy/vines/ferns/corn/sunflowers/bushes ~ sway*/rustl*/mov*/wav*/flutter*/trembl*/blow*/bend*/ripple*/shak*, swaying/rustling/waving trees/tree/grass/grasses/leaves/branches/flowers/reeds/wheat/palms/plants, wind/breeze ~ tree/trees/grass/leaves',
    de: 'blatter/baume/baum/gras/graser/halme/blumen/aste/weizen/palmen/efeu/ranken ~ rascheln/wiegen/wiegt/bewegen/bewegt/schwanken/wogt/wehen',
    fr: 'feuilles/arbres/herbe/herbes/branches/fleurs/ble ~ bougent/bruissent/balancent/balance/ondule/ondulent/agite/agitent/fremissent',
    es: 'hojas/arboles/hierba/ramas/flores/trigo/palmeras ~ mueven/mueve/susurran/mecen/mece/balancean/ondea',
    it: 'foglie/alberi/erba/rami/fiori/grano ~ muovono/muove/frusciano/ondeggiano/ondeggia/oscillano',
    pt: 'folhas/arvores/grama/galhos/flores/trigo/palmeiras ~ balancam/balanca/movem/move/agitam',
    zh: '树叶摇, 树叶晃, 吹动着/吹动 树叶/树枝/草/花, 草随风, 随风摇曳, 隨風搖曳, 树影摇, 树叶 ~ 摇曳/摇动/晃动/沙沙, 草 ~ 摇曳/摇动, 花 ~ 摇曳, 麦浪, 竹林 ~ 摇曳',
    ja: '葉が揺, 木々が揺, 草が揺, 花が揺, 木 ~ 揺れ, 草 ~ 揺れ, 花 ~ 揺れ',
    ko: '나뭇잎이 흔들, 풀이 흔들, 나무가 흔들, 꽃이 흔들, 갈대가 흔들, 나뭇가지가 흔들',
    ru: 'листья/деревья/трава/ветви/цветы/пшеница ~ колышутся/колышется/качаются/качается/шелестят/шелестит',
    ar: 'أوراق الشجر تتمايل, تتمايل الأشجار, الأشجار ~ تتمايل/تهتز, العشب ~ يتمايل, أوراق ~ تتمايل',
  },
  sample: { prompt: 'leaves rustling', picture: 'lake' },
  rise: 'quick',
  joins: 'smooth',
  windborne: true,
  isLight: false,
  sees: [],
  sound: 'wind',
  draw: null,
}
