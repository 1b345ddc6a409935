// Tells the verbs of a sentence from its nouns and adjectives: "the boat rocks" acts, "on the rocks" and "rocking chair" do not.

import type { Language } from './language.ts'
import type { Hit } from './phrases.ts'
import { isSign } from './phrases.ts'
import { type Meaning, sceneVocabulary } from './scene-vocabulary.ts'
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
  storytelling tracing`.split(/\s+/),
)

/** Verbs of what a picture shows already. */
const states = new Set(
  `stand sit lie lay hold wear look gaze stare watch wait rest lean kneel hang remain stay keep seem feel face show sparkle see contain include
  cover surround stretch overlook reflect glow shine gleam glisten dwell live resemble depict illuminate light loom tower sleep know think
  believe want need love like belong consist frame reveal extend fill feature carry cast line span border dominate gleam glimmer perch squat
  crouch pose own display tan charm stun winter outstand interest amaze breathtak captivat enchant strik inspir haunt bor excit entertain
  relax sooth invit welcom last grow miss flame depend accord regard concern follow exist dine dream mesmeriz fascinat compell surpris create capture emphasize highlight suggest evoke convey appear linger set`.split(
    /\s+/,
  ),
)

/** How the clause stands in its sentence. */
export interface ClausePlace {
  from: number
  to: number
  /** Whether the clause before it said what someone does: "she sings and walks". */
  goesOn: boolean
  /** Whether its subject may be two: "bride and groom dance". */
  joined: boolean
}

/** Whether a phrase of acts is one: in other languages than English, they are written as verbs only. */
export function isAct(
  { tokens, language, later }: Sentence,
  { meaning, from, to }: Hit<Meaning>,
  place: ClausePlace,
): boolean {
  if (meaning.kind !== 'act') return false
  const { word } = tokens[from]!
  if (meaning.form === 'phrase') return language === 'en' || !articles.has(tokens[from - 1]?.word ?? '')
  if (things.has(word)) return false
  const before = subjectOf(tokens, from, place.from)
  const next = tokens[to]?.word
  // "They hug, then kiss".
  if (meaning.form === 'base') return (later && from === 0) || isBaseAct(tokens, from, before, place)
  if (before === null) return meaning.form === 's' ? place.goesOn || !nouns.has(word) : !isNoun(next)
  if (pronouns.has(before)) return true
  if (determiners.has(before) || prepositions.has(before) || /^\d/.test(before)) return false
  // "Fast moving clouds", "warm glowing neon", but "spies exchanging information".
  return meaning.form === 's' || !isNoun(next) || isSubject(before)
}

/** How verbs of an act end where a language tells them so, and those that only say what is there. */
const endings: { [language in Language]?: { verb: RegExp; state: RegExp } } = {
  es: {
    verb: /..(ando|iendo)$/,
    state: /^(estando|siendo|mirando|llevando|sosteniendo|usando|vistiendo|esperando|cuando|mostrando|revelando)$/,
  },
  it: {
    verb: /..(ando|endo)$/,
    state: /^(stando|essendo|guardando|indossando|tenendo|quando|aspettando|mostrando|rivelando|stupendo)$/,
  },
  pt: {
    verb: /..(ando|endo|indo)$/,
    state: /^(estando|sendo|olhando|segurando|vestindo|usando|esperando|quando|mostrando|revelando|lindo)$/,
  },
  ru: {
    verb: /.(ает|яет|ует|еет|оет|ют|ится|ется|ются|ятся|утся)$/,
    state: /^(ожидает|является|находится|имеет|сияет|стоят|отражается|кажется|белеет|темнеет|виднеется|остается)$/,
  },
  de: {
    verb: /..(t|en)$/,
    state:
      /^(steh|sitz|lieg|hang|trag|hal|halt|schau|blick|sieh|sehen|wart|wartet|schlaf|ruh|lehn|schein|glanz|leucht|is|ha|wir|sind|werden|haben|bleib|wirk|zeig|kniet?|gekleid|bedeck|umgeb|ge\p{L}+)(e?t|en)?$/u,
  },
  ja: {
    verb: /(る|う|く|ぐ|す|つ|ぬ|ぶ|む|いた|った|んだ)$/,
    state:
      /(立って|座って|持って|着て|見て|眠って|寝て|待って|いて|して|映って|広がって|並んで|輝いて)いる$|(ある|見える|見せる|映す|見る|広がる|並ぶ|輝く|光る|立つ|座る)$/,
  },
  ko: { verb: /(ㄴ다|는다|[가-힣]다)$/, state: /(있다|이다|보인다|보여준다|없다|서다|앉다|빛난다|입다)$/ },
}

/** Whether a word before a verb is one who acts, and no adjective of what follows. */
function isSubject(word: string): boolean {
  return (
    plurals.has(word) ||
    /[^s]s$/.test(word) ||
    /^(wo)?man$|^(girl|boy|child|dog|cat|person|soldier|robot|crowd)$/.test(word)
  )
}

/** Verbs of a clause that the vocabulary does not know, told by their endings and where they stand. */
export function unknownActs(sentence: Sentence, clause: ClausePlace, known: Set<number>): Hit<Meaning>[] {
  const { tokens, language } = sentence
  const ending = endings[language]
  if (language === 'ja' || language === 'ko') return ending ? unknownLast(sentence, clause, known, ending) : []
  const light = sceneVocabulary.light(language)
  const found: Hit<Meaning>[] = []
  const predicate = language === 'en' ? predicateAt(tokens, clause, known) : -1
  for (let i = clause.from; i < clause.to; i++) {
    const { word } = tokens[i]!
    if (i !== predicate && (known.has(i) || word.length < 4 || things.has(word) || light.has(word))) continue
    const acts = ending
      ? ending.verb.test(word) && !ending.state.test(word) && (language !== 'de' || isGermanVerb(tokens, i))
      : i === predicate || (language === 'en' && isUnknownVerb(tokens, i, clause.from))
    if (acts) found.push(hitAt(i, i + 1))
  }
  return found
}

/**
 * Where an English clause says what its subject does: after "a gardener", a word in -s can only be a verb, and after "visitors"
 * the next word is one where nothing describes them. −1 where it says nothing, or only a state.
 */
function predicateAt(tokens: Sentence['tokens'], { from, to }: ClausePlace, known: Set<number>): number {
  let number: 'one' | 'any' | 'none' = 'any'
  let nouns = 0
  for (let i = from; i < to; i++) {
    const { word } = tokens[i]!
    const [before, next] = [tokens[i - 1]?.word ?? '', tokens[i + 1]?.word]
    if (/^(begin|start)s?$/.test(tokens[i - 2]?.word ?? '') && before === 'to') return known.has(i) ? -1 : i
    if (isState(word) || /^(is|are|was|were|has|have|can|may)$/.test(word)) return -1
    const ends = next === undefined || i + 1 === to || isSign(next) || !isNoun(next)
    if (isSign(word) || word === 'and' || prepositions.has(word)) [number, nouns] = ['none', 0]
    else if (/^(a|an|another|each|every|one|this|that)$/.test(word)) [number, nouns] = ['one', 0]
    // "A chef's hands": what follows may be several.
    else if (determiners.has(word) || word === 's') [number, nouns] = ['any', 0]
    else if (
      !known.has(i) &&
      !/^(begin|start|continue)s$/.test(word) &&
      nouns > 0 &&
      word.length > 3 &&
      !word.endsWith('ly') &&
      !adverbs.has(word)
    ) {
      const single =
        /[^sui']s$/.test(word) &&
        (number === 'one' || (number === 'any' && (determiners.has(next ?? '') || !!next?.endsWith('ly'))))
      const several =
        number === 'any' && ends && !described.test(word) && (plurals.has(before) || /[^sui']s$/.test(before))
      if (single || several) return i
    }
    nouns++
  }
  return -1
}

/** Words that describe what stands before them: "curtains torn", "eyes wide". */
const described =
  /s$|ed$|ing$|en$|ful$|ous$|ic$|ive$|less$|y$|al$|^(wide|open|full|bright|dark|white|black|blue|green|red|purple|orange|pink|brown|grey|gray|gold|silver|high|tall|deep|bare|calm|clear|cold|warm|alive|visible|torn|lit|bent|made|each|aglow|ablaze|ashore|adrift|below|mode|style|look|shot|view|lens|light|scene|mood)$/

function isState(word: string): boolean {
  const stem = word.replace(/(e?s|ing)$/, '')
  return [word, stem, `${stem}e`, stem.slice(0, -1)].some((own) => states.has(own))
}

function isUnknownVerb(tokens: Sentence['tokens'], i: number, from: number): boolean {
  const { word } = tokens[i]!
  if (!/(s|ing)$/.test(word) || isState(word)) return false
  const before = subjectOf(tokens, i, from)
  if (before === null) return false
  const runs =
    word.endsWith('ing') && !determiners.has(before) && !prepositions.has(before) && !isNoun(tokens[i + 1]?.word)
  return runs || (/[^su]s$/.test(word) && /^(he|she|who)$/.test(before))
}

/** After a noun, which has a capital, or "sie". */
function isGermanVerb(tokens: Sentence['tokens'], i: number): boolean {
  const before = tokens[i - 1]
  if (!before || tokens[i]!.capital || germanOthers.has(tokens[i]!.word) || prepositionsOf('de').has(tokens[i]!.word))
    return false
  return before.capital
    ? i > 1 || !articles.has(before.word)
    : /^(er|sie|es|der|die|das)$/.test(before.word) && tokens[i]!.word.endsWith('t')
}
const germanOthers = new Set(
  'nicht sanft leicht weit laut dicht seit bereits mitten oben unten hinten vorn neben gegen zwischen'.split(' '),
)

/** Japanese and Korean clauses end with their verb. One that names nothing else that is known is an act where it has a subject. */
function unknownLast(
  { tokens }: Sentence,
  { from, to }: ClausePlace,
  known: Set<number>,
  { verb, state }: { verb: RegExp; state: RegExp },
): Hit<Meaning>[] {
  for (let i = from; i < to; i++) if (known.has(i)) return []
  let last = to - 1
  while (last > from && isSign(tokens[last]!.word)) last--
  const words = tokens
    .slice(Math.max(from, last - 40), last + 1)
    .map(({ word }) => word)
    .join('')
  return /.[が이가]/u.test(words) && verb.test(words) && !state.test(words) ? [hitAt(from, to)] : []
}

function hitAt(from: number, to: number): Hit<Meaning> {
  return { meaning: { kind: 'act', form: 'ing' }, from, to, tokens: [from] }
}

const adverbsMax = 6

/** The word that a verb follows, without adverbs and auxiliaries; null at the start of a clause. */
function subjectOf(tokens: Sentence['tokens'], at: number, from: number): string | null {
  for (let i = at - 1; i >= from && i >= at - adverbsMax; i--) {
    const { word } = tokens[i]!
    if (isSign(word)) return null
    if (word === 'and' || !(word.endsWith('ly') || auxiliaries.has(word))) return word === 'and' ? null : word
  }
  return null
}

function isBaseAct(
  tokens: Sentence['tokens'],
  at: number,
  before: string | null,
  { from, joined }: ClausePlace,
): boolean {
  const [last, earlier] = [tokens[at - 1]?.word ?? '', tokens[at - 2]?.word ?? '']
  if (last === 'to') return /^(begin|start|continue|about|tr|want)/.test(earlier)
  if (at - 1 < from || before === null) return false
  if (/^(make|let|have|has|makes|lets)$/.test(earlier)) return true
  if (determiners.has(last) || prepositions.has(last)) return false
  return joined || plurals.has(before) || (/[^s]s$/.test(before) && !pronouns.has(before))
}

/** Whether a word may be the thing that an adjective before it describes. */
function isNoun(word: string | undefined): boolean {
  return (
    word !== undefined &&
    !isSign(word) &&
    !prepositions.has(word) &&
    !determiners.has(word) &&
    !pronouns.has(word) &&
    !adverbs.has(word) &&
    !word.endsWith('ly')
  )
}

const adverbs = new Set(
  `and or as while when then together away forward back past him them it her against among between beside onto overhead upward upwards downward
  downwards forwards backward backwards everywhere inside outside nearby below above home there here apart alone aside alongside left right open
  slow fast hard wild high low close again until because so`.split(/\s+/),
)
