// What people ask a video for and a procedural renderer cannot draw: it has one picture and invents nothing. Reading it lets
// the service say so instead of staying silent. Patterns see lower-case text without Latin accents.

/** Patterns of whole words by language. */
interface Phrases {
  en?: string[]
  de?: string
  fr?: string
  es?: string
  it?: string
  pt?: string
  /** Chinese, Japanese, Korean, Russian and Arabic, anywhere in a word. */
  any?: string
}

const person = '(he|she|they|it|who|man|woman|girl|boy|child|baby|person|head|cat|dog|horse|deer|bird|animal)'
const walker = '(he|she|they|who|man|woman|girl|boy|child|person|people|couple|dog)'
const theirs = '(his|her|their|its)'
const vehicle =
  '(cars?|trucks?|bus(es)?|trains?|(sail)?boats?|(space)?ships?|(air)?planes?|jets?|helicopters?|bikes?|motorcycles?|rockets?|balloons?|traffic)'
const liquid = '(coffee|tea|milk|water|wine|juice|beer|honey|sauce|syrup|chocolate)'
const turning = '(spin|spins|spinning|turn|turns|turning|rotate|rotates|rotating)'
const wheel = '(wheels?|propellers?|blades?|windmills?|turbines?|gears?|fan)'
const spinner = '(dancer|ballerina|planet|earth|globe|moon|coin|record|vinyl|galaxy|carousel)'
/** What shows as a camera that circles it, and what the camera itself is called. */
const seenToTurn =
  '(camera|shot|view|drone|lens|scene|frame|picture|image|we|it|that|which|and|product|object|bottle|shoe|sneaker|watch|ring|necklace|item|statue|sculpture|perfume|phone|can|cup|vase)'
/** Things that dance without legs. */
const dancingLight =
  '(hair|lights?|shadows?|flames?|reflections?|sparkles?|embers|leaves|fireflies|snowflakes|dust|particles)'

