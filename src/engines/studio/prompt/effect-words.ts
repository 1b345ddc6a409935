// The vocabulary of effects, in the languages of the camera's grammar and in Korean, Russian and Arabic. Latin words are
// lower case without accents and match as whole words; the other scripts match anywhere.

import type { EffectName } from '../effects/effect.ts'
import { filmWords, type Words } from './film-words.ts'

const words: Record<EffectName, Words> = {
  ...filmWords,
  rain: {
    latin:
      '(?<!(confetti|petals|blossoms|leaves|ash|sparks|embers|money|glitter) )rain(s|ing|y|drops?|storm|fall)?|(?<!(snow|sand|dust|ice|fire|lightning)[- ]?)storm(s|y)?(?! (of|clouds?|sky|skies))|(gewitter|regen)?sturm|(tempete|tormenta|tempesta|tempestade)(?! (de|di) )|drizzl(e|es|ing)|downpour|regen|regnet|regnerisch|pluie|pleut|averse|lluvia|llueve|lluvioso|pioggia|piove|chuva|chove|chovendo',
    any: '下雨|暴风雨|暴風雨|(?<!砂)嵐|(?<!모래 ?|눈)폭풍|(?<!(песчаная|снежная) )(буря|шторм)|عاصفة(?! (رملية|ثلجية))|雨水|雨中|雨夜|雨天|大雨|小雨|细雨|細雨|暴雨|雨滴|雨が|雨の|降雨|비가|빗방울|폭우|дожд|ливень|مطر|تمطر',
  },
  snow: {
    latin:
      'snow(s|ing|fall|flakes?|storm)?|blizzard|schnee(fall|flocken|sturm)?|schneit|neige|il neige|flocons|nieve|nieva|nevando|nevada|neve|nevica|nevicata|nevasca',
    any: '下雪|飘雪|飄雪|雪花|大雪|降雪|暴雪|雪が|(?<![桜紙])吹雪|눈이 내|눈송이|눈보라|снег|метель|снежинк|ثلج|ثلوج',
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
      'sun ?(rays?|beams?|light streams?)|god ?rays?|light (rays?|shafts?|beams?)|(shaft|ray|beam)s? of (sun)?light|crepuscular|volumetric light(ing)?|sonnenstrahlen|lichtstrahlen|rayons? (de soleil|de lumiere)|rayos? de (sol|luz)|raggi? di (sole|luce)|raios? de (sol|luz)',
    any: '阳光洒|阳光透过|阳光穿过|阳光照射|光束|光线穿|丁达尔|陽光|木漏れ日|光芒|差し込む光|햇살|빛줄기|лучи солнца|солнечные лучи|лучи света|أشعة الشمس',
  },
  flare: {
    latin:
      '(lens|sun|solar|light|anamorphic|camera) ?flares?|linsenreflex(e|ion|ionen)?|blendenflecken?|reflets? d objectif|destellos? de (la )?lente|destellos? del sol|riflessi? (di|della) lente|reflexos? (de|da) lente',
    any: '镜头光晕|鏡頭光暈|镜头眩光|レンズフレア|렌즈 ?플레어|блики? (объектива|линзы|в объективе)|وهج العدسة',
  },
  bokeh: {
    latin:
      'bokeh|blurred lights|lichtpunkte|unscharfe lichter|lumieres floues|luces (desenfocadas|borrosas)|luci sfocate|luzes desfocadas',
    any: '散景|光斑|玉ボケ|보케|боке|بوكيه',
  },
  bubbles: {
    latin:
      '(soap |air )?bubbles?|seifenblasen|luftblasen|bulles( de savon)?|burbujas|pompas de jabon|bolle( di sapone)?|bolhas',
    any: '泡泡|气泡|氣泡|肥皂泡|シャボン玉|泡が|비눗방울|거품|пузыр|فقاعات',
  },
  fireflies: {
    latin:
      'fire ?fl(y|ies)|(glowing|magic(al)?|fairy|luminous) (particles?|sparkles?|dust|orbs?)|(fairy|pixie|magic) dust|sparkles (float|drift|rise|dance)|leuchtende partikel|feenstaub|particules lumineuses|particulas (luminosas|brillantes|magicas)|particelle luminose|gluhwurmchen|leuchtkafer|lucioles?|luciernagas?|lucciole|vagalumes?',
    any: '萤火虫|螢火蟲|发光粒子|發光粒子|光点飘|光の粒|빛 ?입자|светящиеся частицы|جسيمات متوهجة|蛍|ホタル|반딧불|светлячк|يراعات',
  },
  lightning: {
    latin:
      'lightning|thunder(s|storm|bolt)?|blitz(e|t|en)?|gewitter|eclairs?|orage|foudre|relampagos?|rayos(?! de)|tormenta electrica|fulmini?|lampi|raios(?! de)|relampago',
    any: '闪电|閃電|雷电|雷電|雷雨|稲妻|雷が|번개|천둥|молни|гроза|برق|رعد',
  },
  dusk: {
    latin:
      '(turns?|turning|fades?|fading|changes?|changing|becomes?|becoming|falls?|falling|goes|going|sets?|setting|slips?) (in)?to (dusk|night|evening|twilight|darkness)|(night|dusk|evening|darkness) (falls|is falling|comes|descends|sets in)|(from )?day (turns?|to|into) ((in)?to )?(dusk|night|evening)|(gets?|getting|grows?|growing) dark|sun(set)? (sets|is setting|goes down)|es wird (nacht|abend|dunkel)|tag wird (zur |zum )?(nacht|abend)|die sonne geht unter|le soleil se couche|el sol se pone|il sole tramonta|o sol se poe|nacht bricht an|la nuit tombe|le soir tombe|cae la noche|anochece|scende la (notte|sera)|cala la notte|anoitece|cai a noite',
    any: '天色渐暗|夜幕降临|夜幕降臨|日落西山|天黑|由昼入夜|日が暮れ|夜になる|暗くなって|해가 지|어두워지|밤이 되|темнеет|наступает ночь|наступает вечер|يحل الليل|يحل الظلام',
  },
  ash: {
    latin:
      '(falling|drifting|volcanic|floating) ash|ash (falls|falling|rains|drifts)|ascheregen|asche (fallt|rieselt)|pluie de cendres|lluvia de ceniza|pioggia di cenere|chuva de cinzas',
    any: '火山灰|灰烬飘|灰燼飄|灰が降|화산재|재가 날|пепел|رماد',
  },
  dust: {
    latin:
      '(?<!(fairy|pixie|magic|magical|glowing) )dust( particles| motes| specks)?|floating particles|staub(partikel|korner)?|poussieres?|particules de poussiere|polvo|polvere|pulviscolo|poeira',
    any: '尘埃|塵埃|浮尘|灰尘|ほこり|塵が|먼지|пылинк|пыль|غبار',
  },
  leaves: {
    latin:
      '(falling|drifting|flying|swirling) (autumn )?leaves|(autumn )?leaves (fall|falling|drift|drifting|float|floating|swirl|swirling|fly)|fallende blatter|blatter (fallen|wirbeln)|feuilles (tombent|qui tombent|mortes qui volent)|hojas (caen|cayendo|que caen)|foglie (cadono|che cadono|cadenti)|folhas (caem|caindo)',
    any: '落叶|落葉|树叶飘落|葉が舞|葉が落|낙엽|나뭇잎이 떨어|листопад|листья падают|падающие листья|أوراق تتساقط|تساقط الأوراق',
  },
  petals: {
    latin:
      '(falling|drifting|floating|swirling|flying|cherry blossom|rose|blows|blowing|scatters) petals|petals (fall|falling|drift|drifting|float|floating|swirl|fly)|falling (cherry )?blossoms?|(cherry )?blossoms? (fall|falling|drift)|blutenblatter|petales (tombent|qui tombent|volent)|petalos (caen|cayendo|que caen)|petali (cadono|che cadono)|petalas (caem|caindo)',
    any: '花瓣|樱花飘|櫻花飄|花びら|桜が舞|桜吹雪|꽃잎|벚꽃이 날|лепестк|بتلات',
  },
  confetti: {
    latin: 'confettis?|konfetti|confeti|coriandoli|confete',
    any: '彩纸|彩紙|五彩纸屑|紙吹雪|색종이|컨페티|конфетти|قصاصات ورق',
  },
  stars: {
    latin:
      '(twinkling|glittering|sparkling|blinking) stars?|stars (twinkle|twinkling|shine|shining|appear|come out|glitter)|starry (sky|night)|sternenhimmel|sterne (funkeln|leuchten)|ciel etoile|etoiles (scintillent|brillent)|cielo estrellado|estrellas (brillan|titilan)|cielo stellato|stelle (brillano|scintillano)|ceu estrelado|estrelas (brilham|cintilam)',
    any: '星空|繁星|星星闪|星光闪|星が瞬|星がきらめ|満天の星|별이 반짝|별빛|зв[её]здное небо|зв[её]зды мерц|النجوم تتلألأ|سماء مرصعة',
  },
  flicker: {
    latin:
      '(?<!(northern|southern|polar) )(candle|fire|torch|lantern|fireplace|lamp|light|neon( sign)?|flame)(light)?s? (flickers?|flickering|dances?|dancing)|(fire|fireplace|campfire|bonfire) (burns|burning|crackles|crackling|glows|glowing)|campfire|bonfire|lagerfeuer|kaminfeuer|feu de camp|fogata|hoguera|falo|fogueira|flickering|candle ?light|firelight|kerzen(licht|schein)|feuerschein|flackert|flackernd\\w*|lueur (des|d une|de la) (bougies?|feu)|vacillante?|luz de (las )?velas?|parpadeante|lume di candela|tremolante|luz de velas?|bruxuleante',
    any: '烛光|燭光|篝火|焚き火|모닥불|кост[её]р|نار المخيم|火光|灯光闪烁|闪烁|閃爍|ろうそくの|揺らめく|ちらつ|촛불|깜박|일렁이|мерца|свет свечи|ضوء الشموع|وميض',
  },
  sunrise: {
    latin:
      'sun ?rise|sunrise|dawn (breaks|comes|light)|(the )?sun (rises|is rising|comes up)|rising sun|day ?break|sonnenaufgang|die sonne geht auf|lever du soleil|le soleil se leve|amanece(r)?|sale el sol|alba|sorge il sole|amanhecer|nascer do sol|o sol nasce',
    any: '日出|朝阳升|旭日|太阳升起|黎明|朝日が昇|日の出|夜明け|해가 뜨|일출|동이 트|рассвет|восход|солнце вста|شروق|تشرق الشمس',
  },
  warm: {
    latin:
      '(warm(er|ing)?|golden) (soft |morning |evening |afternoon |sun ?|summer )?(light(ing)?|tones?|glow|colou?rs?)|golden hour|sunset(?! (sets|goes))|sundown|afterglow|sonnenuntergang|abendrot|abendsonne|coucher de soleil|atardecer|puesta de sol|tramonto|por do sol|warmes licht|goldenes licht|lumiere (chaude|doree)|luz (calida|dorada)|luce (calda|dorata)|luz (quente|dourada)|heure doree|hora dorada|ora d oro',
    any: '夕阳|夕陽|日落(?!西山)|晚霞|夕日|夕焼け|노을|석양|일몰|закат|غروب|暖光|暖色|金色的?阳光|黄金时刻|暖かい光|黄金の光|따뜻한 빛|따스한 빛|황금빛|т[её]пл(ый|ого|ым) свет|золотой час|ضوء دافئ|الساعة الذهبية',
  },
  cold: {
    latin:
      '(cold|cool|icy|bluish)(er)? (blue )?(light(ing)?|tones?|glow|colou?rs?)|moonlight|moonlit|kaltes licht|kuhles licht|mondlicht|lumiere (froide|bleutee)|clair de lune|luz fria|luz de la luna|luce fredda|chiaro di luna|luz da lua|luar',
    any: '冷光|冷色|月光|寒色|冷たい光|月明かり|차가운 빛|달빛|холодн(ый|ого|ым) свет|лунный свет|ضوء بارد|ضوء القمر',
  },
  water: {
    latin:
      '(gentle |small |soft |rolling |crashing |breaking )?(?<!(grass|wheat|reeds|trees?|leaves|flowers|branches|plants?) )waves?|rippl(e|es|ing)|(lake|sea|ocean|river|water|surface) (ripples?|shimmers?|glitters?|sparkles?|glistens?)|surf|lapping|(flowing|moving|rushing|rippling|shimmering|glittering|sparkling) (water|sea|river|lake)|water (flows?|flowing|moves?|moving)|(river|stream|brook|creek) (flows?|flowing|runs|running)|glint(s|ing)? on (the )?water|wellen|wogen|(wasser|see|meer|fluss) (fliesst|bewegt|glitzert|krauselt|funkelt)|vagues?|ondes|l eau (coule|bouge|scintille)|olas|ondas?|agua (fluye|se mueve|brilla)|onde|ondeggia\\w*|acqua (scorre|si muove|brilla)|agua (corre|flui)',
    any: '波浪|海浪|波纹|波紋|涟漪|漣漪|流水|水面波|水波|波光|水流|波が|さざ波|水が流れ|水面が|きらめく水|파도|물결|물이 흐|волн|рябь|вода теч[её]т|блики на воде|أمواج|موج|الماء يتدفق',
  },
  clouds: {
    latin:
      '(moving|drifting|passing|rolling|floating|fast|swirling) clouds?|clouds? (move|moves|moving|drift|drifts|drifting|pass|passing|roll|rolling|float|floating|race|racing|slide)|cloud movement|(time ?-?lapse|hyper ?-?lapse) (of |de )?(the |las )?(clouds|sky|nubes)|zeitraffer (der |von )?wolken|wolkenzeitraffer|(clouds?|sky) (time ?-?lapse|hyper ?-?lapse)|wolken (ziehen|treiben|bewegen)|ziehende wolken|nuages (passent|defilent|bougent|derivent)|nubes (pasan|moviendose|en movimiento|se mueven)|nuvole (passano|si muovono|scorrono)|nuvens (passam|em movimento|se movem)',
    any: '云朵飘|延时[^,。]{0,6}云|云[^,。]{0,4}延时|白云飘|云飘|雲飄|流云|流雲|云在飘|云层移动|雲が流れ|雲が動|구름이 흐|구름이 움|облака плывут|плывущие облака|облака движ|الغيوم تتحرك|غيوم متحركة',
  },
  foliage: {
    latin:
      '(leaves|trees?|grass|branches|foliage|plants?|flowers|wheat|reeds) (sway|sways|swaying|rustle|rustles|rustling|move|moves|moving|wave|waves|waving|flutter|fluttering|tremble|blow|blowing)|swaying (trees?|grass|leaves|branches|flowers|reeds|wheat)|rustling (leaves|trees|grass)|(wind|breeze) (blows |moves |blowing |moving )?(through|in) the (trees|grass|leaves)|blatter rascheln|baume wiegen|gras wiegt|feuilles (bougent|bruissent)|arbres (bougent|se balancent)|hojas (se mueven|susurran)|arboles (se mecen|se mueven)|foglie (si muovono|frusciano)|alberi (ondeggiano|si muovono)|folhas (balancam|se movem)|arvores (balancam|se movem)',
    any: '树叶摇|树叶晃|吹动(着)?(树叶|树枝|草|花)|草随风|随风摇曳|隨風搖曳|树影摇|葉が揺|木々が揺|草が揺|나뭇잎이 흔들|풀이 흔들|листья колышутся|деревья качаются|трава колышется|أوراق الشجر تتمايل|تتمايل الأشجار',
  },
}

/** "Clouds drift", and as well "clouds slowly drift", "clouds are drifting", "clouds begin to drift". */
const adverbs = '(?: (?:slowly|gently|softly|quietly|lightly|subtly|quickly|rapidly|is|are|starts?|begins?|to))*'

export const effectPatterns: [EffectName, RegExp, RegExp][] = (Object.keys(words) as EffectName[]).map((name) => [
  name,
  new RegExp(
    `(?<![\\p{L}])(?:${words[name].latin.replace(/(?<=[\w)?]) (?=[\w(])/g, `${adverbs} `)})(?![\\p{L}])`,
    'gu',
  ),
  new RegExp(words[name].any, 'gu'),
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
