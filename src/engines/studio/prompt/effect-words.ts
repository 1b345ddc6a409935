// The vocabulary of effects, in the languages of the camera's grammar and in Korean, Russian and Arabic. Latin words are
// lower case without accents and match as whole words; the other scripts match anywhere.

import type { EffectName } from '../effects/effect.ts'

/** Latin patterns count as whole words; `any` patterns are for scripts without word boundaries that we could use. */
interface Words {
  latin: string
  any: string
}

const words: Record<EffectName, Words> = {
  rain: {
    latin:
      'rain(s|ing|y|drops?|storm|fall)?|drizzl(e|es|ing)|downpour|regen|regnet|regnerisch|pluie|pleut|averse|lluvia|llueve|lluvioso|pioggia|piove|chuva|chove|chovendo',
    any: '下雨|雨水|雨中|大雨|小雨|细雨|細雨|暴雨|雨滴|雨が|雨の|降雨|비가|빗방울|폭우|дожд|ливень|مطر|تمطر',
  },
  snow: {
    latin:
      'snow(s|ing|fall|flakes?|storm)?|blizzard|schnee(fall|flocken|sturm)?|schneit|neige|il neige|flocons|nieve|nieva|nevando|nevada|neve|nevica|nevicata|nevasca',
    any: '下雪|飘雪|飄雪|雪花|大雪|降雪|暴雪|雪が|吹雪|눈이 내|눈송이|눈보라|снег|метель|снежинк|ثلج|ثلوج',
  },
  fog: {
    latin:
      'fog(gy)?|mist(y)?|haz(e|y)|nebel(ig)?|neblig|dunst|brouillard|brume|niebla|neblina|bruma|nebbia|foschia|nevoa|nevoeiro',
    any: '雾|霧|薄雾|もや|霞|안개|туман|дымк|ضباب',
  },
  steam: {
    latin: 'steam(s|ing|y)?|vapou?r|dampf(t|end|ende|ender)?|vapeur|fumant|vapor|humeante|vapore|fumante',
    any: '蒸汽|热气|熱氣|冒气|湯気|蒸気|김이|수증기|пар(?= |$|а |ом |и)|بخار',
  },
  smoke: {
    latin: 'smok(e|es|ing|y)|rauch(t|end|ig)?|qualm|fumee|humo|fumo|fumaca',
    any: '烟雾|烟|煙|연기|дым(?!к)|دخان',
  },
  embers: {
    latin:
      'embers?|sparks?|(floating|glowing) ash|funken|glut|braises|etincelles|brasas|chispas|scintille|braci|faiscas',
    any: '火花|余烬|餘燼|火星|火の粉|불꽃이 날|불씨|искр|угольк|شرر|جمر',
  },
  sunrays: {
    latin:
      'sun ?(rays?|beams?|light streams?)|god ?rays?|light (rays?|shafts?|beams?)|(shafts|rays|beams) of (sun)?light|crepuscular|volumetric light(ing)?|sonnenstrahlen|lichtstrahlen|rayons? (de soleil|de lumiere)|rayos? de (sol|luz)|raggi? di (sole|luce)|raios? de (sol|luz)',
    any: '阳光洒|阳光照射|光束|光线穿|丁达尔|陽光|木漏れ日|光芒|差し込む光|햇살|빛줄기|лучи солнца|солнечные лучи|лучи света|أشعة الشمس',
  },
  bokeh: {
    latin:
      'bokeh|blurred lights|lichtpunkte|unscharfe lichter|lumieres floues|luces (desenfocadas|borrosas)|luci sfocate|luzes desfocadas',
    any: '散景|光斑|玉ボケ|보케|боке|بوكيه',
  },
  fireflies: {
    latin: 'fire ?fl(y|ies)|gluhwurmchen|leuchtkafer|lucioles?|luciernagas?|lucciole|vagalumes?',
    any: '萤火虫|螢火蟲|蛍|ホタル|반딧불|светлячк|يراعات',
  },
  lightning: {
    latin:
      'lightning|thunder(s|storm|bolt)?|blitz(e|t|en)?|gewitter|eclairs?|orage|foudre|relampagos?|rayos(?! de)|tormenta electrica|fulmini?|lampi|raios(?! de)|relampago',
    any: '闪电|閃電|雷电|雷電|雷雨|稲妻|雷が|번개|천둥|молни|гроза|برق|رعد',
  },
  dusk: {
    latin:
      '(turns?|turning|fades?|fading|changes?|changing|becomes?|becoming|falls?|falling|goes|going|sets?|setting|slips?) (in)?to (dusk|night|evening|twilight|darkness)|(night|dusk|evening|darkness) (falls|is falling|comes|descends|sets in)|day (turns?|to) (to )?(dusk|night)|(gets?|getting|grows?|growing) dark|sun(set)? (sets|is setting|goes down)|es wird (nacht|abend|dunkel)|nacht bricht an|la nuit tombe|le soir tombe|cae la noche|anochece|scende la (notte|sera)|cala la notte|anoitece|cai a noite',
    any: '天色渐暗|夜幕降临|夜幕降臨|日落西山|天黑|由昼入夜|日が暮れ|夜になる|暗くなって|해가 지|어두워지|밤이 되|темнеет|наступает ночь|наступает вечер|يحل الليل|يحل الظلام',
  },
  clouds: {
    latin:
      '(moving|drifting|passing|rolling|floating|fast|swirling) clouds?|clouds? (move|moves|moving|drift|drifts|drifting|pass|passing|roll|rolling|float|floating|race|racing|slide)|cloud movement|wolken (ziehen|treiben|bewegen)|ziehende wolken|nuages (passent|defilent|bougent|derivent)|nubes (pasan|moviendose|en movimiento|se mueven)|nuvole (passano|si muovono|scorrono)|nuvens (passam|em movimento|se movem)',
    any: '云朵飘|白云飘|云飘|雲飄|流云|流雲|云在飘|云层移动|雲が流れ|雲が動|구름이 흐|구름이 움|облака плывут|плывущие облака|облака движ|الغيوم تتحرك|غيوم متحركة',
  },
  foliage: {
    latin:
      '(leaves|trees?|grass|branches|foliage|plants?|flowers|wheat|reeds) (sway|sways|swaying|rustle|rustles|rustling|move|moves|moving|wave|waving|flutter|fluttering|tremble|blow|blowing)|swaying (trees?|grass|leaves|branches|flowers|reeds|wheat)|rustling (leaves|trees|grass)|(wind|breeze) (blows |moves |blowing |moving )?(through|in) the (trees|grass|leaves)|blatter rascheln|baume wiegen|gras wiegt|feuilles (bougent|bruissent)|arbres (bougent|se balancent)|hojas (se mueven|susurran)|arboles (se mecen|se mueven)|foglie (si muovono|frusciano)|alberi (ondeggiano|si muovono)|folhas (balancam|se movem)|arvores (balancam|se movem)',
    any: '树叶摇|树叶晃|草随风|随风摇曳|隨風搖曳|树影摇|葉が揺|木々が揺|草が揺|나뭇잎이 흔들|풀이 흔들|листья колышутся|деревья качаются|трава колышется|أوراق الشجر تتمايل|تتمايل الأشجار',
  },
}

