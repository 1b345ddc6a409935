// Reads the words of effects, which stand in their own files, and what says how strong they are or that they are not there.
// Latin words are lower case without accents and match as whole words; the other scripts match anywhere.

import { type EffectName, effectNames, effects } from '../effects/all.ts'

/** "Clouds drift", and as well "clouds slowly drift", "clouds are drifting", "clouds begin to drift". */
const adverbs = '(?: (?:slowly|gently|softly|quietly|lightly|subtly|quickly|rapidly|is|are|starts?|begins?|to))*'

export const effectPatterns: [EffectName, RegExp, RegExp][] = effectNames.map((name) => [
  name,
  new RegExp(
    `(?<![\\p{L}])(?:${effects[name].words.latin.replace(/(?<=[\w)?]) (?=[\w(])/g, `${adverbs} `)})(?![\\p{L}])`,
    'gu',
  ),
  new RegExp(effects[name].words.any, 'gu'),
])

/** Snow, fog or water that is only described: it lies there, and nothing falls or flows. */
export const stillLife =
  /snow[- ]?(capped|covered|clad|white|board|man|y (mountain|peak|field|roof)s?)|schneebedeckt\w*|rain(bow|coat|forest)s?|regenbogen|smoking (jacket|area)|smoky eyes?|(?<!\p{L})(hair|heat|sound|shock|radio|brain|flags?|banners?|curtains?|dress|cape|cloth|scarf|arms?|tail|he|she|it|they|who|man|woman|girl|boy|child|person|hands?|people|crowd|(smiles?|smiling|laughs?|nods?|turns?|blinks?) and)( \w+ly)? wav(es?|ing)|waves? (at|to|goodbye|hello|his|her|their|a hand)|spark(s)? (plug|joy)|lightning (bolt logo|cable|mcqueen)|storm ?troopers?|smok(e|ing) (and mirrors|guns?|detectors?)|rain ?jackets?|steam ?(punk|boat|engine|train)|cloud computing|bubble (tea|gum|bath|wrap)/gu

export const windWords =
  /(?<!\p{L})(wind(y)?(?! (turbines?|farms?|chimes?|power|instruments?))|breez(e|y)|brise|(le|du|au) vent|viento|brisa|vento|brezza)(?!\p{L})|微风|微風|风吹|風吹|随风|隨風|風が|そよ風|바람|ветер|ветр[ау]|رياح|نسيم/gu

/** What flickers without a flame. */
export const electricWords =
  /(?<!\p{L})(neon|fluorescent|tube|lamp(s|e|en)?|bulbs?|strobe|screen|tv|leuchtstoff\w*|neonlicht|lampara|lampada)(?!\p{L})|灯光|霓虹|ネオン|蛍光灯|네온|형광등|неон|лампа|نيون/u

export const strongWords =
  /(?<!\p{L})(heavy|heavily|dense|thick|strong|strongly|intense|pouring|torrential|violent|wild|huge|lots of|many|starker?|starkes|dicht\w*|heftig\w*|fort\w*|dense|epais\w*|fuerte|denso|densa|intens\w*|forte|pesad\w*|denso)(?!\p{L})|大雨|大雪|暴|浓|濃|强烈|強|激し|많은|짙은|강한|сильн|густ|плотн|غزير|كثيف/u
export const gentleWords =
  /(?<!\p{L})(light|lightly|soft|softly|gentle|gently|slight|slightly|subtle|faint|a little|some|thin|few|delicate|leicht\w*|sanft\w*|zart\w*|leger\w*|doux|douce\w*|ligera?|suave\w*|leve\w*|leggera?|leggero|fine)(?!\p{L})|轻|輕|微|薄|细|細|淡|小雨|小雪|そっと|かすか|약한|가벼운|옅은|лёгк|легк|слаб|خفيف/u
/** Before an effect, these forbid it. */
export const withoutWords =
  /(?:(?<!\p{L})(no|not|without|never|avoid|kein|keine|keinen|ohne|sans|pas de|sin|senza|sem|nada de|niente)(?!\p{L})[^,.;]{0,14}|(?:没有|沒有|无|無|不要)[^,。]{0,3}|без [^,.]{0,10}|بدون [^,.]{0,10})$/u
/** After an effect, these forbid it: "rain stops". */
export const withoutAfter =
  /^(?:[^,.。、]{0,3}(?:なし|無し|없이|없는|없음)| (?:(?:has|have|is|are|slowly|gradually|finally|suddenly) ){0,2}(?:stops?|stopped|stopping|ends?|ended|ending|ceases?|ceased|lifts?|lifted|lifting|clears?|cleared|clearing|disappears?|vanish(?:es)?)(?!\p{L})| (?:is|are) (?:over|gone)(?!\p{L})| hort auf| endet| s.arrete|停)/u
