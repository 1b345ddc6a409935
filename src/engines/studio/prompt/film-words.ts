// The vocabulary of lens, film and time, as effect-words.ts has it for what is in the picture.

import type { FilmEffect } from '../effects/effect.ts'

/** Latin patterns count as whole words; `any` patterns are for scripts without word boundaries that we could use. */
export interface Words {
  latin: string
  any: string
}

export const filmWords: Record<FilmEffect, Words> = {
  shallowFocus: {
    latin:
      'shallow (depth of field|focus|dof)|depth of field|blurr(ed|y) background|background (blurs?|blurred|out of focus)|geringe (scharfentiefe|tiefenscharfe)|unscharfer hintergrund|faible profondeur de champ|arriere-plan flou|poca profundidad de campo|fondo (desenfocado|borroso)|sfondo sfocato|ridotta profondita di campo|pouca profundidade de campo|fundo desfocado',
    any: '浅景深|景深|背景虚化|背景模糊|被写界深度|背景ぼか|아웃포커|얕은 심도|배경 흐림|малая глубина резкости|размытый фон|عمق المجال|خلفية ضبابية',
  },
  rackFocus: {
    latin:
      'rack(s|ing)? focus|focus (pulls?|shifts?|racks?|shifting|pulling)|pull(s|ing)? focus|scharfenverlagerung|bascule de point|cambio de foco|cambio di fuoco|mudanca de foco',
    any: '移焦|焦点转移|焦點轉移|变焦对焦|ピント送り|フォーカス送り|초점 이동|перевод фокуса|смена фокуса|تغيير التركيز',
  },
  slowMotion: {
    latin: 'slow ?-?mo(tion)?|slowmotion|zeitlupe|(au )?ralenti|camara lenta|camera lenta|al rallentatore|rallentatore',
    any: '慢动作|慢動作|慢镜头|スローモーション|슬로우 ?모션|замедленн(ая|ой|ую) съ[её]мк|замедленн|حركة بطيئة',
  },
  freeze: {
    latin:
      'freeze[- ]?frames?|(image|picture|frame|video|shot|motion) freezes|(?<=^|[,.;] *)(it )?freezes?(?= *([,.;]|$))|standbild|arret sur image|congela(do)?|fermo immagine|imagem congelada',
    any: '定格|画面静止|フリーズフレーム|정지 화면|стоп-кадр|تجميد الصورة',
  },
  blackAndWhite: {
    latin:
      'black[- ]and[- ]white|black & white|b ?[&/] ?w|monochrome|noir film|film noir|greyscale|grayscale|schwarz-?weiss|schwarzweiss|noir et blanc|blanco y negro|bianco e nero|preto e branco',
    any: '黑白|白黒|モノクロ|흑백|чёрно-бел|черно-бел|أبيض وأسود',
  },
  vintage: {
    latin:
      'vintage( film| look| style)?|retro( film| look| style)?|sepia|old (film|movie)( look| footage)?|super ?8|nostalgic( film)? look|analog(ue)? film|altfilm|vieux film|pelicula antigua|vecchio film|filme antigo',
    any: '复古|復古|怀旧|懷舊|老电影|レトロ|ヴィンテージ|セピア|빈티지|복고|레트로|винтаж|ретро|сепия|عتيق|قديم الطراز',
  },
  grain: {
    latin:
      'film grain|grainy( film| footage| look)?|16 ?mm|35 ?mm film|filmkorn|korniger film|grain (de film|argentique)|grano de pelicula|grana (della )?pellicola|granulacao',
    any: '胶片颗粒|膠片顆粒|颗粒感|フィルムグレイン|粒状感|필름 그레인|зерно пл[её]нки|зернист|حبيبات الفيلم',
  },
  vhs: {
    latin: 'vhs( look| style| tape| effect)?|video ?tape( look)?|camcorder|videokassette|cassette video|cinta de video',
    any: '录像带|錄像帶|ビデオテープ|비디오테이프|кассет|شريط فيديو',
  },
  glitch: {
    latin:
      'glitch(y|es|ing)?( effect| art)?|datamosh(ing)?|digital distortion|bildstorung(en)?|interferences?( numeriques)?',
    any: '故障艺术|故障风|毛刺|グリッチ|글리치|глитч|خلل رقمي',
  },
  vignette: {
    latin: 'vignett(e|ing)|dark(ened)? (edges|corners)|dunkle ecken|vinheta|vineta|vignettatura|vignettage',
    any: '暗角|ビネット|周辺減光|비네트|비네팅|виньет|تظليل الحواف',
  },
  letterbox: {
    latin:
      'letterbox(ed)?|cinematic bars|black bars|(2[.,]3[59]|21):(1|9)|cinemascope|(anamorphic|widescreen) (bars|format|frame|framing|crop|ratio|aspect ratio)|schwarze balken|bandes noires|barras negras|bande nere|barras pretas',
    any: '电影黑边|黑边|宽银幕|レターボックス|シネスコ|레터박스|시네마스코프|чёрные полосы|черные полосы|أشرطة سوداء',
  },
  fadeIn: {
    latin:
      'fad(es?|ing) in|fade(s)? (up )?from black|einblenden|aufblende|fondu (a l )?ouverture|fundido de entrada|aparece gradualmente|dissolvenza in apertura|fade in',
    any: '淡入|フェードイン|페이드 ?인|из затемнения|появление из ч[её]рного|تلاش للداخل',
  },
  fadeOut: {
    latin:
      'fad(es?|ing) (out|to black)|ausblenden|abblende|fondu (au noir|a la fermeture)|fundido (a negro|de salida)|dissolvenza (in chiusura|a nero|al nero)|escurece ate o preto',
    any: '淡出|渐黑|漸黑|フェードアウト|暗転|페이드 ?아웃|затемнение|уход в ч[её]рное|تلاش إلى الأسود',
  },
}
