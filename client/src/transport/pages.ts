// Paged lists: one page by its cursor, or every item in turn.
import type { Connection } from './connection.ts'

export interface Page<T> {
  items: T[]
  /** For the next page; null on the last. */
  nextCursor: string | null
}

/** `for await (const item of list)` iterates over everything; `list.page(cursor)` reads one page. */
export interface Pages<T> extends AsyncIterable<T> {
  page(cursor?: string | null): Promise<Page<T>>
}

export interface PageOptions {
  /** Items per page: 1 to 100, 20 by default; of keys and accounts 1 to 1000, 1000 by default. */
  limit?: number
  signal?: AbortSignal | undefined
}

/** Makes a list from the function that reads one page. */
export function pagesBy<T>(page: (cursor?: string | null) => Promise<Page<T>>): Pages<T> {
  return {
    page,
    async *[Symbol.asyncIterator]() {
      let cursor: string | null = null
      do {
        const { items, nextCursor }: Page<T> = await page(cursor)
        yield* items
        // Servers of earlier releases have lists without pages.
        cursor = nextCursor ?? null
      } while (cursor !== null)
    },
  }
}

export function pagesOf<T>(
  connection: Connection,
  path: string,
  { signal, ...filter }: PageOptions & { [name: string]: string | number | AbortSignal | undefined },
): Pages<T> {
  const query = filter as Record<string, string | number | undefined>
  return pagesBy((cursor) => connection.call<Page<T>>({ method: 'GET', path, query: { ...query, cursor }, signal }))
}

export async function allOf<T>(pages: Pages<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of pages) all.push(item)
  return all
}
