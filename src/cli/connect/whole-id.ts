// Ids as people type them: pages show only the last 8 characters, so the end of an id stands for it where no other id
// has the same end.
import type { Dailies, Webhooks } from '../../../client/src/public.ts'
import { OperatorError } from '../../platform/errors.ts'
import { endOfId, isId } from '../../platform/ids.ts'
import { firstOf } from './client.ts'

/** `find` returns the ids with this end; it may stop at two. */
export async function wholeId(kind: string, given: string, find: (end: string) => Promise<string[]>): Promise<string> {
  const end = endOfId(given)
  // What cannot be an id is left to the server, which says that there is none.
  if (end === null || isId(end)) return end ?? given
  const ids = await find(end)
  if (ids.length === 0) throw new OperatorError(`there is no ${kind} whose id ends with ${end}`)
  if (ids.length > 1)
    throw new OperatorError(`more than one ${kind} has an id that ends with ${end}: ${ids.join(', ')}`)
  return ids[0]!
}

/** Each page of a search reads thousands of tasks. */
const searchPagesMax = 200

/** A task of the account at the server. */
export function wholeTaskId(client: Dailies, given: string): Promise<string> {
  return wholeId('task', given, async (end) => {
    const found = client.list({ q: end, limit: 100 })
    const ids: string[] = []
    let cursor: string | null = null
    for (let pages = 0; pages < searchPagesMax && ids.length < 2; pages += 1) {
      const page: Awaited<ReturnType<typeof found.page>> = await found.page(cursor)
      // The text may be in the prompt of others.
      ids.push(...page.items.map(({ taskId }) => taskId).filter((id) => id.endsWith(end)))
      cursor = page.nextCursor
      if (cursor === null) break
    }
    return ids
  })
}

/** A callback of the account at the server, or of any account. */
export function wholeCallbackId({ deliveries }: Pick<Webhooks, 'deliveries'>, given: string): Promise<string> {
  return wholeId('callback', given, async (end) => {
    const found = await firstOf(deliveries({ id: end, limit: 100 }), 2)
    // A server of an earlier version does not know the filter.
    return found.map(({ id }) => id).filter((id) => id.endsWith(end))
  })
}
