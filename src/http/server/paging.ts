// Query parameters and answers of lists: how a page is requested and where it is cut.
import { z } from 'zod'

export function wholeNumberText(min: number, max: number) {
  const sentence = `must be a whole number from ${min} to ${max}`
  return z.string().refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, sentence)
}

/** Query parameters that page through a list; `cursor` is the last id of the page before. */
export const pageQuery = {
  limit: wholeNumberText(1, 100).optional().meta({ description: 'Items a page, 1 to 100.', default: '20' }),
  cursor: z
    .string()
    .regex(/^[0-9a-f-]{36}$/, 'must be the nextCursor of the page before')
    .optional()
    .meta({ description: '`nextCursor` of the page before.' }),
}

const limitDefault = 20

export const pageOf = (item: z.ZodType) => z.object({ items: z.array(item), nextCursor: z.string().nullable() })

export function readPage(query: { limit?: string | undefined; cursor?: string | undefined }) {
  return { limit: query.limit === undefined ? limitDefault : Number(query.limit), before: query.cursor }
}

/** A page was asked for with one row more than it shows: the extra row says that there is another page. */
export function cutPage<Row extends { id: string }>(
  rows: Row[],
  limit: number,
): { rows: Row[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit)
  return { rows: shown, nextCursor: rows.length > limit ? shown.at(-1)!.id : null }
}
