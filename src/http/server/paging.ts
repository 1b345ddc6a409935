// Where a page of a list is cut.

/** A page was read with one row more than it shows: the extra row shows that there is another page. */
export function cutPage<Row extends { id: string }>(
  rows: Row[],
  limit: number,
): { rows: Row[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit)
  return { rows: shown, nextCursor: rows.length > limit ? shown.at(-1)!.id : null }
}

/** How many of the items, at least one, fit into so many bytes of JSON. */
export function cutBytes(items: readonly unknown[], bytesMax: number): number {
  let bytes = 0
  for (const [index, item] of items.entries()) {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1
    if (bytes > bytesMax && index > 0) return index
  }
  return items.length
}
