// Fields of a creation that were sent in the wrong place or under the wrong name, where that is worth a sentence.
import type { Problem } from '../schema/problem.ts'
import { cutName, type Parsed } from '../schema/validation.ts'

/** Adds to the problems of fields of `input` that they were sent beside it. `inputFields` are the names that belong there. */
export function suggestInput(problems: readonly Problem[], body: unknown, inputFields: readonly string[]): Problem[] {
  if (typeof body !== 'object' || body === null) return [...problems]
  const beside = [...new Set(inputFields)].filter((name) => Object.hasOwn(body, name))
  return problems.map((problem) => {
    const suggestion = suggestionFor(problem.field, beside)
    return suggestion === null || problem.suggestion !== undefined ? problem : { ...problem, suggestion }
  })
}

function suggestionFor(field: string, beside: readonly string[]): string | null {
  if (field === 'input' && beside.length > 0) {
    return `${beside.join(', ')} ${beside.length === 1 ? 'belongs' : 'belong'} in input`
  }
  const name = field.startsWith('input.') ? field.slice('input.'.length) : null
  return name !== null && beside.includes(name) ? `${name} belongs in input` : null
}

/** What other services call it, without `_` and in lower case. */
const callBackNames = new Set(['callbackurl', 'callback', 'webhookurl', 'webhook'])

/**
 * Unknown fields are ignored, but these are refused: the client expects a callback that would never come. One that is
 * null or empty expects none.
 */
export function callBackNearMisses(body: object): Problem[] {
  return Object.entries(body)
    .filter(([name, value]) => name !== 'callBackUrl' && value !== null && value !== '' && isCallBackName(name))
    .map(([name]) => ({
      field: cutName(name),
      message: 'is not a field of this request',
      suggestion: 'did you mean callBackUrl?',
    }))
}

/** Refuses a body with such fields, together with its other problems. */
export function withoutNearMisses<T>(parsed: Parsed<T>, body: unknown): Parsed<T> {
  const nearMisses = typeof body === 'object' && body !== null ? callBackNearMisses(body) : []
  if (nearMisses.length === 0) return parsed
  return { ok: false, problems: [...(parsed.ok ? [] : parsed.problems), ...nearMisses] }
}

const isCallBackName = (name: string) =>
  name.length <= 32 && callBackNames.has(name.toLowerCase().replaceAll(/[_-]/g, ''))
