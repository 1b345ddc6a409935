// The words of framings, sounds, looks, adverbs and things that cannot be drawn. Those of effects are in the effects' own files,
// those of acts in act-words.ts.

import type { Phrases } from '../phrases.ts'

export type ShotSize = 'wide' | 'medium' | 'close' | 'detail'

export const sizeWords: Record<ShotSize, Phrases> = {
  detail: {
    en: 'detail/detailed shot, extreme close up, extreme closeup, macro, macro shot/lens/details, insert shot, big close up',
    de: 'detailaufnahme, makro*, extreme nahaufnahme',
    fr: 'tres gros plan',
    es: 'plano detalle, primerisimo primer plano',
    it: 'dettaglio, primissimo piano',
    pt: 'plano detalhe, close extremo',
    zh: '特写细节, 细节特写, 大特写, 大特寫, 微距',
    ja: '接写, マクロ, 超クローズアップ',
    ko: '매크로, 익스트림 클로즈업',
    ru: 'макро*, деталь крупно, сверхкрупный план',
    ar: 'لقطة قريبة جدا, ماكرو',
  },
  wide: {
    en: 'wide static? shot/view/angle/shots, establishing shot, long shot, full shot, extreme wide shot, aerial, aerial shot/view, panorama',
    de: 'weitwinkel*, totale, weite aufnahme, luftaufnahme',
    fr: 'plan large, plan d ensemble, plan general, vue aerienne, plan aerien',
    es: 'plano general/abierto, gran plano general, vista/toma aerea, plano aereo',
    it: 'campo lungo/largo, campo lunghissimo, vista/ripresa aerea',
    pt: 'plano aberto/geral, vista/tomada aerea',
    zh: '全景, 远景, 遠景, 广角, 廣角, 航拍, 航拍镜头',
    ja: 'ワイドショット, 引きの, 空撮, 全景',
    ko: '와이드 샷, 와이드샷, 전경 샷, 롱 샷, 롱샷',
    ru: 'общий план, дальний план, широкий план',
    ar: 'لقطة واسعة, لقطة بعيدة',
  },
  medium: {
    en: 'medium shot, medium close, medium close up, mid shot, waist up, cowboy shot, medium wide shot',
    de: 'halbtotale, halbnah*',
    fr: 'plan moyen/americain',
    es: 'plano medio',
    it: 'mezzo busto, piano medio',
    pt: 'plano medio',
    zh: '中景, 中近景',
    ja: 'ミディアムショット',
    ko: '미디엄 샷, 미디엄샷',
    ru: 'средний план',
    ar: 'لقطة متوسطة',
  },
  close: {
    en: 'close up, closeup, close ups, close shot, tight shot, portrait shot, detail/details of',
    de: 'nahaufnahme*, grossaufnahme*',
    fr: 'gros plan',
    es: 'primer plano',
    it: 'primo piano',
    pt: 'primeiro plano, close',
    zh: '特写, 特寫, 近景, 特写镜头',
    ja: 'クローズアップ, アップで',
    ko: '클로즈업, 클로즈 업',
    ru: 'крупный план, крупным планом',
    ar: 'لقطة قريبة, لقطة مقربة',
  },
}

