// A list that is loaded page by page, newest first, and whose newest page is loaded again and again. Pure.
import type { Page } from './api-types.ts'

/**
 * The list after its newest page was loaded again: what is new comes first, and what belongs onto the page but is not
 * there was deleted. Older items stay.
 */
export function withNewest<Item>(list: Page<Item>, newest: Page<Item>, idOf: (item: Item) => string): Page<Item> {
  // A search that ended before it found anything says nothing about what it did not read.
  if (newest.items.length === 0 && newest.nextCursor !== null) return list
  const places = new Map(list.items.map((item, place) => [idOf(item), place]))
  const lastPlace = newest.items.reduce((last, item) => Math.max(last, places.get(idOf(item)) ?? -1), -1)
  const older = newest.nextCursor === null ? [] : list.items.slice(lastPlace + 1)
  // Without a known item, more were created than a page holds. The list starts again: those in between would be missing.
  if (lastPlace === -1 || older.length === 0) return newest
  return { items: [...newest.items, ...older], nextCursor: list.nextCursor }
}
