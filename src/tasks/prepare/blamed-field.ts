// Finds the field of a request that a value came from, so that a failure can name it. Pure.
import type { InputUse } from '../../media/inspect-input.ts'

/** Where a text or a URL stands in a request: the name of its field, and the object that has it. */
interface Place {
  field: string
  owner: Record<string, unknown>
}

const textFields = ['prompt', 'description']
const frameFields = ['image_url', 'image_urls', 'tail_image_url']

/** The path of the prompt or description that equals `text`, e.g. `elements[0].description`. */
export const fieldOfText = (param: string, text: string) =>
  blamedField(param, text, ({ field }) => textFields.includes(field))

/** The path of a URL that is used in this way, e.g. `tail_image_url`. Other fields may have the same URL, and other rules. */
export const fieldOfUrl = (param: string, url: string, use: InputUse) =>
  blamedField(param, url, ({ field, owner }) => {
    if (use.kind === 'frame') return frameFields.includes(field)
    if (use.kind === 'element_audio') return field === 'element_input_audio_urls'
    const sameWindow = (owner.start_time || 0) === use.startMs && (owner.end_time || null) === use.endMs
    return field === 'element_input_urls' && sameWindow
  })

/** A model may have fields of its own: where none of the usual ones has the value, it is the first that does. */
function blamedField(param: string, value: string, fits: (place: Place) => boolean): string | null {
  const body = JSON.parse(param) as { input?: unknown; taskId?: unknown }
  const input = body.input ?? body
  const found = pathOf(input, value, fits) ?? pathOf(input, value, () => true)
  if (found !== null) return found
  // The first frame of an extension comes from the extended task.
  return typeof body.taskId === 'string' ? 'taskId' : null
}

function pathOf(node: unknown, value: string, fits: (place: Place) => boolean, list?: Place): string | null {
  if (typeof node !== 'object' || node === null) return null
  for (const [key, child] of Object.entries(node)) {
    const name = Array.isArray(node) ? `[${key}]` : key
    const place = Array.isArray(node) && list ? list : { field: key, owner: node as Record<string, unknown> }
    if (child === value && fits(place)) return name
    const below = pathOf(child, value, fits, place)
    if (below !== null) return below.startsWith('[') ? name + below : `${name}.${below}`
  }
  return null
}
