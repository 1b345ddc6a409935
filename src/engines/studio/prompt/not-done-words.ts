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
      'walk(s|ing)?(?! (forward|through|around|towards))|run(s|ning)|jog(s|ging)?|geht|lauft|rennt|marche|court|camina|corre|cammina|caminha',
      '走路|行走|奔跑|跑步|歩く|走る|걷|달리|ид[её]т(?! (снег|дожд))|бежит|يمشي|يركض',
    ),
  ],
  [
    'dancing or jumping',
    w(
      'danc(e|es|ing)|jump(s|ing)?|leap(s|ing)?|tanzt|springt|danse|saute|baila|salta|danca|pula',
      '跳舞|跳跃|踊|ジャンプ|춤|점프|танцу|прыга|يرقص|يقفز',
    ),
  ],
  [
    'turning or moving the body',
    w(
      '(he|she|they|it|who|man|woman|girl|boy|person|head|cat|dog) (slowly )?(turns|turn|turning|looks|raises|lifts|nods|waves|moves|stands up|sits down)|turns (his|her|their|its) head|nods|dreht sich|tourne la tete|gira la cabeza|gira la testa',
      '转头|轉頭|回头|点头|振り向|頷|고개를|поворачивает голову|кивает',
    ),
  ],
  [
    'hair or cloth moving',
    w(
      'hair (blows|blowing|moves|moving|flows|flowing|waving|flutters)|flowing (hair|dress|cape)|(flag|dress|cape|cloth|scarf|curtains?) (flutters|fluttering|blows|blowing|waves|waving|moves|moving)|haare wehen|cheveux au vent|pelo al viento',
      '头发飘|頭髮飄|髪がなび|머리카락이|волосы разв',
    ),
  ],
  [
    'flying or swimming animals',
    w(
      '(birds?|butterfl(y|ies)|bees?|dragons?|eagles?) (fly|flies|flying|glide|gliding|soar|soaring)|flying (birds?|butterfl(y|ies))|fish (swim|swims|swimming)|vogel fliegen|oiseaux volent|pajaros vuelan|uccelli volano',
      '鸟儿飞|鳥飛|飞鸟|鳥が飛|새가 날|птицы летят|الطيور تطير',
    ),
  ],
  [
    'driving or flying vehicles',
    w(
      '(cars?|trucks?|bus(es)?|trains?|boats?|ships?|planes?|bikes?|motorcycles?|rockets?|traffic) (drives?|driving|moves?|moving|passes|passing|races?|racing|speeds?|sails?|sailing|takes? off|launch(es|ing)?|goes|going|rides?)|autos? fahren|voitures? roule',
      '汽车行驶|车流|火箭发射|車が走|자동차가|машины едут|السيارات',
    ),
  ],
  [
    'an explosion',
    w('explo(de|des|ding|sion|sions|diert)|blows? up|explota|esplode|explode', '爆炸|爆発|폭발|взрыв|انفجار'),
  ],
  [
    'something appearing or transforming',
    w(
      'appears?|appearing|transforms?|transforming|morphs? into|grows? into|disappears?|verwandelt|apparait|se transforme|aparece|appare|transforma',
      '出现|出現|变成|變成|現れ|変身|나타나|변신|появля|превраща|يظهر',
    ),
  ],
  [
    'bubbles',
    w('(soap )?bubbles?|seifenblasen|blasen|bulles|burbujas|bolle|bolhas', '泡泡|シャボン|거품|пузыр|فقاعات'),
  ],
  ['a time-lapse', w('time ?-?lapse|hyper ?-?lapse|zeitraffer|timelapse', '延时|縮時|タイムラプス|타임랩스|таймлапс')],
  [
    'shooting stars',
    w('shooting stars?|sternschnuppen?|etoiles? filantes?', '流星|流れ星|별똥별|падающ(ая|ие) зв|شهب'),
  ],
  ['a lens flare', w('lens flares?|flare', '镜头光晕|レンズフレア|렌즈 플레어|блик')],
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
  ['wind', w('wind(y)?|breeze|brise|vent|viento|vento', '微风|微風|风吹|風が|바람|ветер|رياح')],
]
