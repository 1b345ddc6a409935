// Everything that a prompt may say of a scene, as one vocabulary: the words of the effects, framings, sounds, acts, adverbs and
// of what is not drawn. Of two phrases that share a word, the longer one counts.

import { type EffectName, effectNames, effects } from '../effects/all.ts'
import { type Phrases, vocabulary } from './phrases.ts'
import { actWords, englishActs } from './words/act-words.ts'
import { light } from './words/light.ts'
import * as words from './words/scene-words.ts'

export type Meaning = (
  | { kind: 'effect'; name: EffectName }
  | { kind: 'framing'; size: words.ShotSize }
  | { kind: 'act'; form: 'phrase' | 'base' | 's' | 'ing' }
  | { kind: 'distance'; at: 'near' | 'far' }
  | {
      kind: 'sound' | 'soundLabel' | 'wish' | 'scenery' | 'strong' | 'gentle' | 'without' | 'end' | 'wind' | 'electric'
    }
) & {
  /** How the camera's grammar sees its words: as something unknown, or not at all. */
  hides?: 'thing' | 'word'
}

/** Other effects say how a picture is shown: "a slow-motion push-in". */
const inPicture: ReadonlySet<string> = new Set(['air', 'region'])

export const sceneVocabulary = vocabulary<Meaning>(
  [
    ...effectNames.map(
      (name): Entry => [
        { kind: 'effect', name, hides: inPicture.has(effects[name].kind) ? 'thing' : 'word' },
        effects[name].words,
      ],
    ),
    ...(Object.keys(words.sizeWords) as words.ShotSize[]).map(
      (size): Entry => [{ kind: 'framing', size }, words.sizeWords[size]],
    ),
    [{ kind: 'sound', hides: 'thing' }, words.soundWords],
    [{ kind: 'soundLabel' }, words.soundLabels],
    [{ kind: 'wish' }, words.wishWords],
    [{ kind: 'scenery', hides: 'thing' }, words.sceneryWords],
    [{ kind: 'strong' }, words.strongWords],
    [{ kind: 'gentle' }, words.gentleWords],
    [{ kind: 'without' }, words.withoutWords],
    [{ kind: 'end' }, words.endWords],
    [{ kind: 'wind' }, words.windWords],
    [{ kind: 'electric' }, words.electricWords],
    ...(['near', 'far'] as const).map((at): Entry => [{ kind: 'distance', at }, words.distanceWords[at]]),
    [{ kind: 'act', form: 'phrase' }, actWords],
    [{ kind: 'act', form: 'base' }, { en: englishActs.join(', ') }],
    [{ kind: 'act', form: 's' }, { en: englishActs.map(third).join(', ') }],
    [{ kind: 'act', form: 'ing' }, { en: englishActs.map(gerund).join(', ') }],
  ],
  light,
)

type Entry = [Meaning, Phrases]

function third(verb: string): string {
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`
  return /(s|sh|ch|x|z|o)$/.test(verb) ? `${verb}es` : `${verb}s`
}

function gerund(verb: string): string {
  if (/ie$/.test(verb)) return `${verb.slice(0, -2)}ying`
  if (/[^eo]e$/.test(verb)) return `${verb.slice(0, -1)}ing`
  // "Run", "running": a single vowel before a single consonant doubles it, in most verbs of one syllable.
  const doubled = /^[^aeiou]*[aeiou][^aeiouwxy]$/.test(verb) ? `${verb}${verb.at(-1)}ing` : ''
  return doubled || `${verb}ing`
}