/** What the studio's ambience plays, or what is said of sound without asking for any. */
export const soundWords: Phrases = {
  en: `ambient sound/sounds/noise, ambience, sound/sounds/noise of rain/waves/wind/fire/birds/crowd/sea/ocean/traffic/city/surf, wind noise/sound/sounds,
    rain/wave/waves/ocean/sea/city/street/traffic/crowd/bird sounds/noise/ambience, bird/birds ~ chirp*/sing/sings/singing, birdsong, crackling fire, wind ~ howl*/whistl*,
    seagulls crying/calling`,
  de: 'vogel ~ zwitschern/singen, vogelgezwitscher, meeresrauschen, windgerausch*',
  fr: 'oiseaux ~ chantent, bruit des/du/de vagues/vent/mer/pluie, chant des oiseaux',
  es: 'pajaros ~ cantan, sonido de olas/lluvia, sonido del viento/mar, canto de pajaros',
  it: 'uccelli ~ cantano, rumore delle onde, suono del mare, canto degli uccelli',
  pt: 'passaros ~ cantam, som das ondas, som do mar, canto dos passaros',
  zh: '鸟鸣, 鸟叫声, 海浪声, 风声, 雨声, 环境音',
  ja: '鳥のさえずり, 波の音, 風の音, 雨音, 環境音',
  ko: '새소리, 파도 소리, 빗소리, 바람 소리',
  ru: 'птицы поют, пение птиц, шум волн/моря/ветра/дождя',
  ar: 'صوت الأمواج, صوت المطر, صوت الرياح',
}

/** A sentence that begins so speaks of sound alone. */
export const soundLabels: Phrases = {
  en: 'audio, sound, sounds, sfx, sound effects, sound design, foley',
  de: 'ton, klang',
  fr: 'son, bande son',
  es: 'sonido',
  it: 'suono, audio',
  pt: 'som, audio',
  zh: '音效, 声音',
  ja: '音, 効果音',
  ko: '소리, 오디오',
  ru: 'звук',
  ar: 'صوت',
}

/** Things, looks and feats that the studio does not draw. */
export const wishWords: Phrases = {
  en: `firework/fireworks, aurora/auroras, aurora borealis, northern/polar lights, tornado/tornadoes/twister/whirlwind, waterfall/waterfalls, shooting star/stars, meteor*,
    time lapse, timelapse, hyper lapse, hyperlapse, seamless? loop/loops/looping/looped, 360 orbit?/rotation?/turn?/degree?/degrees?, full circle/orbit/rotation, all the way around, upside down, barrel roll,
    30/45/60/90/120/135/180/270 degrees/degree/deg turn?/rotation?/arc?, explosion/explosions, flame/flames, heat haze, heat shimmer, light leak/leaks, long exposure, light trails,
    desaturated/muted/vivid/vibrant/saturated/oversaturated/pastel color/colors/colour/colours/tones/palette, desaturated, oversaturated, teal and orange, color grade/grading teal, high/low contrast, high key,
    soft focus, tilt shift, fisheye, fish eye, infrared, double exposure, split screen, picture in picture, chromatic aberration, motion blur, stop motion, speed lines, rainbow appears,
    anime/cartoon/comic/manga/pixar/disney/ghibli/claymation/watercolor/watercolour/sketch/pixel/lego/cyberpunk/oil style/look, in the style of, style of, watercolor painting, oil painting style,
    subtitle/subtitles, caption/captions, text/title/titles/logo ~ appear*/fad*/animat*, voiceover, voice over, narration, narrator, dialogue, music, soundtrack, song, orchestral score, soft/upbeat music,
    ^watercolor/watercolour/anime/cartoon/claymation/cyberpunk$, ^pixel art$, ^oil painting$, lights/light ~ go out, lights/light come/comes/go/goes/turn/turns/turning/switch/switches on/off/out, lip sync, jump/match/smash cut, cut to, crossfade, cross dissolve, wipe transition, transition, transitions,
    starts/start/begin/begins/open/opens with/on/from/at/in tight? extreme? macro? close up/closeup, comes/come/coming to life, speed ramp/ramping`,
  de: 'feuerwerk*, polarlicht*, nordlicht*, wirbelsturm, tornado, wasserfall*, sternschnuppe*, zeitraffer, endlosschleife, explosion*, flammen, musik, ubergang, lichter gehen an, entsattigt*, doppelbelichtung, anime stil, zeichentrick*, aquarell*',
  fr: 'feux/feu d artifice, aurore/aurores boreale/boreales, tornade, chute/chutes d eau, cascade/cascades, etoile/etoiles filante/filantes, accelere, en boucle, explosion*, flammes, musique, transition, couleurs desaturees, style anime/aquarelle, voix off',
  es: 'fuegos artificiales, aurora/auroras boreal/boreales, torbellino/tornado, cascada/cascadas, estrella/estrellas fugaz/fugaces, camara rapida, bucle, explosion*, llamas, musica, transicion, colores desaturados, estilo anime/acuarela, voz en off',
  it: 'fuochi d artificio, aurora boreale, tornado, cascata/cascate, stella/stelle cadente/cadenti, timelapse, loop, esplosion*, fiamme, musica, transizione, colori desaturati, stile anime/acquerello, voce fuori campo',
  pt: 'fogos de artificio, aurora boreal, tornado, cachoeira*, estrela/estrelas cadente/cadentes, timelapse, loop, explosao/explosoes, chamas, musica, transicao, cores dessaturadas, estilo anime/aquarela',
  zh: '烟花, 煙花, 焰火, 极光, 極光, 龙卷风, 龍捲風, 竜巻, 瀑布, 流星, 延时, 縮時, 循环, 爆炸, 火焰, 音乐, 三百六十, 一周, 转场, 动漫风格, 水彩风格, 低饱和, 旁白, 灯光亮起',
  ja: '花火, オーロラ, 竜巻, 滝, 流星, 流れ星, タイムラプス, ループ, 爆発, 炎, 音楽, アニメ調, アニメ風, 水彩画風, ナレーション, 明かりがつ',
  ko: '불꽃놀이, 오로라, 토네이도, 폭포, 유성, 별똥별, 타임랩스, 루프, 폭발, 불길, 음악, 애니메이션 스타일, 수채화 스타일, 내레이션, 불이 켜',
  ru: 'фейерверк*, салют*, северное/полярное сияние, торнадо, смерч*, водопад*, падающая/падающие звезда/звезды, таймлапс*, ускоренн* съемк*, зациклен*, взрыв*, пламя, музыка, стиль аниме, акварель*, закадровый голос',
  ar: 'ألعاب نارية, الشفق القطبي, إعصار, شلال, شهب, انفجار, لهب, موسيقى',
}

