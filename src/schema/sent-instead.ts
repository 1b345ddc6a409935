// Finds the unknown field that was probably meant for a missing one: `imageUrl` or `image_urls` for `image_url`.
import type { z } from 'zod'
import { fieldsOf, itemOf } from './schema-walk.ts'

/** More names than this are not compared. */
const namesMax = 100

/** The name that was sent where the field at `path` is missing and its object has an unknown one with nearly its name. */
export function sentInstead(schema: z.ZodType, value: unknown, path: readonly PropertyKey[]): string | undefined {
  const field = path.at(-1)
  if (typeof field !== 'string') return undefined
  let parent: unknown = value
  let parentSchema: z.ZodType | undefined = schema
  for (const step of path.slice(0, -1)) {
    parent = (parent as Record<PropertyKey, unknown> | null | undefined)?.[step]
    parentSchema =
      parentSchema && (typeof step === 'number' ? itemOf(parentSchema) : fieldsOf(parentSchema)?.[String(step)])
  }
  const fields = parentSchema && fieldsOf(parentSchema)
  if (typeof parent !== 'object' || parent === null || fields === undefined || Object.hasOwn(parent, field))
    return undefined
  const unknown = Object.keys(parent).filter((name) => !Object.hasOwn(fields, name))
  return unknown.slice(0, namesMax).find((name) => isNearly(name, field))
}

const nameCharactersMax = 64

/** Whether two names are equal but for case, `_`, `-` and, in longer names, one letter. */
export function isNearly(sent: string, field: string): boolean {
  if (sent.length > nameCharactersMax) return false
  const plain = (name: string) => name.toLowerCase().replace(/[_-]/g, '')
  const [a, b] = [plain(sent), plain(field)]
  return a === b || (Math.min(a.length, b.length) >= 4 && differInOneLetter(a, b))
}

/** One letter more, less or other, or two that changed places. */
function differInOneLetter(a: string, b: string): boolean {
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  const rest = (text: string, from: number) => text.slice(start + from)
  if (a.length === b.length) {
    const swapped = a[start] === b[start + 1] && a[start + 1] === b[start]
    return rest(a, 1) === rest(b, 1) || (swapped && rest(a, 2) === rest(b, 2))
  }
  return a.length > b.length ? rest(a, 1) === rest(b, 0) : rest(a, 0) === rest(b, 1)
}
