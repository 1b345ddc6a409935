// Owns the reading of camera moves in Chinese (both scripts) and Japanese, where words have no spaces between them.
// The languages with Latin letters are read by grammar.ts, which also weighs all readings.

import type { Axis, Reading } from './words.ts'

type Rule = [axis: Axis | 'handheld' | 'still', sign: -1 | 0 | 1, pattern: RegExp]

// "镜头" and "カメラ" may stand some words before the verb; a clause is short enough for that to be safe.
const camera = '(?:镜头|鏡頭|摄像机|攝影機|相机|画面|视角|運鏡|运镜|カメラ)'
const near = '[^,。]{0,12}?'
const to = '(?:に|へ|方向に|方向へ|側に|側へ|から[左右]に|から[左右]へ)'
const soft = '(?:ゆっくり(?:と)?|緩やかに|素早く|静かに|速く|少し)?'

const rules: Rule[] = [
  ['zoom', 1, /推进|推進|推近|拉近|放大|推镜|推鏡|ズームイン|ドリーイン|寄りのズーム|プッシュイン|トラックイン/],
  ['zoom', 1, new RegExp(`${camera}${near}(?:推向|推|靠近|接近|前进|前進|向前|寄って|寄る|近づ|迫)`)],
  [
    'zoom',
    -1,
    /拉远|拉遠|拉开镜头|拉開鏡頭|缩小|縮小画面|拉镜头|拉鏡頭|ズームアウト|ドリーアウト|ドリーバック|プルバック|トラックバック|プルアウト/,
  ],
  [
    'zoom',
    -1,
    new RegExp(`${camera}${near}(?:后退|後退|后拉|後拉|向后|向後|远离|遠離|拉出|引い|引く|引き|遠ざか|離れ)`),
  ],
  ['zoom', 1, /变焦|變焦|缩放|縮放|ズーム(?!アウト|レンズ)/],
  [
    'pan',
    -1,
    /向左(?:侧|边)?(?:缓慢|缓缓|慢慢|快速|緩慢|緩緩)?(?:平移|摇|搖|横移|橫移|移动|移動|移|扫|掃|转动)|左[摇搖](?![晃动動])|左移|从右(?:往|向|到)左|從右(?:往|向|到)左|右から左/,
  ],
  [
    'pan',
    1,
    /向右(?:侧|边)?(?:缓慢|缓缓|慢慢|快速|緩慢|緩緩)?(?:平移|摇|搖|横移|橫移|移动|移動|移|扫|掃|转动)|右[摇搖](?![晃动動])|右移|从左(?:往|向|到)右|從左(?:往|向|到)右|左から右/,
  ],
  ['pan', -1, new RegExp(`左${to}${soft}(?:パン|移動|スライド|振)|パン(?:レフト|左)|左パン`)],
  ['pan', 1, new RegExp(`右${to}${soft}(?:パン|移動|スライド|振)|パン(?:ライト|右)|右パン`)],
  [
    'pan',
    1,
    new RegExp(
      `平移镜头|平移鏡頭|(?<!向[上下])(?:摇镜头|搖鏡頭)|横摇|橫搖|镜头平移|鏡頭平移|${camera}${near}パン(?:す|し|ショット|$)|^${soft}パン(?:す|し|ショット|なし|しない)|パンショット|^パン$`,
    ),
  ],
  [
    'tilt',
    1,
    /向上(?:缓慢|缓缓|慢慢|快速|緩慢|緩緩)?(?:摇|搖|移动|移動|移|抬|倾斜|傾斜|升)|上摇|上搖|[从從]下[往向到至]上|(?:ティルト|チルト|パン)アップ|クレーンアップ/,
  ],
  [
    'tilt',
    -1,
    /向下(?:缓慢|缓缓|慢慢|快速|緩慢|緩緩)?(?:摇|搖|移动|移動|移|倾斜|傾斜|降)|下摇|下搖|[从從]上[往向到至]下|(?:ティルト|チルト|パン)ダウン|クレーンダウン/,
  ],
  ['tilt', 1, new RegExp(`${camera}${near}(?:上升|升起|抬起|上昇|上(?:に|へ)|見上げ)`)],
  ['tilt', -1, new RegExp(`${camera}${near}(?:下降|降下|下移|下(?:に|へ)|見下ろ)`)],
  ['tilt', 1, new RegExp(`${camera}${near}(?:ティルト|チルト)`)],
  [
    'orbit',
    1,
    new RegExp(
      `^(?:缓慢|缓缓|慢慢|快速|360度?|緩慢)*[环環][绕繞]|环绕(?:镜头|拍摄|运镜)|環繞(?:鏡頭|拍攝)|${camera}${near}(?:环绕|環繞|围绕|圍繞|绕着|繞著|回り込|周回|旋回|周りを回|オービット|アーク)|アークショット|オービットショット|回り込`,
    ),
  ],
  ['roll', -1, new RegExp(`${camera}${near}(?:逆时针旋转|逆時針旋轉|反時計回り)`)],
  ['roll', 1, new RegExp(`${camera}${near}(?:滚转|滾轉|旋转|旋轉|ロール|時計回り|回転)|ダッチアングル|荷兰角|荷蘭角`)],
  [
    'handheld',
    0,
    /手持(?:镜头|鏡頭|摄影|攝影|拍摄|拍攝|感|晃动|カメラ|ち(?:カメラ|撮影|風|で撮))|手ブレ|手ぶれ|ハンドヘルド|镜头(?:轻微)?(?:晃动|抖动)|鏡頭(?:輕微)?(?:晃動|抖動)|^手持$/,
  ],
  [
    'still',
    0,
    /固定(?:镜头|鏡頭|机位|機位|カメラ|ショット|アングル|撮影)|静止镜头|靜止鏡頭|静态镜头|靜態鏡頭|定机位|三脚架|三腳架|三脚|フィックス|カメラ(?:は|を)?(?:固定|静止)|镜头(?:保持)?(?:不动|静止|固定)|鏡頭(?:保持)?(?:不動|靜止|固定)|カメラ(?:は|を)?動か(?:ない|さ)|(?:没有|無|无|沒有)(?:镜头|鏡頭)(?:运动|移动|運動|移動)|(?:不要|不|别|別|勿)(?:移动|移動|动|動)(?:镜头|鏡頭|相机|相機|摄像机)|カメラワークなし/,
  ],
]

