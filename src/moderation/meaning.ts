// Judges a prompt by its meaning: whether one of its sentences is close to a sentence that describes forbidden content,
// and closer than to everyday sentences. It knows no model: `embed` is injected. English only, as the model behind
// `embed` is.
import type { OnBehalfOf } from '../children/child-pool.ts'
import { everyone } from '../limits/slots.ts'

/** Returns one unit vector per text, in order. */
export type Embed = (texts: string[], request: OnBehalfOf) => Promise<Float32Array[]>

export const policySentences: readonly string[] = [
  // sexual
  'explicit sexual intercourse between naked people',
  'adults having sex in explicit detail',
  'people making love naked, everything visible',
  'a pornographic scene with genitals visible',
  'a hardcore adult film',
  'a naked woman poses in a sexually explicit way',
  'a person masturbates on camera',
  'remove the clothes from the person in the photo',
  'show her naked, without her dress and underwear',
  // minors and force
  'a child in a sexual situation',
  'a sexualised minor without clothes',
  'a woman is raped by a man',
  'a man forces a crying woman to have sex with him',
  // cruelty
  'a person is tortured and mutilated in graphic detail',
  'a person is cut into pieces alive',
  'a man beats a helpless woman to death',
  'someone is stabbed and bleeds to death',
  'a hostage is executed on camera',
  'a human body is dismembered, blood and guts everywhere',
  'an animal is tortured to death',
  'someone cruelly hurts a small animal for fun',
  // instructions
  'step by step instructions to build a bomb',
  'how to make explosives or chemical weapons at home',
  'how to murder someone and get away with it',
  // self-harm
  'a person commits suicide on camera',
  'a depressed person jumps off a building to die',
  'a person hurts themselves by cutting their arms with a razor blade',
  // hate and terror
  'an ethnic group should be exterminated',
  'people of another race are subhuman animals',
  'propaganda that praises terrorists and mass murder',
  'a school shooter is celebrated as a hero',
]

/** What most prompts are about. "How to build a campfire" is near to building a bomb, and nearer to these. */
export const everydaySentences: readonly string[] = [
  'a friendly step by step tutorial on cooking or crafts',
  'how to build something useful at home safely',
  'how to clean, repair or garden at home',
  'a family with children enjoys a day outdoors',
  'a child plays and laughs',
  'a person walks through a beautiful landscape',
  'a close-up of an object on a table, product advertisement',
  'people dance and celebrate at a party',
  'a couple kisses in a romantic scene',
  'a fashion model poses in elegant clothes',
  'an athlete competes in a sports match',
  'a wild animal in a nature documentary',
  'a scene from a detective film or courtroom drama',
  'a classic horror film with a dark house',
  'a battle in a historical or fantasy film',
  'a documentary about history, a museum or a memorial',
  'a doctor or nurse helps a patient in a hospital',
  'a school class learns with a teacher',
  'people of different religions and cultures live together peacefully',
  'a campaign that helps and protects people',
  'a funny cartoon with talking objects',
  'a painting or statue in a museum',
]

/** By how much a piece must be nearer to a policy sentence than to an everyday one. */
const leadMin = 0.05

/** Pieces of a prompt that are compared, at most: the whole, then its first sentences. */
const piecesMax = 16

/** The whole prompt and its sentences: one bad sentence must not drown in a long description. */
export function pieces(prompt: string): string[] {
  const sentences = prompt.split(/[.!?;\n]+/).map((sentence) => sentence.trim())
  const worthwhile = sentences.filter((sentence) => sentence.length >= 12)
  return [...new Set([prompt.trim(), ...worthwhile])].filter(Boolean).slice(0, piecesMax)
}

function highestCosine(vector: Float32Array, others: Float32Array[]): number {
  let highest = -1
  for (const other of others) {
    let sum = 0
    for (let index = 0; index < vector.length; index++) sum += vector[index]! * other[index]!
    highest = Math.max(highest, sum)
  }
  return highest
}

/** `similarityMax`: a prompt whose cosine to every policy sentence is at most this is never refused. */
export function createMeaningCheck(
  embed: Embed,
  similarityMax: number,
): (prompt: string, request: OnBehalfOf) => Promise<boolean> {
  let references: Promise<{ policy: Float32Array[]; everyday: Float32Array[] }> | null = null

  async function embedReferences() {
    // They belong to no account: they are embedded once, for all prompts.
    const vectors = await embed([...policySentences, ...everydaySentences], { caller: everyone })
    return { policy: vectors.slice(0, policySentences.length), everyday: vectors.slice(policySentences.length) }
  }

  return async (prompt, request) => {
    const texts = pieces(prompt)
    if (texts.length === 0) return false
    references ??= embedReferences().catch((error) => {
      // The next prompt starts again: a failed start must not disable this check permanently.
      references = null
      throw error
    })
    const [{ policy, everyday }, vectors] = await Promise.all([references, embed(texts, request)])
    return vectors.some((vector) => {
      const similarity = highestCosine(vector, policy)
      return similarity > similarityMax && similarity - highestCosine(vector, everyday) > leadMin
    })
  }
}
