// How many columns of a terminal a text takes: East Asian characters and emoji take two, marks that combine with others
// none.

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Drawn as pictures. Those that have a text form, too, become pictures by U+FE0F. */
const emoji = /^(?:\p{Emoji_Presentation}|\p{Regional_Indicator}|\p{Emoji}.*\ufe0f)/u
/** What Unicode calls wide or fullwidth, besides emoji. */
const wide =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1b000}-\u{1b2fb}\u{20000}-\u{3fffd}]/u
/** Marks, and vowels and ends of Korean syllables that are spelled letter by letter. */
const combining = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\ud7b0-\ud7fb]/u
const plain = /^[\x20-\x7e]*$/

function columnsOfOne(character: string): number {
  if (emoji.test(character)) return 2
  return [...character].reduce((sum, point) => sum + (combining.test(point) ? 0 : wide.test(point) ? 2 : 1), 0)
}

/** What a reader takes for single characters, an emoji of several parts included. */
const charactersOf = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment)

export function columnsOf(text: string): number {
  if (plain.test(text)) return text.length
  return charactersOf(text).reduce((sum, character) => sum + columnsOfOne(character), 0)
}

/** The beginning of the text, with an ellipsis where it takes more columns than there are. */
export function cutTo(text: string, columnsMax: number): string {
  if (columnsOf(text) <= columnsMax) return text
  let kept = ''
  let used = 1
  for (const character of charactersOf(text)) {
    used += columnsOfOne(character)
    if (used > columnsMax) break
    kept += character
  }
  return `${kept}…`
}

/** Spaces that fill a text up to this many columns. */
export const fillOf = (text: string, columns: number) => ' '.repeat(Math.max(0, columns - columnsOf(text)))
