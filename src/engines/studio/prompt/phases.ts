// Cuts a prompt where it says that something else comes next: at "then", at times, at "Scene 2:".

import { asWritten, slice, type Written } from './text.ts'

const secondWords =
  's|secs?|seconds?|sek|sekunden?|secondes?|segundos?|secondi|secondo|секунд\\p{L}*|сек|с|秒|초|ثوان|ثانية'
const count = '(?<!\\d)\\d+(?:[.,]\\d+)?'
/** Words that always open a new shot. */
const marker = new RegExp(
  [
    // "0–2 s:", "[2s - 5s]", "after 3 seconds", "3秒後".
    `[,;]?\\s*[[(]?(?<![\\p{L}\\d])${count}\\s*(?:${secondWords})?\\s*(?:-|–|~|to|bis|a|à)\\s*${count}\\s*(?:${secondWords})(?!\\p{L})[\\])]?\\s*[:：]?\\s*`,
    `[,;]?\\s*(?<!\\p{L})(?:after|at|nach|apr[eè]s|a|tras|dopo|ap[oó]s|через|بعد)\\s+${count}\\s*(?:${secondWords})(?!\\p{L})[:,]?\\s*`,
    `[,;、，]?\\s*${count}\\s*(?:秒后|秒後|초 ?후)(?:に)?[、,，]?\\s*`,
    '[,;]?\\s*\\b(?:and then|then|cut to|cuts to|cutting to|next(?! to)|after that|afterwards|finally|followed by|before (?=(?:\\w+ly )?(?:tilt|pann|zoom|push|pull|orbit|mov|ris)ing\\b)|und dann|dann|danach|schnitt auf|schlie(?:ß|ss)lich|anschlie(?:ß|ss)end|(?:et )?puis|ensuite|enfin|coupe sur|(?:y )?luego|despu[eé]s|finalmente|corte a|(?:e )?poi|quindi|infine|stacco su|(?:e )?depois|em seguida|por fim|corta para)\\b[:,]?\\s*',
    '[,、。，]?\\s*(?:然后|然後|接着|接著|随后|隨後|切换到|切到|最后|最後に|その後|それから|次に|カットして)\\s*[,、，]?',
    // "先推近再拉远": first …, then ….
    '(?<=先[^。！？]{1,16})[,、，]?\\s*再',
    '[,]?\\s*(?:그리고 나서|그다음에?|그 다음에?|그 후에?|마지막으로)\\s*,?\\s*',
    '[,،]?\\s*(?<!\\p{L})(?:затем|потом|после этого|наконец|ثم|بعد ذلك|وأخيرا|أخيرا)(?!\\p{L})\\s*[,،]?\\s*',
    '\\s*(?:\\[|\\()?\\b(?:shot|scene|szene|einstellung|plan|plano|scena|cena|step|beat)\\s*#?\\d+\\b(?:\\]|\\))?\\s*[:.\\-–—]?\\s*',
    '\\s*(?:镜头|鏡頭|场景|シーン|ショット|장면)\\s*[\\d一二三四五六]+\\s*[:：]?\\s*',
  ].join('|'),
  'giu',
)
const abbreviations = /\b(mr|mrs|ms|dr|st|vs|e\.g|i\.e|etc|z\.b|bzw|approx)\.$/iu
const edges = /^[\s,;:、，.]+|(?<![\s,;:、，])[\s,;:、，]+$/gu
/** A clip shows no more parts one after another; the rest of the prompt belongs to the last part. */
const phasesMax = 12

/** The parts of a prompt that come one after another. */
export function phasesOf(written: Written): Written[] {
  const { text } = written
  const parts: Written[] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(marker)) {
    if (parts.length === phasesMax - 1) break
    if (hasWords(text.slice(from, index))) parts.push(slice(written, from, index))
    from = index + found.length
  }
  if (parts.length === 0 || hasWords(text.slice(from))) parts.push(slice(written, from, text.length))
  return parts
}

/** What happens one after another, where the end of a sentence counts too. A part without a word in it is dropped. */
export function partsOf(prompt: string): string[] {
  const parts: string[] = []
  for (const stretch of asWritten(prompt)
    .text.replace(/\s{2,}/g, oneSpace)
    .split(marker)) {
    let sentence = ''
    for (const piece of (stretch ?? '').split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/u)) {
      sentence = sentence ? `${sentence} ${piece}` : piece
      if (abbreviations.test(piece)) continue
      parts.push(sentence)
      sentence = ''
    }
    if (sentence) parts.push(sentence)
  }
  return parts.map((part) => part.replace(edges, '')).filter(hasWords)
}

const oneSpace = (run: string) => (run.includes('\n') ? '\n' : ' ')
const hasWords = (text: string) => /[\p{L}\p{N}]/u.test(text)
