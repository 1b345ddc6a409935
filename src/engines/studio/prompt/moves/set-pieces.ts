// Moves that go by a name of their own ("Ken Burns", "drone flyover", "dolly zoom") and are made of others. Patterns see
// lower-case text without Latin accents; in the other scripts they match anywhere.

import type { Axis } from './words.ts'

type Piece = Partial<Record<Axis | 'handheld' | 'dollyZoom' | 'speed', number>> & { still?: true }

/** A `view` moves only where the prompt does not ask for stillness: "static aerial shot". */
const pieces: [pattern: RegExp, piece: Piece, kind?: 'view'][] = [
  [
    /\b(dolly[- ]zoom|zolly|contra[- ]zoom|trombone shot|(vertigo|hitchcock)[- ](shot|effect|effekt|zoom)|trans-?trav)\b|希区柯克变焦|めまいショット/u,
    { dollyZoom: 0.75 },
  ],
  [
    /\b(drone|aerial|bird'?s[- ]eye|fly[- ]?over|flyover|flyby|fpv|drohnen(flug|aufnahme)|vue aerienne|toma aerea|ripresa aerea|vista aerea)\b|无人机|無人機|航拍|俯拍|ドローン|空撮|드론|항공|дрон|с высоты|طائرة بدون طيار|جوي/u,
    { zoom: 0.55 },
    'view',
  ],
  [
    /(无人机|無人機|航拍|ドローン|드론|дрон)[^.。]{0,12}(上升|升起|上昇|올라|поднима)|\b(drone|aerial)[^.]{0,16}\b(ris(es|ing)|ascend(s|ing)|lifts)\b/u,
    { tilt: 0.6 },
  ],
  // Where a prompt begins so, nothing else is there that could fly.
  [
    /^\s*(slowly |gently |smoothly )?((fly|soar)(ing)?|glid(e|ing)|mov(e|ing)|travell?ing) (slowly |smoothly )?(forwards?|through|over|into)\b|^\s*(slowly )?(fly|soar)(ing)? (down|past|along)\b/u,
    { zoom: 0.6 },
  ],
  [/\b(spiral(s|ing|ling)?|corkscrew)\b[^.,]{0,12}\b(zoom|camera|push|in|dolly)\b/u, { zoom: 0.6, roll: 0.6 }],
  [/\bken[- ]burns\b/u, { zoom: 0.5, pan: 0.25 }],
  [/\bparallax\b|パララックス|视差|視差|패럴랙스|параллакс/u, { orbit: 0.6 }],
  [
    /\b(first[- ]person|pov|point[- ]of[- ]view (shot|footage))\b|\b(camera|we) walks? (forward|through)|\bshot walking (forward|into|through)|\bwalk[- ]?through\b|^\s*(slowly )?walking (slowly )?(through|down|along|forward)\b|第一人称|一人称|1인칭|от первого лица/u,
    { zoom: 0.6, handheld: 0.35 },
    'view',
  ],
  [
    /\bcamera (slowly |gently )?(follows|trails|chases|tracks(?! (\w+ly |to the )?(left|right|in|out|forward|back|along|across|up|down|sideways)))\b|\bfollow(ing)? shot\b|\bkamera (folgt|verfolgt)\b|\bcamera (suit|segue)\b|\bcamara sigue\b|镜头跟随|跟拍|カメラが追|따라가|камера следует/u,
    { zoom: 0.4, handheld: 0.15 },
  ],
  [
    /\brotation around\b|\bbullet[- ]time\b|子弹时间|\b360[- ]?(degree )?(product )?(view|spin)\b|产品旋转展示/u,
    { orbit: 0.75 },
  ],
  // Seen from a camera that circles it, a thing seems to turn.
  [
    /\b(product|object|bottle|shoe|sneaker|watch|ring|necklace|item|statue|sculpture|perfume|phone|can|cup|vase)\b( \w+)? (rotates|rotating|spins|spinning|revolves|revolving)\b|\b(rotating|spinning|revolving) (product|object|display|platform)\b|\bturntable\b|(产品|商品|物体|物體)[^.。]{0,6}(旋转|旋轉)|(商品|製品|物体)が回転|(제품|상품)[^.]{0,4}회전|(товар|продукт) вращается/u,
    { orbit: 0.6 },
  ],
  [/\bcrane shot\b|クレーンショット|升降镜头/u, { tilt: 0.75 }],
  [
    /카메라[^.]{0,12}(줌 ?인|다가|접근|전진)|줌 ?인|камера[^.]{0,14}(приближа|наезжа)|наезд камеры|приближение камеры|تقترب الكاميرا|تكبير|الكاميرا تقترب/u,
    { zoom: 0.75 },
  ],
  [
    /줌 ?아웃|카메라[^.]{0,12}(멀어|물러)|камера[^.]{0,14}(отъезжа|удаля|отдаля)|отъезд камеры|تبتعد الكاميرا|تصغير|الكاميرا تبتعد/u,
    { zoom: -0.75 },
  ],
  [
    /카메라[^.]{0,12}왼쪽|왼쪽으로 (팬|이동)|камера[^.]{0,18}(влево|налево)|панорама влево|الكاميرا[^.]{0,20}اليسار/u,
    { pan: -0.75 },
  ],
  [
    /카메라[^.]{0,12}오른쪽|오른쪽으로 (팬|이동)|камера[^.]{0,18}(вправо|направо)|панорама вправо|الكاميرا[^.]{0,20}اليمين/u,
    { pan: 0.75 },
  ],
  [/카메라[^.]{0,12}(위로|올라)|камера[^.]{0,18}(вверх|поднима)|الكاميرا[^.]{0,20}(أعلى|ترتفع)/u, { tilt: 0.75 }],
  [/카메라[^.]{0,12}(아래로|내려)|камера[^.]{0,18}(вниз|опуска)|الكاميرا[^.]{0,20}(أسفل|تنخفض)/u, { tilt: -0.75 }],
  [
    /카메라[^.]{0,14}(회전|돌|주위)|камера[^.]{0,18}(вокруг|облета|вращается)|облёт|облет|الكاميرا[^.]{0,20}(تدور|حول)/u,
    { orbit: 0.75 },
  ],
  [
    /카메라[^.]{0,8}(고정|움직이지)|고정 ?(샷|카메라)|камера[^.]{0,10}(статичн|неподвижн|не двига)|(статичн|неподвижн)[^ .]{0,4} камер|الكاميرا[^.]{0,8}(ثابتة|لا تتحرك)|كاميرا ثابتة/u,
    { still: true },
  ],
  [/천천히|느리게|서서히|(?<!за)медленн|плавн|ببطء|بطيء/u, { speed: 0.6 }],
  [/빠르게|빠른|быстр|بسرعة|سريع/u, { speed: 1.5 }],
]

/** The named pieces of a text, together; null where it names none. `dolly zoom` is no plain push-in. */
export function readSetPieces(text: string, still: boolean): Piece | null {
  const found = pieces
    .filter(([pattern, , kind]) => !(still && kind === 'view') && pattern.test(text))
    .map(([, piece]) => piece)
  return found.length > 0 ? Object.assign({}, ...found.toReversed()) : null
}