/** What sounds like an effect, an act or a move and only says what the picture shows. */
export const sceneryWords: Phrases = {
  en: `snow capped/covered/clad/white/board/boarder/man/globe/leopard, snowy mountain/mountains/peak/peaks/field/roof/roofs/forest/village/meadow, rainbow/rainbows, rain coat, raincoat, rainforest, rain forest,
    rain soaked/slicked/boots/jacket/drenched, stormy sky/skies, storm cloud/clouds/trooper/troopers, storm of, stormtrooper*, smoking jacket/area/room, smoky eyes/eye, smoke detector/detectors, smoke and mirrors, smoking gun,
    steam punk/boat/engine/train/iron, steampunk, cloud computing, bubble tea/gum/bath/wrap, bubblegum, sparks joy, spark plug, lightning bolt logo, lightning cable/mcqueen, candle holder, lamp post, neon sign/signs/lights/light,
    neon lit, heat/sound/shock/radio/brain/new wave/waves, like snow/rain/fog/mist/smoke/fire/dust/stars/waves/lightning/petals/confetti, pull up bar/bars, rolling hills/hill/pin/stone/stones, roll/rolls of film, frozen, flying saucer/carpet, running shoes/water, walking stick/dead, swimming pool, dining room/table, living room,
    sleeping bag, driving wheel, revolving door, rocking chair, jumping jack, wind turbine/turbines/farm/chime/chimes/instrument/instruments/power, wind swept, windswept, windmill, crashed, dust bowl, dust jacket, morning star,
    dolly parton, dolly the sheep, track and field, rock and/n roll, pots and pans, 30/45/60/90/100/120/180 degree/degrees celsius/fahrenheit/c/f, fog horn/horns, foghorn/foghorns, sheet music, music box/stand/video/room, loop hole, flower bed, star wars, golden retriever, golden gate, frozen lake, tree house, screen play, screen door, background music off, fire truck/engine/place/man, fire escape, sleepy, fallen leaves,
    title card, water color set, still life, looks like, look like, looking like, seems to, appears to be, dance floor, dance studio, dance hall, fly agaric, plays with light, moving van, lifting fog, sparkling wine/eyes,
    rain or shine, dressed in, full of life, city lights, street lights, burning man, spot light, spotlight, life size, snow globe, light breeze, smiling, grinning`,
  de: 'schneebedeckt*, regenbogen, regenmantel, regenschirm*, regenjacke, regenwald, wasserkocher, laufsteg, tanzflache, sturmfrei',
  fr: 'arc en ciel, impermeable, pluie de petales/cendres/confettis, neige fondue, piste de danse',
  es: 'arco iris, arcoiris, impermeable, cubierto/cubierta de nieve, pista de baile',
  it: 'arcobaleno, impermeabile, coperto/coperta di neve, innevat*, pista da ballo',
  pt: 'arco iris, capa de chuva, guarda chuva, guarda chuvas, coberto/coberta de neve, pista de danca',
  zh: '彩虹, 雨伞, 雨衣, 雪山, 雪白, 跑步机, 旋转木马, 旋转楼梯, 面包, 吃惊, 舞台, 舞者, 云南, 烟火气',
  ja: '雨傘, 雪山, 虹, パンダ, フライパン, 焼きたてのパン, 煙突, 雨上がり',
  ko: '무지개, 우산, 눈사람, 눈 덮인, 설산',
  ru: 'радуга, дождевик, заснеженн*, снеговик, танцпол',
  ar: 'قوس قزح, مظلة',
}

