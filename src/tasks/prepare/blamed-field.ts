// Which field of a request a value came from, so that a failure can name it. Pure.

/** The path of the first text in `input` that equals `value`, e.g. `tail_image_url` or `elements[0].description`. */
export function blamedField(param: string, value: string): string | null {
  const body = JSON.parse(param) as { input?: unknown; taskId?: unknown }
  const found = pathOf(body.input ?? body, value)
  if (found !== null) return found
  // The first frame of an extension is taken from the task that it extends.
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
