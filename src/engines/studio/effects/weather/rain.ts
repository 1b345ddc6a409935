// Drops at many distances, with what they do to the light and the ground.

import { rain as drawRain } from '../../air/weather.ts'
import type { AirEffect } from '../declaration.ts'

export const rain: AirEffect = {
  kind: 'air',
  label: 'rain',
  words: {
    latin:
      '(?<!(confetti|petals|blossoms|leaves|ash|sparks|embers|money|glitter) )rain(s|ing|y|drops?|storm|fall)?|(?<!(snow|sand|dust|ice|fire|lightning)[- ]?)storm(s|y)?(?! (of|clouds?|sky|skies))|(gewitter|regen)?sturm|(tempete|tormenta|tempesta|tempestade)(?! (de|di) )|drizzl(e|es|ing)|downpour|regen|regnet|regnerisch|pluie|pleut|averse|lluvia|llueve|lluvioso|pioggia|piove|chuva|chove|chovendo',
    any: '下雨|暴风雨|暴風雨|(?<!砂)嵐|(?<!모래 ?|눈)폭풍|(?<!(песчаная|снежная) )(буря|шторм)|عاصفة(?! (رملية|ثلجية))|雨水|雨中|雨夜|雨天|大雨|小雨|细雨|細雨|暴雨|雨滴|雨が|雨の|降雨|비가|빗방울|폭우|дожд|ливень|مطر|تمطر',
  },
  sample: { prompt: 'heavy rain', picture: 'rocket' },
  rise: 'quick',
  joins: 'rough',
  windborne: false,
  isLight: false,
  sees: [],
  sound: 'rain',
  cost: 'high',
  draw: drawRain,
}