export const strongWords: Phrases = {
  en: 'heavy/heavily/dense/densely/thick/strong/strongly/intense/intensely/pouring/torrential/violent/violently/wild/wildly/huge/massive/powerful/raging, lots of, hard, a lot of, tons of',
  de: 'stark*, dicht*, heftig*, kraftig*, viel/viele',
  fr: 'fort/forte/fortement, epais/epaisse, dense, intense, violent*, abondant*',
  es: 'fuerte/fuertes/fuertemente, denso/densa, intenso/intensa, con fuerza, espeso/espesa, intensamente',
  it: 'forte/fortemente, denso/densa, intenso/intensa, fitto/fitta',
  pt: 'forte/fortemente, denso/densa, intenso/intensa, pesado/pesada, espesso/espessa',
  zh: '大, 暴, 浓, 濃, 强烈, 強, 浓密, 猛烈',
  ja: '激し, 強い, 濃い, 豪',
  ko: '많은, 짙은, 강한, 거센, 세찬',
  ru: 'сильн*, густ*, плотн*',
  ar: 'غزير, كثيف',
}

export const gentleWords: Phrases = {
  en: 'light/lightly/soft/softly/gentle/gently/slight/slightly/subtle/faint/faintly/some/thin/few/delicate/fine/sparse, a little, a bit of, a few, a hint of',
  de: 'leicht*, sanft*, zart*, ein wenig, etwas',
  fr: 'leger/legere/legerement, doux/douce/doucement, fin/fine, un peu de',
  es: 'ligero/ligera/ligeramente, suave/suavemente, leve/levemente, un poco de',
  it: 'leggero/leggera/leggermente, lieve, sottile, un po di',
  pt: 'leve/levemente, suave/suavemente, ligeiro/ligeira, um pouco de',
  zh: '轻, 輕, 微, 薄, 细, 細, 淡, 小, 轻轻, 淡淡',
  ja: 'そっと, かすか, 薄い, 小, 軽い',
  ko: '약한, 가벼운, 옅은, 살짝',
  ru: 'легк*, слаб*, тонк*, слегка',
  ar: 'خفيف',
}

