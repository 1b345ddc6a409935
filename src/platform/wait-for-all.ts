// Runs several pieces of work at once, and leaves none of them running when it returns.

/** As `Promise.all`, but also waits for the others when one fails. Throws the first error. */
export async function waitForAll<const T extends readonly unknown[]>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(work)
  return Promise.all(work)
}
