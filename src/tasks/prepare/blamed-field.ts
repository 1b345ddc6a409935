// Finds the field of a request that a value came from, so that a failure can name it. Pure.

/** The path of the first string in `input` that equals `value`, e.g. `tail_image_url` or `elements[0].description`. */
export function blamedField(param: string, value: string): string | null {
  const body = JSON.parse(param) as { input?: unknown; taskId?: unknown }
  const found = pathOf(body.input ?? body, value)
  if (found !== null) return found
  // The first frame of an extension comes from the extended task.
  return typeof body.taskId === 'string' ? 'taskId' : null
}

function pathOf(node: unknown, value: string): string | null {
  if (typeof node !== 'object' || node === null) return null
  for (const [key, child] of Object.entries(node)) {
    const name = Array.isArray(node) ? `[${key}]` : key
    if (child === value) return name
    const below = pathOf(child, value)
    if (below !== null) return below.startsWith('[') ? name + below : `${name}.${below}`
  }
  return null
}
