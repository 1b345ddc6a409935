// Reads whether a push-in goes to a face, and so ends close to it: "slow zoom on the eyes", "推进到她的脸". Pure.

import { plainText } from './plain-text.ts'

const pusher = 'zoom|push|dolly|dollies|camera|kamera|camara|fahr'

/** In English, German, French, Spanish, Italian and Portuguese. */
const towards = [
  'on|onto|into|to|toward|towards',
  'auf|zu',
  'sur|vers|a',
  'en|sobre|hacia',
  'ai|al|sugli|sul|verso',
  'no|nos|para',
].join('|')
const face = [
  'eyes?|faces?|lips',
  'augen?|gesicht',
  'yeux|visage|regard',
  'ojos?|cara|rostro',
  'occhi|viso|volto',
  'olhos?|rosto',
].join('|')

const facePush = new RegExp(
  [
    // "Zoom in slowly on the old man's eyes".
    `(?:${pusher})\\w{0,20}\\b[^,.;]{0,40}\\b(?:${towards})(?: \\w+){0,2} (?:${face})\\b`,
    // The same words in the order of Chinese, Japanese, Korean and Russian.
    '[推拉近到向焦][^,。]{0,8}(?:眼睛|眼部|双眼|脸|臉|面部)',
    '[目瞳顔]元?[にへ][^,。]{0,6}(?:ズーム|寄)',
    '(?:눈|얼굴)[^.]{0,4}(?:줌|다가)',
    '(?:приближа|наезжа|зум)[^.]{0,24}(?:глаз|лиц)',
  ].join('|'),
  'u',
)

export function goesToFace(prompt: string): boolean {
  return facePush.test(plainText(prompt))
}
