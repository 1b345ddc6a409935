// Normalises a prompt so that its words can be looked up.

/** Three times the longest prompt: a Korean syllable is decomposed to three letters, but U+FDFA to eighteen. */
const charactersReadMax = 9216

/** Lower case without the accents of Latin letters, with "don't" as "do not". */
export function plainText(text: string): string {
  return text
    .normalize('NFKD')
    .slice(0, charactersReadMax)
    .replace(/(?<=[a-z])[\u0300-\u036f]+/giu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/n['’]t\b/g, ' not')
    .replace(/\b(dont|doesnt)\b/g, 'do not')
}
