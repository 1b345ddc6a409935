// Undoes the usual disguises of words: full-width and styled letters, invisible characters, accents, look-alikes of
// other alphabets, leetspeak, letters s p e l l e d apart, stretched letters. Pure; it judges nothing.

/** Look-alikes of Latin letters that Unicode's own compatibility forms leave alone: Cyrillic, Greek, IPA and such. */
const lookAlikes = new Map(
  [
    'аa вb еe кk мm нh оo рp сc тt уy хx іi јj ѕs ԁd ԛq ԝw һh ӏl гr пn', // Cyrillic
    'αa βb εe ηn ιi κk νv οo ρp τt υu χx ωw γy σo', // Greek
    'ոn սu ɑa ɡg ıi łl øo đd ħh', // Armenian, and Latin letters of other languages
    'ʀr ɴn ɪi ʟl ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ᴊj ᴋk ᴍm ᴏo ᴘp ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz', // small capitals
  ]
    .join(' ')
    .split(' ')
    .map((pair) => Array.from(pair) as [string, string]),
)

const leet = new Map(
  Object.entries({ '0': 'o', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '@': 'a', $: 's', '!': 'i' }),
)

/**
 * Some characters stand for whole phrases: U+FDFA alone becomes 18 letters. None of them hides a word that rules look for,
 * so they are left out, and a text grows to at most four times its length.
 */
const withoutPhraseSigns = (text: string) =>
  text.replace(/[^\0-\u024f]/gu, (char) => (char.normalize('NFKC').length > expansionMax ? ' ' : char))
const expansionMax = 4

/** Lower case, compatibility forms, without accents and invisible characters, single spaces. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}\p{Cc}\u115f\u1160\u3164\u2800]/gu, (char) => (/\s/.test(char) ? ' ' : ''))
    .toLowerCase()
    .replace(/[’‘`´]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
}

const replaceBy = (text: string, table: Map<string, string>) =>
  Array.from(text, (char) => table.get(char) ?? char).join('')

/** "n a k e d" and "n.a.k.e.d" to "naked": single letters with the same separator; two or more spaces end a word. */
function joinSpelledLetters(text: string): string {
  return text.replace(
    /(?<![\p{L}\p{N}])[\p{L}\p{N}@$!](?:([ ._*-])[\p{L}\p{N}@$!])(?:\1[\p{L}\p{N}@$!])+(?![\p{L}\p{N}])/gu,
    (run) => run.replace(/[ ._*-]/g, ''),
  )
}

/** Signs inside a word go ("na.ked", "na*ked"); apostrophes and hyphens stay, they belong to real words. */
const dropInnerSigns = (text: string) => text.replace(/(?<=\p{L})[._*~|+]+(?=\p{L})/gu, '')

/** Digits and signs become letters only in words that have letters: "1080" and "$5" stay what they are. */
function readLeet(text: string, one: 'i' | 'l'): string {
  const table = new Map([...leet, ['1', one]])
  return text.replace(/[\p{L}\p{N}@$!]+/gu, (word) =>
    /\p{L}/u.test(word) ? replaceBy(word.replace(/(?<!!)!+$/, ''), table) : word,
  )
}

/** "nakeeeed" to "naked": three or more of a letter become one. */
const squeezeStretched = (text: string) => text.replace(/(\p{L})\1{2,}/gu, '$1')

/** Every way to read a prompt that rules should see, the plain one first, none twice. */
export function readings(prompt: string): string[] {
  const text = withoutPhraseSigns(prompt)
  // Words of a spelled-out text are set apart by wider gaps, which folding would close.
  const spelled = text
    .normalize('NFKC')
    .replace(/[\p{Cf}]/gu, '')
    .replace(/\s{2,}/g, ' / ')
  const plain = fold(text)
  const latin = replaceBy(plain, lookAlikes)
  const joined = dropInnerSigns(joinSpelledLetters(replaceBy(fold(spelled), lookAlikes)))
  const all = [plain, latin, joined, squeezeStretched(joined)]
  for (const one of ['i', 'l'] as const) all.push(squeezeStretched(readLeet(joined, one)))
  return [...new Set(all)]
}
