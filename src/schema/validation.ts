// Checks untrusted values against a schema and describes every invalid field with a clear message.
// Owns the wording of schema issues and of field paths; knows neither models nor HTTP.
import type { z } from 'zod'
import { omitEmpty } from './omit-empty.ts'
import type { Problem } from './problem.ts'
import { comparePositions, positionOf } from './schema-walk.ts'
import { sentInstead } from './sent-instead.ts'

export type Parsed<T> = { ok: true; value: T } | { ok: false; problems: Problem[] }

type Issue = z.core.$ZodIssue
type RawIssue = z.core.$ZodRawIssue

/** More wrong fields than this are counted, not listed. */
const problemsMax = 100

const nameCharactersMax = 64

/**
 * Parses `value`; on failure `problems` has one entry for each wrong field, in the order of the schema.
 * `pathPrefix` names the value itself: `input` gives `input.duration: …`; with `''` the value is called `body`.
 * An empty string means that an optional field is left out, unless `keepEmpty` is set, as for query parameters.
 * `taker` is what takes these fields, for the suggestion where one was sent under another name.
 */
export function parseWith<T extends z.ZodType>(
  schema: T,
  value: unknown,
  pathPrefix: string,
  { keepEmpty = false, taker = 'this request' } = {},
): Parsed<z.output<T>> {
  const given = keepEmpty ? value : omitEmpty(schema, value)
  const result = safeParse(schema, given, pathPrefix === '' ? wordsForBody : words)
  if (result.success) return { ok: true, value: result.data }
  const issues = result.error.issues
  const suggest = (path: readonly PropertyKey[]) => {
    const sent = sentInstead(schema, given, path)
    return sent && `${taker} takes ${String(path.at(-1))}, not ${cutName(sent)}`
  }
  return { ok: false, problems: describeIssues(issues, pathPrefix, schema, suggest) }
}

/** Zod compares every `length`. Where that is an object, as in `{"length": {"toString": 1}}`, it throws. */
function safeParse<T extends z.ZodType>(schema: T, value: unknown, error: z.core.$ZodErrorMap) {
  try {
    return schema.safeParse(value, { error })
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown
    const comparable = (key: string, part: unknown) => (key === 'length' && typeof part === 'object' ? undefined : part)
    return schema.safeParse(JSON.parse(JSON.stringify(value), comparable), { error })
  }
}

/** What an accepted value means. */
export function mapParsed<T, U>(parsed: Parsed<T>, read: (value: T) => U): Parsed<U> {
  return parsed.ok ? { ok: true, value: read(parsed.value) } : parsed
}

/** One problem for each wrong field. With the schema given they are in its order, else in that of the issues. */
export function describeIssues(
  issues: readonly Issue[],
  pathPrefix: string,
  schema?: z.ZodType,
  suggest: (path: readonly PropertyKey[]) => string | undefined = () => undefined,
): Problem[] {
  const byPath = new Map<string, { path: readonly PropertyKey[]; messages: Set<string>; wrongType: boolean }>()
  let unlisted = 0
  const bounded = new Set(issues.filter(isOwnBound).map((issue) => boundName(issue, pathPrefix)))
  for (const issue of issues) {
    const name = fieldPath(issue.path, pathPrefix)
    // Beside the field's own bound, that of every whole number says nothing more.
    if ('origin' in issue && issue.origin === 'int' && bounded.has(boundName(issue, pathPrefix))) continue
    const wrongType = issue.code === 'invalid_type'
    const entry = byPath.get(name)
    if (entry === undefined) {
      if (byPath.size < problemsMax)
        byPath.set(name, { path: issue.path, messages: new Set([issue.message]), wrongType })
      else unlisted++
      // Zod also measures the length of a string where an array is expected; for a wrong type, one message is enough.
    } else if (!entry.wrongType) entry.messages.add(issue.message)
  }
  const found = [...byPath].map(([field, { path, messages }]) => {
    const suggestion = suggest(path)
    return {
      problem: { field, message: [...messages].join(' and '), ...(suggestion && { suggestion }) },
      position: schema ? positionOf(schema, path) : [],
    }
  })
  if (schema) found.sort((a, b) => comparePositions(a.position, b.position))
  const problems: Problem[] = found.map(({ problem }) => problem)
  if (unlisted > 0) problems.push({ field: '', message: `and ${unlisted} more` })
  return problems
}

const isOwnBound = (issue: Issue) => 'origin' in issue && issue.origin === 'number'
const boundName = (issue: Issue, pathPrefix: string) => `${issue.code} ${fieldPath(issue.path, pathPrefix)}`

