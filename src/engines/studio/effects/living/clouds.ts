// Clouds that drift.

import type { RegionEffect } from '../declaration.ts'

export const clouds: RegionEffect = {
  kind: 'region',
  label: 'drifting clouds',
  words: {
    en: 'cloud/clouds ~ mov*/drift*/pass*/roll*/float*/rac*/slid*/swirl*/scud*/sweep*/rush*/churn*/billow*/gather*, moving/drifting/passing/rolling/floating/fast/swirling/racing cloud/clouds, cloud movement, time/hyper lapse of? clouds/sky, timelapse/hyperlapse of? clouds/sky, clouds/cloud/sky time/hyper lapse, clouds/cloud/sky timelapse/hyperlapse, storm clouds ~ roll*/mov*/drift*/pass*/rac*/gather*',
    de: 'wolken ~ ziehen/treiben/bewegen/ziehend*/jagen, ziehende wolken, zeitraffer der?/von? wolken, wolkenzeitraffer',
    fr: 'nuages ~ passent/defilent/bougent/derivent/passant/flottent',
    es: 'nubes ~ pasan/moviendose/moverse/mueven/pasando/flotan/desplazan, nubes en movimiento, time lapse de nubes',
    it: 'nuvole/nubi ~ passano/muovono/scorrono/corrono/passare',
    pt: 'nuvens ~ passam/movem/passando/deslizam/correm, nuvens em movimento',
    zh: '云朵飘, 延时 ~ 云, 白云飘, 云飘, 雲飄, 流云, 流雲, 云在飘, 云层移动, 云 ~ 流动/飘动/飘/移动/翻滚, 雲 ~ 流動/飄/移動, 云彩 ~ 流动/飘, 云海翻滚',
    ja: '雲が流れ, 雲が動, 雲 ~ 流れ/動',
    ko: '구름이 흐, 구름이 흘러, 구름이 움직, 구름 ~ 흘러/흐르/움직',
    ru: 'облака ~ плывут/движутся/бегут/летят, плывущие облака, тучи ~ плывут/движутся',
    ar: 'الغيوم تتحرك, غيوم متحركة, السحب تتحرك, غيوم ~ تتحرك/تمر, سحب ~ تتحرك/تمر',
  },
  sample: { prompt: 'clouds drift', picture: 'lake' },
  rise: 'quick',
  joins: 'own',
  windborne: true,
  isLight: false,
  sees: ['sky'],
  sound: 'wind',
  draw: null,
}
