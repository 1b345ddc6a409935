// What people ask a video for and a procedural renderer cannot draw: it has one picture and invents nothing. Reading it lets
// the service say so instead of staying silent. Patterns see lower-case text without Latin accents.

const w = (latin: string, any = '(?!)') => new RegExp(`(?<!\\p{L})(?:${latin})(?!\\p{L})|${any}`, 'u')

export const notDonePatterns: [label: string, pattern: RegExp][] = [
  [
    'smiling',
    w(
      'smil(e|es|ing)|grin(s|ning)?|lachelt|lacht|sourit|sourire|sonrie|sorride|sorri',
      '微笑|笑顔|微笑む|笑い|미소|улыба|يبتسم|تبتسم',
    ),
  ],
  [
    'laughing or crying',
    w(
      'laugh(s|ing)?|cries|crying|weeps?|weeping|weint|rit aux eclats|pleure|llora|piange|chora',
      '大笑|哭|泣い|웃고|웃는|울고|우는|сме[её]тся|плачет|يضحك|يبكي',
    ),
  ],
  [
    'hugging or kissing',
    w(
      'hug(s|ging)?|kiss(es|ing)?|embrac(es|ing)|umarm\\w*|kuss(t|en)|enlacent|s embrassent|abraz(a|an|ando)|bes(a|an)|abbracci(a|ano)|bacia(no)?|abraca(m)?|beija(m)?',
      '拥抱|擁抱|亲吻|親吻|接吻|抱きしめ|キス|포옹|키스|обнима|целу|يعانق|يقبل',
    ),
  ],
  [
    'eating or drinking',
    w(
      'eat(s|ing)|drinks? (from|her|his|the|some|a|tea|coffee|water|wine)|drinking|sip(s|ping)?|chew(s|ing)?|isst|trinkt|mange|boit|comiendo|bebiendo|mangia|beve|comendo|bebendo',
      '吃|喝|食べ|飲ん|飲む|먹|마시|кушает|пь[её]т|يأكل|يشرب',
    ),
  ],
  [
    'opening or closing eyes',
    w(
      'eyes? (slowly )?(opens?|closes?|opening|closing)|(opens?|closes?|opening|closing) (his|her|their|its|the) eyes|offnet die augen|schliesst die augen|(ouvre|ferme) les yeux|(abre|cierra) los ojos|(apre|chiude) gli occhi|(abre|fecha) os olhos',
      '睁开|睜開|闭上眼|目を開|目を閉|눈을 (뜨|감)|(открывает|закрывает) глаза|(يفتح|تفتح|يغمض|تغمض) عين',
    ),
  ],
  ['breathing', w('breath(es|ing)|atmet|respire|respira(ndo)?', '呼吸|息をする|숨을 쉬|дышит|يتنفس')],
  ['blinking', w('blink(s|ing)?|winks?|blinzelt|cligne|parpadea|pisca', '眨眼|まばたき|깜빡|мигает|моргает')],
  [
    'speaking or singing',
    w(
      'talk(s|ing)?|speak(s|ing)?|sing(s|ing)?|spricht|redet|singt|parle|chante|habla|canta|parla|fala',
      '说话|說話|唱歌|话す|話す|歌う|말하|노래|говорит|поёт|поет|يتحدث',
    ),
  ],
  [
    'walking or running',
    w(
      'walk(s|ing)?(?![- ](forward|through|around|towards))|(he|she|they|who|man|woman|girl|boy|child|person|people|couple|dog) (is |are )?(slowly )?walk(s|ing)?|run(s|ning)|jog(s|ging)?|geht|lauft|rennt|(il|elle|qui) (marche|court)|camina|corre|cammina|caminha',
      '走路|行走|奔跑|跑步|歩く|走る|걷|달리|ид[её]т(?! (снег|дожд))|бежит|يمشي|يركض',
    ),
  ],
  [
    'chasing, climbing or swimming',
    w(
      'chas(es|ing)|(?<!camera (slowly )?)climb(s|ing)|swim(s|ming)|crawl(s|ing)|gallop(s|ing)|wag(s|ging)|jagt|klettert|schwimmt|galoppiert|wedelt|poursuit|grimpe|nage|galope|persigue|trepa|insegue|nuota|persegue',
      '追逐|攀爬|游泳|摇尾|搖尾|追いかけ|登る|泳い|泳ぐ|尻尾を|쫓|헤엄|꼬리를|гонится|взбирается|плавает|виляет|يطارد|يسبح',
    ),
  ],
  [
    'dancing or jumping',
    w(
      '(?<!(hair|lights?|shadows?|flames?|reflections?|sparkles?|embers|leaves|fireflies|snowflakes|dust|particles) )danc(e|es|ing)|jump(s|ing)?(?![- ]cuts?)|leap(s|ing)?|tanzt|springt|danse|saute|baila|salta|danca|pula',
      '跳舞|跳跃|踊|ジャンプ|춤|점프|танцу|прыга|يرقص|يقفز',
    ),
  ],
  [
    'turning or moving the body',
    w(
      '(he|she|they|it|who|man|woman|girl|boy|child|baby|person|head|cat|dog|horse|deer|bird|animal) (\\w+ly )?(turns|turn|turning|looks|raises|lifts|nods|waves|moves|stands up|sits down)|turns (his|her|their|its) head|nods|(smiles?|laughs?|turns?|nods?) and waves?|wav(es?|ing) (at|to|goodbye|hello|his|her|their|a hand)|(?<!kamera )dreht sich|tourne la tete|gira la cabeza|gira la testa',
      '转头|轉頭|回头|点头|振り向|頷|고개를|поворачивает голову|кивает',
    ),
  ],
  [
    'hair or cloth moving',
    w(
      'hair (danc(es|ing)|blows|blowing|moves|moving|flows|flowing|waving|flutters|sways|swaying)|hair in the (wind|breeze)|(wind|breeze) (blows |blowing |moves )?(in|through) (his|her|their|the|its) (hair|fur)|(flowing|floating) (hair|dress|cape)|(flag|dress|cape|cloth|scarf|curtains?) (flutters?|fluttering|blows?|blowing|waves?|waving|moves?|moving|flows?|flowing|sways?|swaying|billows?|billowing)|haare wehen|cheveux au vent|pelo al viento',
      '头发飘|頭髮飄|吹动[^,。]{0,3}头发|髪がなび|머리카락이|волосы разв',
    ),
  ],
  [
    'flying or swimming animals',
    w(
      '(birds?|butterfl(y|ies)|bees?|dragons?|eagles?) (fly|flies|flying|glides?|gliding|soars?|soaring)|flying (birds?|butterfl(y|ies))|fish (swim|swims|swimming)|vogel fliegen|oiseaux volent|pajaros vuelan|uccelli volano',
      '鸟儿飞|鳥飛|飞鸟|鳥が飛|새가 날|птицы летят|الطيور تطير',
    ),
  ],
  [
    'driving or flying vehicles',
    w(
      '(cars?|trucks?|bus(es)?|trains?|boats?|ships?|planes?|bikes?|motorcycles?|rockets?|balloons?|traffic) (rises?|rising|floats?|floating|drives?|driving|moves?|moving|passes|passing|races?|racing|speeds?|sails?|sailing|takes? off|launch(es|ing)?|goes|going|rides?)|autos? fahren|voitures? roule',
      '汽车行驶|车流|火箭发射|車が走|자동차가|машины едут|السيارات',
    ),
  ],
  [
    'an explosion',
    w('explo(de|des|ding|sion|sions|diert)|blows? up|explota|esplode|explode', '爆炸|爆発|폭발|взрыв|انفجار'),
  ],
  [
    'fireworks',
    w(
      'fireworks?|feuerwerk\\w*|feux? d artifice|fuegos artificiales|fuochi d artificio|fogos de artificio',
      '烟花|煙花|焰火|花火|불꽃놀이|фейерверк|салют|ألعاب نارية',
    ),
  ],
  [
    'northern lights',
    w(
      'aurora( borealis)?|northern lights|polarlicht(er)?|nordlicht(er)?|aurores? boreales?|aurora boreal(e)?',
      '极光|極光|オーロラ|오로라|(северное|полярное) сияние|الشفق القطبي',
    ),
  ],
  [
    'a tornado or blowing sand',
    w(
      'tornado(es|s)?|twister|whirlwind|(sand|dust) ?storms?|blow(s|ing)? (the )?sand|sand (blows|blowing|drifts|swirls)|wirbelsturm|sandsturm|tornade|tempete de sable|torbellino|tormenta de arena|tempesta di sabbia|tempestade de areia',
      '龙卷风|龍捲風|沙尘暴|沙塵暴|竜巻|砂嵐|토네이도|모래 ?(폭풍|바람)|торнадо|смерч|песчаная буря|إعصار|عاصفة رملية',
    ),
  ],
  [
    'a waterfall',
    w('water ?falls?|wasserfall|wasserfalle|chutes? d eau|cascadas?|cascate?|cachoeiras?', '瀑布|滝|폭포|водопад|شلال'),
  ],
  [
    'pouring or dripping',
    w(
      '(coffee|tea|milk|water|wine|juice|beer|honey|sauce|syrup|chocolate) (is )?(slowly )?(pours|poured|pouring|drips|dripping)|pour(s|ing)? (the |some )?(coffee|tea|milk|water|wine|juice|beer|honey|sauce|syrup|chocolate)|giesst|verse du|vierte|(?<!vice )versa',
      '倒入|倒出|注入|注ぐ|注が|따르|붓|наливает|льётся|льется|يصب',
    ),
  ],
  [
    'blooming or growing',
    w(
      '(flowers?|buds?|roses?|blossoms?|lotus) (slowly )?(blooms?|opens?|opening|unfolds?|unfolding)|grow(s|ing)?(?! (dark|into|darker))|sprout(s|ing)?|erbluht|wachst|eclot|pousse|florece|crece|sboccia|cresce|floresce',
      '绽放|綻放|盛开|生长|咲く|咲いて|育つ|피어|자라|распуска|раст[её]т|تتفتح|ينمو',
    ),
  ],
  [
    'lights switching on',
    w(
      'lights? (slowly )?(turns?|turning|go|goes|switch(es)?|come|comes) on|lichter gehen an',
      '亮起|点亮|點亮|明かりがつ|불이 켜|загораются|تضيء الأنوار',
    ),
  ],
  [
    'wheels or blades turning',
    w(
      '(wheels?|propellers?|blades?|windmills?|turbines?|gears?|fan) (slowly )?(spin|spins|spinning|turn|turns|turning|rotate|rotates|rotating)',
      '车轮转|風車が回|风车转|바퀴가|колёса|колеса|вращаются лопасти',
    ),
  ],
  [
    'something appearing or transforming',
    w(
      'appears?|appearing|transforms?|transforming|morphs? into|grows? into|disappears?|verwandelt|apparait|se transforme|aparece|appare|transforma',
      '出现|出現|变成|變成|現れ|変身|나타나|변신|появля|превраща|يظهر',
    ),
  ],
  ['a time-lapse', w('time ?-?lapse|hyper ?-?lapse|zeitraffer|timelapse', '延时|縮時|タイムラプス|타임랩스|таймлапс')],
  [
    'shooting stars',
    w('shooting stars?|sternschnuppen?|etoiles? filantes?', '流星|流れ星|별똥별|падающ(ая|ие) зв|شهب'),
  ],
  [
    'moving flames',
    w(
      'flames?|burning|fire (burns|burning|crackles)|campfire|flammen|brennt|flammes|llamas|fiamme|chamas',
      '火焰|燃烧|炎|불길|пламя|горит|لهب',
    ),
  ],
  [
    'a seamless loop',
    w('seamless(ly)? loop(s|ing)?|loop(s|ing|ed)?|endlosschleife|en boucle|bucle', '循环|ループ|루프|зациклен'),
  ],
  ['a full circle around', w('360|full (circle|orbit|rotation)|all the way around', '三百六十|一周')],
  [
    'turning by many degrees',
    w(
      '(?<!\\d)(30|45|60|90|1[0-9]{2}|2[0-9]{2}) ?(°|degrees?|deg)(?! (celsius|fahrenheit|c|f)(?!\\p{L}))|upside ?-?down|barrel roll',
    ),
  ],
  [
    'turning objects',
    w(
      '(?<!(camera|shot|view|drone|lens|scene|frame|picture|image|we|it|that|which|and|product|object|bottle|shoe|sneaker|watch|ring|necklace|item|statue|sculpture|perfume|phone|can|cup|vase|wheels?|propellers?|blades?|windmills?|turbines?|gears?|fan)( slowly| smoothly| gently)? )(rotates|spins|revolves|twirls|pirouettes)|twirling|pirouette|(dancer|ballerina|planet|earth|globe|moon|coin|record|vinyl|galaxy|carousel),? (slowly )?(spin|spinning|rotat(e|ing)|turns?|turning)',
    ),
  ],
  [
    'starting closer than the picture',
    w('(start|begin|open)(s|ing|ning)? (with|on|from|at|in) (a |an )?(tight |extreme |macro )?(close ?-?up|closeup)'),
  ],
]