export const effectPatterns: [EffectName, RegExp, RegExp][] = (Object.keys(words) as EffectName[]).map((name) => [
  name,
  new RegExp(`(?<![\\p{L}])(?:${words[name].latin})(?![\\p{L}])`, 'gu'),
  new RegExp(words[name].any, 'gu'),
])

/** Snow, fog or water that is only described: it lies there, and nothing falls or flows. */
export const stillLife =
  /snow[- ]?(capped|covered|clad|white|board|man|y (mountain|peak|field|roof)s?)|schneebedeckt\w*|rain(bow|coat|forest)s?|regenbogen|smoking (jacket|area)|smoky eyes?|(hair|heat|sound|shock|radio|brain) waves?|waves? (at|to|goodbye|hello|his|her|their|a hand)|spark(s)? (plug|joy)|lightning (bolt logo|cable)|steam ?(punk|boat|engine|train)|cloud computing/gu

export const strongWords =
  /(?<!\p{L})(heavy|heavily|dense|thick|strong|strongly|intense|pouring|torrential|violent|wild|huge|lots of|many|starker?|starkes|dicht\w*|heftig\w*|fort\w*|dense|epais\w*|fuerte|denso|densa|intens\w*|forte|pesad\w*|denso)(?!\p{L})|大雨|大雪|暴|浓|濃|强烈|強|激し|많은|짙은|강한|сильн|густ|плотн|غزير|كثيف/u
export const gentleWords =
  /(?<!\p{L})(light|lightly|soft|softly|gentle|gently|slight|slightly|subtle|faint|a little|some|thin|few|delicate|leicht\w*|sanft\w*|zart\w*|leger\w*|doux|douce\w*|ligera?|suave\w*|leve\w*|leggera?|leggero|fine)(?!\p{L})|轻|輕|微|薄|细|細|淡|小雨|小雪|そっと|かすか|약한|가벼운|옅은|лёгк|легк|слаб|خفيف/u
/** Before an effect, these forbid it. */
export const withoutWords =
  /(?:(?<!\p{L})(no|not|without|never|avoid|kein|keine|keinen|ohne|sans|pas de|sin|senza|sem|nada de|niente)(?!\p{L})[^,.;]{0,14}|(?:没有|沒有|无|無|不要)[^,。]{0,3}|без [^,.]{0,10}|بدون [^,.]{0,10})$/u
export const withoutAfter = /^[^,.。、]{0,3}(?:なし|無し|없이|없는|없음)/u
