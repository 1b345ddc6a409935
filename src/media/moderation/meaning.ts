// Judges a prompt by its meaning: how close its sentences come to sentences that say what is not allowed.
// It knows no model; whoever wires it injects `embed`. English only, as far as the model behind `embed` is.

/** Unit vectors, one a text, in order. */
export type Embed = (texts: string[]) => Promise<Float32Array[]>

export const policySentences: readonly string[] = [
  'explicit sexual intercourse between naked people',
  'adults having sex in explicit detail',
  'people making love naked, everything visible',
  'a pornographic scene with genitals visible',
  'a naked woman poses in a sexually explicit way',
  'a child in a sexual situation',
  'a sexualised minor without clothes',
  'a woman is raped by a man',
  'a person is tortured and mutilated in graphic detail',
  'a person is cut into pieces alive',
  'a man beats a helpless woman to death',
  'someone is stabbed and bleeds to death',
  'a human body is dismembered, blood and guts everywhere',
  'an animal is tortured to death',
  'step by step instructions to build a bomb',
  'how to make explosives or chemical weapons at home',
  'how to murder someone and get away with it',
  'a person commits suicide on camera',
  'a person hurts themselves by cutting their arms',
  'an ethnic group should be exterminated',
  'propaganda that praises terrorists and mass murder',
]

/** Pieces of a prompt that are compared, at most: the whole, then its first sentences. */
const piecesMax = 16

/** The whole prompt and its sentences: one bad sentence must not drown in a long description. */
export function pieces(prompt: string): string[] {
  const sentences = prompt.split(/[.!?;\n]+/).map((sentence) => sentence.trim())
  const worthwhile = sentences.filter((sentence) => sentence.length >= 12)
  return [...new Set([prompt.trim(), ...worthwhile])].filter(Boolean).slice(0, piecesMax)
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!
  return sum
}

/** The highest cosine between a piece of the prompt and a policy sentence, −1 to 1. */
export function createMeaningScore(embed: Embed): (prompt: string) => Promise<number> {
  let policy: Promise<Float32Array[]> | null = null
  return async (prompt) => {
    const texts = pieces(prompt)
    if (texts.length === 0) return -1
    policy ??= embed([...policySentences]).catch((error) => {
      // The next prompt tries again; a failed start must not switch this check off for good.
      policy = null
      throw error
    })
    const [policyVectors, vectors] = await Promise.all([policy, embed(texts)])
    return Math.max(...vectors.flatMap((vector) => policyVectors.map((other) => dot(vector, other))))
  }
}