/** `input.multi_prompt[1].prompt` for the path `['multi_prompt', 1, 'prompt']` under the prefix `input`. */
export function fieldPath(path: readonly PropertyKey[], pathPrefix: string): string {
  let text = pathPrefix
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else text += text === '' ? cutName(String(step)) : `.${cutName(String(step))}`
  }
  return text === '' ? 'body' : text
}

/** A field's name as messages and records show it: without control characters, and short. */
export function cutName(name: string): string {
  const start = name.slice(0, nameCharactersMax * 2)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names come from outside and end up in logs and databases
  const clean = start.replace(/[\u0000-\u001f\u007f]/g, '\ufffd').toWellFormed()
  const characters = [...clean]
  const isWhole = start.length === name.length && characters.length <= nameCharactersMax
  return isWhole ? clean : `${characters.slice(0, nameCharactersMax).join('')}…`
}

/** The length in Unicode code points: an emoji counts once, however many bytes it takes. */
export function characterCount(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** `"a", "b" or "c"`. */
export function listOf(values: readonly unknown[]): string {
  const words = values.map((value) => (typeof value === 'string' ? JSON.stringify(value) : String(value)))
  const last = words.pop() ?? 'nothing'
  return words.length === 0 ? last : `${words.join(', ')} or ${last}`
}

/**
 * Adds rules between fields to an object schema. They run even if other fields are invalid, so that one response
 * names every problem. `sound(...names)` returns whether the named fields are valid, so that a rule can trust their values.
 */
export function withRules<T extends z.ZodObject>(
  schema: T,
  rules: (
    fields: z.output<T>,
    sound: (...names: (keyof z.output<T> & string)[]) => boolean,
    report: (path: PropertyKey[], message: string) => void,
  ) => void,
): T {
  return schema.superRefine(
    (fields, context) => {
      const broken = new Set(context.issues.map((issue) => issue.path?.[0]))
      // An issue without a path means that the value is no object at all.
      if (broken.has(undefined)) return
      rules(
        fields as z.output<T>,
        (...names) => names.every((name) => !broken.has(name)),
        (path, message) => context.addIssue({ code: 'custom', path, message }),
      )
    },
    { when: () => true },
  ) as T
}

function wordsForBody(issue: RawIssue): string {
  const isBody = issue.path === undefined || issue.path.length === 0
  return isBody && issue.code === 'invalid_type' ? typeWords(issue.expected as string) : words(issue)
}

/** The message of an issue whose schema has none. */
function words(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return isMissing(issue) ? 'is required' : typeWords(issue.expected as string)
    case 'invalid_value':
      return isMissing(issue) ? 'is required' : `must be ${listOf(issue.values)}`
    case 'invalid_union':
      return isMissing(issue) ? 'is required' : unionWords(issue)
    case 'too_big':
      return boundWords(issue, 'at most', issue.maximum)
    case 'too_small':
      return boundWords(issue, 'at least', issue.minimum)
    case 'invalid_format':
      return 'does not have the right form'
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.slice(0, 10).map(cutName).join(', ')}`
    default:
      return 'is not valid'
  }
}

export interface MaybeMissing {
  readonly input?: unknown
  readonly path?: readonly PropertyKey[]
}

/** Whether an issue is about a field that is missing. An item of an array is never missing, even if it is null. */
export function isMissing(issue: MaybeMissing): boolean {
  return (issue.input === undefined || issue.input === null) && typeof issue.path?.at(-1) !== 'number'
}

const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'a JSON object',
  record: 'a JSON object',
}

function typeWords(expected: string): string {
  return `must be ${typeNames[expected] ?? `of type ${expected}`}`
}

function unionWords(issue: RawIssue): string {
  const branches = issue.errors as Issue[][] | undefined
  const wanted = new Set<string>()
  for (const branch of branches ?? []) {
    const first = branch[0]
    if (branch.length === 1 && first?.path.length === 0 && first.message.startsWith('must be ')) {
      wanted.add(first.message.slice('must be '.length))
    } else return 'has none of the allowed forms'
  }
  return wanted.size === 0 ? 'has none of the allowed forms' : `must be ${[...wanted].join(' or ')}`
}

function boundWords({ origin, input }: RawIssue, side: 'at most' | 'at least', bound: unknown): string {
  const limit = `${side} ${bound}`
  if (typeof input === 'string') {
    return input === '' && bound === 1
      ? 'must not be empty'
      : `must be ${limit} characters (it has ${characterCount(input)})`
  }
  if (Array.isArray(input)) return `must have ${limit} ${bound === 1 ? 'item' : 'items'} (it has ${input.length})`
  return origin === 'int' ? `must be a whole number, ${limit}` : `must be ${limit}`
}