const slow = /缓慢|缓缓|慢慢|徐徐|緩慢|緩緩|ゆっくり|徐々に|緩やか|スロー(?!モーション)/
const gentle = /轻微|轻柔|輕微|輕柔|微微|わずか|少し|静かに|そっと/
const fast = /快速|迅速|急速|急推|猛|素早く|急に|速く|一気に/
const negatorBefore = /(?:不要|不可|不能|没有|沒有|无|無|禁止|避免|别|別|勿|不)[^,。]{0,4}$/
const negatorAfter = /^[^,。]{0,4}?(?:なし|無し|しない|せず|禁止|不要|ない)/

/** `bare` texts are lists of unwanted things: there "zoom" means both ways. */
export function readEastAsianMoves(text: string, bare: boolean): Reading[] {
  if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return []
  const readings: Reading[] = []
  for (const clause of text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[,.;!?。、;:\s「」()]+|然后|然後|并且|同时|同時|して|しながら|つつ/u)) {
    readings.push(...readClause(clause, bare))
  }
  return readings
}

function readClause(clause: string, bare: boolean): Reading[] {
  const readings: Reading[] = []
  const taken = new Set<string>()
  for (const [axis, sign, pattern] of rules) {
    const match = pattern.exec(clause)
    // The first rule of an axis that fits is the more precise one.
    if (!match || taken.has(axis)) continue
    taken.add(axis)
    const before = clause.slice(0, match.index)
    const after = clause.slice(match.index + match[0].length)
    const negated = axis !== 'still' && (negatorBefore.test(before) || negatorAfter.test(after))
    const undirected = /^(?:变焦|變焦|缩放|縮放|ズーム|パン|平移镜头)/.test(match[0])
    const speed = slow.test(clause) ? 0.6 : gentle.test(clause) ? 0.75 : fast.test(clause) ? 1.5 : null
    readings.push({
      axis,
      sign: (negated || bare) && undirected ? 0 : sign,
      amount: gentle.test(clause) ? 0.6 : 1,
      speed: axis === 'still' || axis === 'handheld' ? null : speed,
      negated,
      ...(axis === 'still' && { locked: /三脚|三腳|機位|机位/.test(match[0]) }),
    })
  }
  return readings
}
