// The kinds of fields that requests are made of: texts, URLs, numbers that may come as strings, optional fields.
// A builder gives a schema that only checks; what an accepted value means is read by the functions beside it.
// Schemas change nothing, so that their JSON Schema is the wire shape, limits included.
import { z } from 'zod'
import { isMissing, listOf, type MaybeMissing } from './validation.ts'

/** Dates end here: a later time can be stored, and not be shown. */
export const lastTimeMs = 8.64e15 - 1

/** The point in time that examples have, where it does not matter. */
export const exampleMs = 1_767_225_600_000

/** A point in time. */
export function epochMs() {
  return z
    .int()
    .max(lastTimeMs)
    .meta({ description: 'Epoch milliseconds.', examples: [exampleMs] })
}

export const urlCharactersMax = 2048
const numericStringCharactersMax = 32

/** A required text that contains more than white space. Lengths are in Unicode code points of the text as sent. */
export function requiredText(charactersMax: number) {
  return storableText(charactersMax)
    .refine((text) => text.trim() !== '', { error: 'must not be empty' })
    .meta({ minLength: 1 })
}

/** A text that may be omitted, also as `null` or `""`. */
export function optionalText(charactersMax: number) {
  return storableText(charactersMax).nullish()
}

function storableText(charactersMax: number) {
  // PostgreSQL can store every character but this one.
  return z
    .string()
    .max(charactersMax)
    .refine((text) => !text.includes('\0'), { error: 'must not contain the character U+0000' })
}

/** A name that lists and terminals show, such as an account's. */
export function shownName() {
  return z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(100)
    .regex(/^\P{Cc}*$/u, 'must have no control characters')
}

/** An absolute http or https URL without credentials. */
export function httpUrl() {
  return urlText(urlProblem)
}

/** A URL that may be omitted, also as `null` or `""`. */
export function optionalHttpUrl() {
  return urlText((text) => (text === '' ? null : urlProblem(text))).nullish()
}

function urlText(problemOf: (text: string) => string | null) {
  return z
    .string()
    .max(urlCharactersMax)
    .superRefine((text, context) => {
      const problem = problemOf(text)
      if (problem) context.addIssue(problem)
    })
    .meta({ format: 'uri' })
}

// Zod checks no item of an array longer than `max`, and then also skips the rules between fields. So `max` is set far above
// any real request to bound the work. A separate check enforces the real limit, so that all other problems are still named.
const itemsLookedAtMax = 20

/** An array of `min` to `max` items. */
export function list<T extends z.ZodType>(item: T, min: number, max: number, noun = 'items') {
  const wanted = min === 0 ? `at most ${max}` : `${min} ${max === min + 1 ? 'or' : 'to'} ${max}`
  const message = (count: number) => `must have ${wanted} ${noun} (it has ${count})`
  return z
    .array(item, { error: requiredOr(`must be an array of ${wanted} ${noun}`) })
    .max(itemsLookedAtMax, { error: (issue) => message((issue.input as unknown[]).length) })
    .superRefine(
      (items, context) => {
        if (items.length < min || items.length > max) context.addIssue(message(items.length))
      },
      { when: (payload) => Array.isArray(payload.value) },
    )
    .meta({ ...(min > 0 && { minItems: min }), maxItems: max })
}

/** One of a few whole numbers of seconds, as a number or a numeric string. */
export function secondsAmong(allowed: readonly number[]) {
  return numeric((value) => allowed.includes(value), `must be ${listOf(allowed.map(String))}`, {
    enum: [...allowed.map(String), ...allowed],
  })
}

/** Whole seconds within bounds, as a number or a numeric string. */
export function secondsBetween(min: number, max: number) {
  const allowed = Array.from({ length: max - min + 1 }, (_, index) => min + index)
  return numeric(
    (value) => Number.isInteger(value) && value >= min && value <= max,
    `must be a whole number of seconds from ${min} to ${max}`,
    { enum: [...allowed.map(String), ...allowed] },
  )
}

// 0.1 * 3 is not 0.3 in floating point. This is larger than such errors and much smaller than a step.
const stepTolerance = 1e-9

/** 0 to 1 in steps of 0.1, as a number or a numeric string. Read it with `tenthOr`. */
export function tenths() {
  return numeric(
    (value) => {
      const steps = Math.round(value * 10)
      return Math.abs(value * 10 - steps) <= stepTolerance && steps >= 0 && steps <= 10
    },
    'must be a number from 0 to 1 in steps of 0.1',
    { minimum: 0, maximum: 1, multipleOf: 0.1 },
  )
}

/** A JSON number (not a string) within bounds, both included. */
export function numberBetween(min: number, max: number) {
  const error = requiredOr(`must be a number from ${min} to ${max}`)
  return z.number({ error }).min(min, { error }).max(max, { error })
}

/** A whole JSON number (not a string) within bounds, both included. */
export function wholeNumberBetween(min: number, max: number) {
  const error = requiredOr(`must be a whole number from ${min} to ${max}`)
  return z.int({ error }).min(min, { error }).max(max, { error })
}

/** The message of a field: this one for a wrong value, or that the field is required. */
export function requiredOr(message: string) {
  return (issue: MaybeMissing) => (isMissing(issue) ? 'is required' : message)
}

function numeric(allows: (value: number) => boolean, message: string, meta: Record<string, unknown>) {
  return z
    .union([z.string(), z.number()], { error: requiredOr(message) })
    .superRefine((value, context) => {
      const number = readNumber(value)
      if (number === null || !allows(number)) context.addIssue(message)
    })
    .meta(meta)
}

/**
 * A number, or a string of decimal digits with an optional fraction: `5`, `"5"`, `"5.0"`, `"0.3"`. No sign, exponent,
 * white space, leading zeros or bare point, so that a string has the spelling of the JSON number it stands for.
 */
function readNumber(value: string | number): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (value.length > numericStringCharactersMax || !/^(0|[1-9][0-9]*)(\.[0-9]+)?$/.test(value)) return null
  return Number(value)
}

/** The value of a checked numeric field, or `otherwise` where it was left out. */
export function numberOr(value: string | number | null | undefined, otherwise: number): number {
  const number = value === undefined || value === null ? null : readNumber(value)
  return number ?? otherwise
}

/** The value of a checked `tenths` field, freed of floating-point noise. */
export function tenthOr(value: string | number | null | undefined, otherwise: number): number {
  // Adding 0 turns -0 into 0.
  return Math.round(numberOr(value, otherwise) * 10) / 10 + 0
}

/** A checked optional text or URL, or `null` where it was left out. */
export function textOrNull(value: string | null | undefined): string | null {
  return value === undefined || value === null || value === '' ? null : value
}

function urlProblem(text: string): string | null {
  // `max` already rejects this length, so parsing it would waste time.
  if (text.length > urlCharactersMax * 2) return null
  // The parser would drop these silently, and the stored URL would differ from the fetched one.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is the check for them
  if (/^ | $|[\u0000-\u001f\u007f]/.test(text)) return 'must be a URL without spaces around it or control characters'
  // The parser also takes `http:host`, `http:/host` and `http:///host`; those are slips, not absolute URLs.
  if (!/^https?:\/\/[^/\\?#]/i.test(text)) return 'must be an absolute http or https URL'
  if (/^[^/]*\/\/[^/\\?#]*@/.test(text)) return 'must be a URL without a user name or password'
  return URL.canParse(text) ? null : 'must be an absolute http or https URL'
}