const notDone: { [label: string]: Phrases } = {
  smiling: {
    en: ['smil(e|es|ing)', 'grin(s|ning)?'],
    de: 'lachelt|lacht',
    fr: 'sourit|sourire',
    es: 'sonrie',
    it: 'sorride',
    pt: 'sorri',
    any: '微笑|笑顔|笑い|미소|улыба|يبتسم|تبتسم',
  },
  'laughing or crying': {
    en: ['laugh(s|ing)?', 'cries|crying', 'weeps?|weeping'],
    de: 'weint',
    fr: 'rit aux eclats|pleure',
    es: 'llora',
    it: 'piange',
    pt: 'chora',
    any: '大笑|哭|泣い|웃고|웃는|울고|우는|сме[её]тся|плачет|يضحك|يبكي',
  },
  'hugging or kissing': {
    en: ['hug(s|ging)?', 'kiss(es|ing)?', 'embrac(es|ing)'],
    de: 'umarm\\w*|kuss(t|en)',
    fr: 'enlacent|s embrassent',
    es: 'abraz(a|an|ando)|bes(a|an)',
    it: 'abbracci(a|ano)|bacia(no)?',
    pt: 'abraca(m)?|beija(m)?',
    any: '拥抱|擁抱|亲吻|親吻|接吻|抱きしめ|キス|포옹|키스|обнима|целу|يعانق|يقبل',
  },
  'eating or drinking': {
    en: [
      'eat(s|ing)',
      'drinks? (from|her|his|the|some|a|tea|coffee|water|wine)|drinking',
      'sip(s|ping)?',
      'chew(s|ing)?',
    ],
    de: 'isst|trinkt',
    fr: 'mange|boit',
    es: 'comiendo|bebiendo',
    it: 'mangia|beve',
    pt: 'comendo|bebendo',
    any: '吃|喝|食べ|飲ん|飲む|먹|마시|кушает|пь[её]т|يأكل|يشرب',
  },
  'opening or closing eyes': {
    en: [
      'eyes? (slowly )?(opens?|closes?|opening|closing)',
      '(opens?|closes?|opening|closing) (his|her|their|its|the) eyes',
    ],
    de: '(offnet|schliesst) die augen',
    fr: '(ouvre|ferme) les yeux',
    es: '(abre|cierra) los ojos',
    it: '(apre|chiude) gli occhi',
    pt: '(abre|fecha) os olhos',
    any: '睁开|睜開|闭上眼|目を開|目を閉|눈을 (뜨|감)|(открывает|закрывает) глаза|(يفتح|تفتح|يغمض|تغمض) عين',
  },
  breathing: {
    en: ['breath(es|ing)'],
    de: 'atmet',
    fr: 'respire',
    es: 'respira(ndo)?',
    any: '呼吸|息をする|숨을 쉬|дышит|يتنفس',
  },
  blinking: {
    en: ['blink(s|ing)?', 'winks?'],
    de: 'blinzelt',
    fr: 'cligne',
    es: 'parpadea',
    pt: 'pisca',
    any: '眨眼|まばたき|깜빡|мигает|моргает',
  },
  'speaking or singing': {
    en: ['talk(s|ing)?', 'speak(s|ing)?', 'sing(s|ing)?'],
    de: 'spricht|redet|singt',
    fr: 'parle|chante',
    es: 'habla|canta',
    it: 'parla',
    pt: 'fala',
    any: '说话|說話|唱歌|话す|話す|歌う|말하|노래|говорит|по[её]т|يتحدث',
  },
  'walking or running': {
    en: [
      // A clip that walks forward moves its camera.
      'walk(s|ing)?(?![- ](forward|through|around|towards))',
      `${walker} (is |are )?(slowly )?walk(s|ing)?`,
      'run(s|ning)',
      'jog(s|ging)?',
    ],
    de: 'geht|lauft|rennt',
    fr: '(il|elle|qui) (marche|court)',
    es: 'camina|corre',
    it: 'cammina',
    pt: 'caminha',
    // "Идёт снег": it snows.
    any: '走路|行走|奔跑|跑步|歩く|走る|걷|달리|ид[её]т(?! (снег|дожд))|бежит|يمشي|يركض',
  },
  'chasing, climbing or swimming': {
    en: [
      'chas(es|ing)',
      '(?<!camera (slowly )?)climb(s|ing)',
      'swim(s|ming)',
      'crawl(s|ing)',
      'gallop(s|ing)',
      'wag(s|ging)',
    ],
    de: 'jagt|klettert|schwimmt|galoppiert|wedelt',
    fr: 'poursuit|grimpe|nage|galope',
    es: 'persigue|trepa',
    it: 'insegue|nuota',
    pt: 'persegue',
    any: '追逐|攀爬|游泳|摇尾|搖尾|追いかけ|登る|泳い|泳ぐ|尻尾を|쫓|헤엄|꼬리를|гонится|взбирается|плавает|виляет|يطارد|يسبح',
  },
  'dancing or jumping': {
    en: [`(?<!${dancingLight} )danc(e|es|ing)`, 'jump(s|ing)?(?![- ]cuts?)', 'leap(s|ing)?'],
    de: 'tanzt|springt',
    fr: 'danse|saute',
    es: 'baila|salta',
    pt: 'danca|pula',
    any: '跳舞|跳跃|踊|ジャンプ|춤|점프|танцу|прыга|يرقص|يقفز',
  },
  'turning or moving the body': {
    en: [
      `${person} (\\w+ly )?(turns|turn|turning|looks|raises|lifts|nods|waves|moves|stands up|sits down)`,
      `turns ${theirs} head`,
      'nods',
      '(smiles?|laughs?|turns?|nods?) and waves?',
      'wav(es?|ing) (at|to|goodbye|hello|his|her|their|a hand)',
    ],
    de: '(?<!kamera )dreht sich',
    fr: 'tourne la tete',
    es: 'gira la cabeza',
    it: 'gira la testa',
    any: '转头|轉頭|回头|点头|振り向|頷|고개를|поворачивает голову|кивает',
  },
  'hair or cloth moving': {
    en: [
      'hair (danc(es|ing)|blows|blowing|moves|moving|flows|flowing|waving|flutters|sways|swaying)',
      'hair in the (wind|breeze)',
      '(wind|breeze) (blows |blowing |moves )?((in|through) )?(his|her|their|the|its) (hair|fur)|wind blowing hair',
      '(flowing|floating) (hair|dress|cape)',
      '(flag|dress|cape|cloth|scarf|curtains?) (flutters?|fluttering|blows?|blowing|waves?|waving|moves?|moving|flows?|flowing|sways?|swaying|billows?|billowing)',
    ],
    de: 'haare wehen',
    fr: 'cheveux au vent',
    es: 'pelo al viento',
    any: '头发飘|頭髮飄|吹动[^,。]{0,3}头发|髪がなび|머리카락이|волосы разв',
  },
  'flying or swimming animals': {
    en: [
      '(birds?|butterfl(y|ies)|bees?|dragons?|eagles?) (fly|flies|flying|glides?|gliding|soars?|soaring)',
      'flying (birds?|butterfl(y|ies))',
      'fish (swim|swims|swimming)',
    ],
    de: 'vogel fliegen',
    fr: 'oiseaux volent',
    es: 'pajaros vuelan',
    it: 'uccelli volano',
    any: '鸟儿飞|鳥飛|飞鸟|鳥が飛|새가 날|птицы летят|الطيور تطير',
  },
  'driving or flying vehicles': {
    en: [
      `${vehicle} (rises?|rising|floats?|floating|drives?|driving|moves?|moving|passes|passing|races?|racing|speed(s|ing)?|fl(y|ies|ying)|sails?|sailing|takes? off|launch(es|ing)?|goes|going|rides?)`,
    ],
    de: 'autos? fahren',
    fr: 'voitures? roule',
    any: '汽车行驶|车流|火箭发射|車が走|자동차가|машины едут|السيارات',
  },
  'an explosion': {
    en: ['explo(de|des|ding|sion|sions)', 'blows? up'],
    de: 'explodiert',
    es: 'explota',
    it: 'esplode',
    any: '爆炸|爆発|폭발|взрыв|انفجار',
  },
  fireworks: {
    en: ['fireworks?'],
    de: 'feuerwerk\\w*',
    fr: 'feux? d artifice',
    es: 'fuegos artificiales',
    it: 'fuochi d artificio',
    pt: 'fogos de artificio',
    any: '烟花|煙花|焰火|花火|불꽃놀이|фейерверк|салют|ألعاب نارية',
  },
  'northern lights': {
    en: ['aurora( borealis)?', 'northern lights'],
    de: 'polarlicht(er)?|nordlicht(er)?',
    fr: 'aurores? boreales?',
    es: 'aurora boreal(e)?',
    any: '极光|極光|オーロラ|오로라|(северное|полярное) сияние|الشفق القطبي',
  },
  'a tornado': {
    en: ['tornado(es|s)?|twister|whirlwind'],
    de: 'wirbelsturm',
    fr: 'tornade',
    es: 'torbellino',
    any: '龙卷风|龍捲風|竜巻|토네이도|торнадо|смерч|إعصار',
  },
  'a waterfall': {
    en: ['water ?falls?'],
    de: 'wasserfalle?',
    fr: 'chutes? d eau',
    es: 'cascadas?',
    it: 'cascate?',
    pt: 'cachoeiras?',
    any: '瀑布|滝|폭포|водопад|شلال',
  },
  'pouring or dripping': {
    en: [`${liquid} (is )?(slowly )?(pours|poured|pouring|drips|dripping)`, `pour(s|ing)? (the |some )?${liquid}`],
    de: 'giesst',
    fr: 'verse du',
    es: 'vierte',
    it: '(?<!vice )versa',
    any: '倒入|倒出|注入|注ぐ|注が|따르|붓|наливает|ль[её]тся|يصب',
  },
  'blooming or growing': {
    en: [
      '(flowers?|buds?|roses?|blossoms?|lotus) (slowly )?(blooms?|opens?|opening|unfolds?|unfolding)',
      'grow(s|ing)?(?! (dark|into|darker))',
      'sprout(s|ing)?',
    ],
    de: 'erbluht|wachst',
    fr: 'eclot|pousse',
    es: 'florece|crece',
    it: 'sboccia|cresce',
    pt: 'floresce',
    any: '绽放|綻放|盛开|生长|咲く|咲いて|育つ|피어|자라|распуска|раст[её]т|تتفتح|ينمو',
  },
  'lights switching on': {
    en: ['lights? (slowly )?(turns?|turning|go|goes|switch(es)?|come|comes) on'],
    de: 'lichter gehen an',
    any: '亮起|点亮|點亮|明かりがつ|불이 켜|загораются|تضيء الأنوار',
  },
  'wheels or blades turning': {
    en: [`${wheel} (slowly )?${turning}`],
    any: '车轮转|风车转|風車が回|바퀴가|кол[её]са|вращаются лопасти',
  },
  'something appearing or transforming': {
    en: ['appears?|appearing|disappears?', 'transforms?|transforming', '(morphs?|grows?) into'],
    de: 'verwandelt',
    fr: 'apparait|se transforme',
    es: 'aparece',
    it: 'appare',
    pt: 'transforma',
    any: '出现|变成|變成|出現|現れ|変身|나타나|변신|появля|превраща|يظهر',
  },
  'a time-lapse': {
    en: ['(time|hyper) ?-?lapse'],
    de: 'zeitraffer',
    any: '延时|縮時|タイムラプス|타임랩스|таймлапс',
  },
  'shooting stars': {
    en: ['shooting stars?'],
    de: 'sternschnuppen?',
    fr: 'etoiles? filantes?',
    any: '流星|流れ星|별똥별|падающ(ая|ие) зв|شهب',
  },
  'moving flames': {
    en: ['flames?', 'burning', 'fire (burns|crackles)', 'campfire'],
    de: 'flammen|brennt',
    fr: 'flammes',
    es: 'llamas',
    it: 'fiamme',
    pt: 'chamas',
    any: '火焰|燃烧|炎|불길|пламя|горит|لهب',
  },
  'a seamless loop': {
    en: ['loop(s|ing|ed)?'],
    de: 'endlosschleife',
    fr: 'en boucle',
    es: 'bucle',
    any: '循环|ループ|루프|зациклен',
  },
  'a full circle around': {
    en: ['360', 'full (circle|orbit|rotation)', 'all the way around'],
    any: '三百六十|一周',
  },
  'turning by many degrees': {
    en: [
      // Degrees of a circle, not of heat.
      '(?<!\\d)(30|45|60|90|1[0-9]{2}|2[0-9]{2}) ?(°|degrees?|deg)(?! (celsius|fahrenheit|c|f)(?!\\p{L}))',
      'upside ?-?down',
      'barrel roll',
    ],
  },
  'turning objects': {
    en: [
      `(?<!(${seenToTurn}|${wheel})( slowly| smoothly| gently)? )(rotates|spins|revolves|twirls|pirouettes)`,
      'twirling|pirouette',
      `${spinner},? (slowly )?(spin|spinning|rotat(e|ing)|turns?|turning)`,
    ],
  },
  'starting closer than the picture': {
    en: [
      '(start|begin|open)(s|ing|ning)? (with|on|from|at|in) (a |an )?(tight |extreme |macro )?(close ?-?up|closeup)',
    ],
  },
}

export const notDonePatterns = Object.entries(notDone).map(([label, phrases]) => [label, patternOf(phrases)] as const)

function patternOf({ any, ...languages }: Phrases): RegExp {
  const words = Object.values(languages).flat().join('|')
  return new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})${any ? `|${any}` : ''}`, 'u')
}
