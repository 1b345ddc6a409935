// Normalises a prompt so that its words can be looked up.

/** Three times the longest prompt: a Korean syllable is decomposed to three letters, but U+FDFA to eighteen. */
const charactersReadMax = 9216

/** Runs of spaces as one space or line break: patterns that look for the end of a run take long in thousands of them. */
export function singleSpaced(text: string): string {
  return text.replace(/\s{2,}/g, (run) => (run.includes('\n') ? '\n' : ' '))
}

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
