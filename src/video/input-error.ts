// A failure caused by the input files: another attempt with the same files cannot help.

export class InputError extends Error {}

/** Runs a reader of a client's file and names what could not be read. Failures of the machine pass through as they are. */
export async function readingInput<T>(what: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    const code = (cause as { code?: unknown }).code
    if (cause instanceof InputError || (typeof code === 'string' && code.startsWith('E'))) throw cause
    throw new InputError(`${what} cannot be read`, { cause })
  }
}
