// Reads a whole table page by page, so that no statement holds the database for long.

const pageRows = 1000

/** `after` is the last id of the previous page, in the order of the rows. */
export async function* allRows<Row extends { id: string }>(
  readPage: (page: { after: string | undefined; limit: number }) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let page: Row[]
  let after: string | undefined
  do {
    page = await readPage({ after, limit: pageRows })
    yield* page
    after = page.at(-1)?.id
  } while (page.length === pageRows)
}
