// Brings a prompt to the form in which words are looked up.

/** Lower case without the accents of Latin letters, with "don't" as "do not". */
export function plainText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/(?<=[a-z])[\u0300-\u036f]+/giu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/n['’]t\b/g, ' not')
    .replace(/\b(dont|doesnt)\b/g, 'do not')
}
