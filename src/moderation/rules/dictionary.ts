// The profanity dictionary with our whitelist: whether a prompt contains a word that is rarely meant innocently.
// It does not know why a prompt is bad; rules with a topic are in the files hard-rules-*.ts.
import { AllProfanity, englishBadWords } from 'allprofanity'
import { harmlessWords } from './harmless.ts'

/** Explicit words that the dictionary of the package does not have. */
const additions = 'gangbang cumshot cumshots faggots niggers sluts whore whores cunts milfs'.split(' ')

export function createDictionary(): (reading: string) => boolean {
  const filter = new AllProfanity({ silent: true })
  // By default it loads romanised Hindi, where "BC" and "Lund" are swear words: start from an empty list.
  filter.clearList()
  const harmless = new Set(harmlessWords)
  filter.add([...englishBadWords, ...additions].filter((word) => !harmless.has(word)))
  return (reading) => filter.check(reading)
}
