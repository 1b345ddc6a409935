// Tells the language of a prompt: by its letters, else by which language knows most of its words.

import type { Token } from './text.ts'

export const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'zh', 'ja', 'ko', 'ru', 'ar'] as const
export type Language = (typeof languages)[number]

const latin = languages.slice(0, 6)
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const scripts: [RegExp, Language][] = [
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [kana, 'ja'],
  [/\p{Script=Han}/u, 'zh'],
]

/** Tells the language of each sentence of a prompt: what is written in Latin letters is in one language. */
export function languageTeller(
  prompt: Token[],
  /** How much a word says for a language. */
  weight: (word: string, language: Language) => number,
): (sentence: Token[]) => Language {
  const words = prompt.map(({ word }) => word).filter((word) => /^[a-z]/.test(word))
  const scores = latin.map((language) => words.reduce((sum, word) => sum + weight(word, language), 0))
  // English words stand in prompts of all languages, so that they count less.
  const most = Math.max(...scores)
  const written = scores[0]! >= most ? 'en' : latin[scores.indexOf(most)]!
  const japanese = prompt.some(({ word }) => kana.test(word))
  return (sentence) => {
    const script = scripts.find(([letter]) => sentence.some(({ word }) => letter.test(word)))?.[1]
    return script === 'zh' && japanese ? 'ja' : (script ?? written)
  }
}
