// Flakes that sway as they fall.

import { snow as drawSnow } from '../../air/weather.ts'
import type { AirEffect } from '../declaration.ts'

export const snow: AirEffect = {
  kind: 'air',
  label: 'snow',
  words: {
    en: 'snow/snows/snowing/snowfall/snowstorm/snowstorms, snowflake/snowflakes, blizzard*, snow ~ fall*/drift*/float*/swirl*, snow storm, flurries',
    de: 'schnee, schneefall, schneeflocken, schneesturm, schneit/schneien, schnee ~ fallt/fallen/rieselt/wirbelt, flocken ~ fallen/tanzen',
    fr: 'neige, neiger, flocon*, tempete de neige, neige ~ tombe/tombent',
    es: 'nieve, nieva/nevar/nevando/nevada, ventisca, copos, tormenta de nieve, nieve ~ cae/cayendo',
    it: 'neve, nevica/nevicare/nevicando/nevicata, bufera, fiocchi, tempesta di neve, neve ~ cade/scende',
    pt: 'neve, neva/nevar/nevando/nevasca, flocos, tempestade de neve, neve ~ cai/caindo',
    zh: '下雪, 飘雪, 飄雪, 雪花, 大雪, 降雪, 暴雪, 雪 ~ 飘落/落下/纷飞',
    ja: '雪が, 雪 ~ 降/舞, 吹雪, 粉雪, 降雪',
    ko: '눈이 내, 눈이 오, 눈송이, 눈보라, 눈 내, 함박눈, 눈발',
    ru: 'снег/снега, снегопад*, метель/метели, снежинк*, вьюга, снежная буря, снег ~ идет/падает/кружит*',
    ar: 'ثلج, ثلوج, عاصفة ثلجية',
  },
  sample: { prompt: 'snow falls', picture: 'rocket' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: false,
  sees: [],
  sound: 'wind',
  cost: 'high',
  draw: drawSnow,
}
