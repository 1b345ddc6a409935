// Small lights that wander and blink.

import { fireflies as drawFireflies } from '../../air/lights.ts'
import type { AirEffect } from '../declaration.ts'

export const fireflies: AirEffect = {
  kind: 'air',
  label: 'fireflies',
  words: {
    en: 'firefly/fireflies, fire flies, glowing/magic/magical/fairy/luminous particles/sparkles/dust/orbs, fairy/pixie/magic dust, sparkles ~ float*/drift*/rise*/dance*, fireflies ~ glow*/dance*/float*/drift*/blink*/flicker*',
    de: 'gluhwurmchen, leuchtkafer, leuchtende partikel, feenstaub, gluhwurmchen ~ leuchten/tanzen/schweben',
    fr: 'luciole/lucioles, particules lumineuses, lucioles ~ dansent/brillent',
    es: 'luciernaga/luciernagas, particulas luminosas/brillantes/magicas, luciernagas ~ brillan/bailan',
    it: 'lucciole, particelle luminose, lucciole ~ danzano/brillano',
    pt: 'vagalume/vagalumes, particulas luminosas, vagalumes ~ brilham/dancam',
    zh: '萤火虫, 螢火蟲, 发光粒子, 發光粒子, 光点 ~ 飘/飞',
    ja: '光の粒, 蛍, ホタル',
    ko: '빛 입자, 반딧불*',
    ru: 'светлячк*, светящиеся частицы',
    ar: 'جسيمات متوهجة, يراعات',
  },
  sample: { prompt: 'fireflies', picture: 'lake' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: false,
  sees: [],
  sound: null,
  cost: 'high',
  draw: drawFireflies,
}
