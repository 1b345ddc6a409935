// Lists that come in pages: how a page is requested, and what one looks like.
import { z } from 'zod'
import { lastTimeMs } from '../schema/wire-types.ts'

/** A whole number in a query string. */
export function wholeNumberParam(min: number, max: number) {
  const sentence = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .refine((text) => /^\d{1,16}$/.test(text) && Number(text) >= min && Number(text) <= max, sentence)
    .meta({ type: 'integer', minimum: min, maximum: max })
    .transform(Number)
}

/** A point in time in a query string. */
export const timeParam = wholeNumberParam(0, lastTimeMs)

/** A text to look something up by; a text that names nothing is not found. */
export const lookupText = z.string().min(1, 'must not be empty').max(200)

/** The last id of the previous page. */
export function idParam(sentence: string) {
  return z.string().regex(/^[0-9a-f-]{36}$/, sentence)
}

export const pageQuery = {
  limit: wholeNumberParam(1, 100).default(20).meta({ description: 'Items per page, 1 to 100.' }),
  cursor: idParam('must be the nextCursor of the page before')
    .optional()
    .meta({ description: '`nextCursor` of the previous page.' }),
}

const longPageMax = 1000

/** For lists that are short, such as keys: the first page has all of most lists. */
export const longPageQuery = z.object({
  ...pageQuery,
  limit: wholeNumberParam(1, longPageMax)
    .default(longPageMax)
    .meta({ description: `Items per page, 1 to ${longPageMax}.` }),
})

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    nextCursor: z.string().nullable().meta({ description: 'For the next page; null on the last one.' }),
  })