/** Before an effect or an act, these forbid it. */
export const withoutWords: Phrases = {
  en: 'no, not, without, never, avoid, nothing, nobody, instead of, rather than, free of',
  de: 'kein/keine/keinen/keinerlei, ohne, nicht, niemand, nie',
  fr: 'sans, pas de, pas, aucun/aucune, personne ne, ne',
  es: 'sin, no, nada de, ningun/ninguna, nadie',
  it: 'senza, non, niente, nessun/nessuna/nessuno',
  pt: 'sem, nao, nada de, nenhum/nenhuma, ninguem',
  zh: '没有, 沒有, 无, 無, 不要, 没, 不',
  ru: 'без, не, никто',
  ar: 'بدون, لا, دون, بلا',
}

/** After an effect, these say that it ends or is not there. */
export const endWords: Phrases = {
  en: 'stop/stops/stopped/stopping, end/ends/ended/ending, cease/ceases/ceased, lift/lifts/lifted/lifting, clear/clears/cleared/clearing, disappear/disappears, vanish/vanishes, is/are over, is/are gone, subsides/subside, dies down',
  de: 'hort auf, endet, verschwindet, lasst nach, lichtet',
  fr: 's arrete, cesse, disparait, se dissipe',
  es: 'se detiene, cesa, termina, desaparece, se disipa',
  it: 'si ferma, cessa, finisce, svanisce, si dirada',
  pt: 'para, cessa, termina, desaparece, se dissipa',
  zh: '停, 停了, 散去, 消失',
  ja: 'なし, 無し, やむ, 止む, 止んだ, やんだ, 晴れる',
  ko: '없이, 없는, 없음, 그친, 그치, 걷히',
  ru: 'прекращается, заканчивается, рассеивается, стихает',
  ar: 'يتوقف, ينتهي',
}

export const windWords: Phrases = {
  en: 'wind, winds, wind/breeze in/through hair/fur/mane, windy, breeze, breezy, gust/gusts',
  de: 'wind*, brise, windig',
  fr: 'vent, brise',
  es: 'viento, brisa',
  it: 'vento, brezza, ventoso',
  pt: 'vento, brisa',
  zh: '微风, 微風, 风吹, 風吹, 随风, 隨風, 大风, 风',
  ja: '風が, そよ風, 風に',
  ko: '바람*',
  ru: 'ветер, ветра, ветру, ветром, ветерок, ветре',
  ar: 'رياح, نسيم, ريح',
}

/** What flickers without a flame. */
export const electricWords: Phrases = {
  en: 'neon, fluorescent, tube, lamp/lamps, bulb/bulbs, strobe, screen, tv, sign/signs, streetlight*',
  de: 'neon*, lampe/lampen, leuchtstoff*, bildschirm, leuchtreklame',
  fr: 'neon/neons, lampe/lampes, ecran',
  es: 'neon, lampara, pantalla, luces de neon',
  it: 'neon, lampada, schermo',
  pt: 'neon, lampada, tela',
  zh: '灯光, 霓虹, 霓虹灯',
  ja: 'ネオン, 蛍光灯',
  ko: '네온, 네온사인, 형광등',
  ru: 'неон*, лампа, вывески',
  ar: 'نيون',
}

/** Distances that a focus goes from and to. */
export const distanceWords: Record<'near' | 'far', Phrases> = {
  near: {
    en: 'foreground, near/nearest, close',
    de: 'vordergrund',
    fr: 'premier plan, avant plan',
    es: 'primer termino, primer plano',
    it: 'primo piano',
    pt: 'primeiro plano',
    zh: '前景',
    ja: '前景, 手前',
    ko: '전경',
    ru: 'передний план, переднего плана, переднем плане',
    ar: 'المقدمة',
  },
  far: {
    en: 'background, distance, far, horizon, behind, mountains, skyline, sky',
    de: 'hintergrund',
    fr: 'arriere plan, fond',
    es: 'fondo',
    it: 'sfondo',
    pt: 'fundo',
    zh: '背景, 远处',
    ja: '背景, 奥, 遠く',
    ko: '배경',
    ru: 'задний план, заднем плане, фон, фоне',
    ar: 'الخلفية',
  },
}
