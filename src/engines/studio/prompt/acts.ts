// Tells the verbs of a sentence from its nouns and adjectives: "the boat rocks" acts, "on the rocks" and "rocking chair" do not.

import type { Hit } from './phrases.ts'
import { isSign } from './phrases.ts'
import type { Meaning } from './scene-vocabulary.ts'
import type { Sentence } from './sentences.ts'
import { nouns } from './words/act-words.ts'
import { prepositionsOf } from './words/light.ts'

const prepositions = prepositionsOf('en')
const determiners = new Set(
  'a an the his her their its my our your this these those some no each every any several more most one two three four'.split(
    ' ',
  ),
)
const pronouns = new Set('he she it they we you i who which that everyone everything someone'.split(' '))
const plurals = new Set(
  'couple pair group team family audience people men women children crowd they we you police cattle fish koi sheep deer geese mice feet'.split(
    ' ',
  ),
)
const auxiliaries = new Set(
  'is are was were be being been begins begin starts start to slowly continues still all both now'.split(' '),
)
/** "Un marché", a market, is written as "marche", walks. */
const articles = new Set(
  'un une le la les des du au el los las una il lo gli i o os as um uma der die das ein eine einen dem den'.split(' '),
)
/** What ends in -ing and names a thing. */
const things = new Set(
  `building lighting painting morning evening ceiling wedding clothing setting flooring drawing string spring king ring wing thing
  something nothing everything anything during being backing grading shading railing living dining timing spacing styling
  storytelling`.split(/\s+/),
)

/**
 * Whether a phrase of acts is one: in other languages than English, they are written as verbs only. `goesOn` where the clause
 * goes on with what someone does: "she sings and walks".
 */
export function isAct(
  { tokens, language, later }: Sentence,
  { meaning, from, to }: Hit<Meaning>,
  clauseFrom: number,
  goesOn: boolean,
): boolean {
  if (meaning.kind !== 'act') return false
  const { word } = tokens[from]!
  if (meaning.form === 'phrase') return language === 'en' || !articles.has(tokens[from - 1]?.word ?? '')
  if (things.has(word)) return false
  const before = subjectOf(tokens, from, clauseFrom)
  const next = tokens[to]?.word
  // "They hug, then kiss".
  if (meaning.form === 'base' && later && from === 0) return true
  if (meaning.form === 'base') return isBaseAct(tokens, from, before, clauseFrom)
  if (before === null) return meaning.form === 's' ? goesOn || !nouns.has(word) : !isNoun(next)
  if (pronouns.has(before)) return true
  if (determiners.has(before) || prepositions.has(before) || /^\d/.test(before)) return false
  // "Fast moving clouds", "warm glowing neon".
  return meaning.form === 's' || !isNoun(next)
}

/** The word that a verb follows, without adverbs and auxiliaries; null at the start of a clause. */
function subjectOf(tokens: Sentence['tokens'], at: number, from: number): string | null {
  for (let i = at - 1; i >= from; i--) {
    const { word } = tokens[i]!
    if (isSign(word)) return null
    if (word === 'and' || !(word.endsWith('ly') || auxiliaries.has(word))) return word === 'and' ? null : word
  }
  return null
}

function isBaseAct(tokens: Sentence['tokens'], at: number, before: string | null, clauseFrom: number): boolean {
  const [last, earlier] = [tokens[at - 1]?.word ?? '', tokens[at - 2]?.word ?? '']
  if (at - 1 < clauseFrom || before === null) return false
  if (last === 'to') return /^(begin|start|continue|about|tr|want)/.test(earlier)
  if (/^(make|let|have|has|makes|lets)$/.test(earlier)) return true
  if (determiners.has(last) || prepositions.has(last)) return false
  return plurals.has(before) || (/[^s]s$/.test(before) && !pronouns.has(before))
}

/** Whether a word may be the thing that an adjective before it describes. */
function isNoun(word: string | undefined): boolean {
  return (
    word !== undefined &&
    !isSign(word) &&
    !prepositions.has(word) &&
    !determiners.has(word) &&
    !pronouns.has(word) &&
    !word.endsWith('ly') &&
    !/^(and|or|as|while|when|then|together|away|forward|back|past|him|them|each|it|against|among|between|beside|onto|her)$/.test(
      word,
    )
  )
}
