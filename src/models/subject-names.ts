// The subjects that prompts name as `@name`, compared with those that a request describes.
import { cutName } from '../schema/validation.ts'

/** Whether a prompt names `@name` as a whole word, in any writing and case. */
export function calls(prompt: string, name: string): boolean {
  const text = prompt.toLowerCase()
  const wanted = `@${name.toLowerCase()}`
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (endsWord(text.slice(at + wanted.length))) return true
  }
  return false
}

function endsWord(rest: string): boolean {
  const next = rest.slice(0, 2)
  return !/^[\p{L}\p{N}_]/u.test(next) || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(next)
}

/** More than this are not listed. */
const namesMax = 20

/** One phrase for each `@name` without a subject, and for each subject that no prompt names. */
export function unmatchedNames(prompts: readonly string[], names: readonly string[]): string[] {
  const described = names.map((name) => name.toLowerCase())
  const isDescribed = (text: string) =>
    described.some((name) => text.startsWith(name) && endsWord(text.slice(name.length)))
  const strangers = new Set<string>()
  for (const prompt of prompts) {
    // Not the middle of an e-mail address.
    for (const { 1: name, index } of prompt.matchAll(/(?<![\p{L}\p{N}_.])@([\p{L}\p{N}_-]+)/gu)) {
      if (!isDescribed(prompt.slice(index + 1).toLowerCase())) strangers.add(`@${cutName(name!)} (no such element)`)
    }
  }
  const unnamed = names.filter((name) => !prompts.some((prompt) => calls(prompt, name)))
  const phrases = unnamed.map((name) => `${cutName(name)} (not mentioned in the prompt)`)
  return [...[...strangers].slice(0, namesMax), ...new Set(phrases)]
}
