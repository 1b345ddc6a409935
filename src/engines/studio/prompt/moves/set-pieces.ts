// Moves that go by a name of their own ("Ken Burns", "drone flyover", "dolly zoom") and are made of others.

import { type Hit, type Phrases, vocabulary } from '../phrases.ts'
import type { Sentence } from '../sentences.ts'
import { light } from '../words/light.ts'
import { paceNear } from './pace.ts'
import type { Axis } from './words.ts'

export interface Piece extends Partial<Record<Axis | 'handheld' | 'dollyZoom', number>> {
  speed?: number | undefined
  /** It moves only where the prompt does not ask for stillness: "static aerial shot". */
  view?: true
  /** It counts at the start of a sentence: nothing else is there that could move. */
  opening?: true
}

const thing = 'product/object/bottle/shoe/sneaker/watch/ring/necklace/item/statue/sculpture/perfume/phone/can/cup/vase'

const pieces: [Piece, Phrases][] = [
  [
    { dollyZoom: 0.75 },
    {
      en: 'dolly zoom, zolly, contra zoom, trombone shot, vertigo/hitchcock shot/effect/effekt/zoom, trans trav, transtrav',
      zh: '希区柯克变焦, 滑动变焦',
      ja: 'めまいショット, ドリーズーム',
    },
  ],
  [
    { zoom: 0.55, view: true },
    {
      en: 'drone, aerial, bird s eye, birds eye, fly over, flyover, flyby, fpv',
      de: 'drohne, drohnenflug, drohnenaufnahme, luftaufnahme, vogelperspektive',
      fr: 'drone, vue aerienne, plan aerien',
      es: 'dron, toma/vista aerea, plano aereo',
      it: 'drone, ripresa/vista aerea',
      pt: 'drone, vista/tomada aerea',
      zh: '无人机, 無人機, 航拍, 俯拍',
      ja: 'ドローン, 空撮',
      ko: '드론, 항공',
      ru: 'дрон*, с высоты, аэросъемка',
      ar: 'طائرة بدون طيار, جوي, جوية',
    },
  ],
  [
    { zoom: 0.55, tilt: 0.6 },
    {
      en: 'drone/aerial ~ rises/rising/ascends/ascending/lifts',
      zh: '无人机/無人機/航拍 ~ 上升/升起, 缓缓/缓慢 上升',
      ja: 'ドローン/空撮 ~ 上昇, 上を上昇',
      ko: '드론 ~ 올라',
      ru: 'дрон* ~ поднима*',
    },
  ],
  [
    { zoom: 0.6, opening: true },
    {
      en: 'fly/flying/soar/soaring/glide/gliding/move/moving/travel/traveling/travelling forward/forwards/through/over/into, fly/flying/soar/soaring down/past/along',
    },
  ],
  [
    { zoom: 0.6, roll: 0.6 },
    { en: 'spiral/spirals/spiraling/spiralling/corkscrew ~ zoom/push/dolly, camera spirals/spiraling' },
  ],
  [{ zoom: 0.5, pan: 0.25 }, { en: 'ken burns' }],
  [{ orbit: 0.6 }, { en: 'parallax', zh: '视差, 視差', ja: 'パララックス', ko: '패럴랙스', ru: 'параллакс*' }],
  [
    { zoom: 0.6, handheld: 0.35, view: true },
    {
      en: 'first person, pov, point of view shot/footage, camera/we walk/walks forward/through, shot walking forward/into/through, walk through, walkthrough',
      de: 'ich perspektive',
      fr: 'vue subjective, camera subjective',
      es: 'primera persona, camara subjetiva',
      it: 'soggettiva, prima persona',
      pt: 'primeira pessoa',
      zh: '第一人称',
      ja: '一人称, 主観視点',
      ko: '1인칭',
      ru: 'от первого лица',
      ar: 'منظور الشخص الأول',
    },
  ],
  [{ zoom: 0.6, handheld: 0.35, opening: true }, { en: 'walking through/down/along/forward' }],
  [
    { zoom: 0.4, handheld: 0.15 },
    {
      en: 'camera/steadicam/gimbal/drone/lens follow/follows/following/trails/chases, camera tracks her/him/them/it, camera tracks the/a, follow/following shot, handheld following',
      de: 'kamera/handkamera/drohne folgt/verfolgt',
      fr: 'camera suit',
      es: 'camara sigue, camara siguiendo',
      it: 'camera/telecamera/macchina segue, macchina da presa segue',
      pt: 'camera segue',
      zh: '镜头/鏡頭/相机/摄像机 跟随/跟隨/跟着/追随, 跟拍',
      ja: 'カメラ ~ 追',
      ko: '카메라 ~ 따라/쫓',
      ru: 'камера следует за?, камера ~ следует за?',
      ar: 'الكاميرا تتبع/تلاحق, كاميرا تتبع',
    },
  ],
  [
    { orbit: 0.75 },
    { en: 'rotation around, bullet time, 360 product? view/spin, 360 degree view/spin', zh: '子弹时间, 产品旋转展示' },
  ],
  // Seen from a camera that circles it, a thing seems to turn.
  [
    { orbit: 0.6 },
    {
      en: `${thing} rotates/rotating/spins/spinning/revolves/revolving, rotating/spinning/revolving product/object/display/platform, turntable`,
      zh: '产品/商品/物体/物體 ~ 旋转/旋轉',
      ja: '商品/製品/物体 ~ 回転',
      ko: '제품/상품 ~ 회전',
      ru: 'товар/продукт вращается',
    },
  ],
  [{ tilt: 0.75 }, { en: 'crane shot', zh: '升降镜头', ja: 'クレーンショット' }],
]

const pieceVocabulary = vocabulary(pieces, light)

/** Where a sentence names set pieces. */
export function pieceHits({ tokens, language, hits }: Sentence): Hit<Piece>[] {
  const hidden = new Set(hits.filter(({ meaning }) => meaning.hides).flatMap((hit) => hit.tokens))
  return pieceVocabulary
    .find(tokens, language)
    .filter((hit) => !hit.tokens.some((i) => hidden.has(i)) && (!hit.meaning.opening || opens(tokens, hit.from)))
}

function opens(tokens: Sentence['tokens'], from: number): boolean {
  return tokens.slice(0, from).every(({ word }) => word.endsWith('ly'))
}

/** In words. */
const paceReach = 7

/** The set pieces of some sentences, at the pace that their clauses name. */
export function findPieces(sentences: Sentence[]): Piece[] {
  return sentences.flatMap((sentence) => {
    const pieces = pieceHits(sentence)
    let next = 0
    return sentence.clauses.flatMap(({ words, to }) => {
      let at = 0
      const found: Piece[] = []
      for (; next < pieces.length && pieces[next]!.from < to; next++) {
        while (at < words.length - 1 && words[at]!.at < pieces[next]!.from) at++
        const near = words.slice(Math.max(0, at - paceReach), at + paceReach).map(({ word }) => word)
        const speed = paceNear(near, Math.min(at, paceReach)).speed ?? undefined
        found.push({ ...pieces[next]!.meaning, speed })
      }
      return found
    })
  })
}
