// Where a page of a list is cut.

/** A page is read with one row more than it shows: the extra row means that there is another page. */
export function cutPage<Row extends { id: string }>(
  rows: Row[],
  limit: number,
): { rows: Row[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit)
  return { rows: shown, nextCursor: rows.length > limit ? shown.at(-1)!.id : null }
}

const pageBytesMax = 2 ** 20

/** A page that is cut at 1 MiB; it has at least one item. */
export function boundedPage<Item>(
  items: Item[],
  idOf: (item: Item) => string,
  nextCursor: string | null,
): { items: Item[]; nextCursor: string | null } {
  let bytes = 0
  for (const [index, item] of items.entries()) {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1
    if (bytes > pageBytesMax && index > 0) return { items: items.slice(0, index), nextCursor: idOf(items[index - 1]!) }
  }
  return { items, nextCursor }
}
