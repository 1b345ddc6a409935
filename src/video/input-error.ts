// A failure that lies in the given material: trying again with the same files cannot help.

export class MaterialError extends Error {}

/** Runs a reader of client material and names what could not be read. Failures of the machine pass through as they are. */
export async function readingMaterial<T>(what: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    const code = (cause as { code?: unknown }).code
    if (cause instanceof MaterialError || (typeof code === 'string' && code.startsWith('E'))) throw cause
    throw new MaterialError(`${what} cannot be read`, { cause })
  }
}
