// Whom the air spares: faces first, then the people they belong to, then the subject of a picture without people. Pure.

import type { Luma } from '../../../video/picture/luma.ts'
import { smoothstep } from '../../../video/smoothstep.ts'
import type { PictureAnalysis } from '../picture-analysis.ts'

/** What the map says of a face, of the rest of a person, and of a subject that is none. */
const levels = { face: 1, person: 0.6, subject: 0.3 }
/** A head's box is a little smaller than the head. */
const headGrows = 1.25

export function peopleIn({ subject, heads, depth, width, height }: PictureAnalysis): Luma | null {
  if (!subject && heads.length === 0) return null
  const level = heads.length > 0 ? levels.person : levels.subject
  // Where a head has no outline, what is near belongs to it.
  const body = (i: number) => (subject ? subject.mask[i]! / 255 : smoothstep(((depth?.data[i] ?? 0) - 0.5) / 0.2))
  const data = Float32Array.from({ length: width * height }, (_, i) => level * body(i))
  for (const head of heads) {
    const [x, y] = [(head.x + head.width / 2) * width, (head.y + head.height / 2) * height]
    const [reachX, reachY] = [(headGrows * head.width * width) / 2, (headGrows * head.height * height) / 2]
    for (let row = Math.max(0, Math.ceil(y - 1.2 * reachY)); row < Math.min(height, y + 1.2 * reachY); row++) {
      for (
        let column = Math.max(0, Math.ceil(x - 1.2 * reachX));
        column < Math.min(width, x + 1.2 * reachX);
        column++
      ) {
        const away = Math.hypot((column - x) / reachX, (row - y) / reachY)
        const face = levels.face * smoothstep((1.2 - away) / 0.3)
        data[row * width + column] = Math.max(data[row * width + column]!, face)
      }
    }
  }
  return { data, width, height }
}

/** How much shows, at a level of the map, of what is behind people, and of what is in front of all but faces. */
export const behindPeople = (level: number) => 1 - smoothstep(level / 0.5)
export const besideFaces = (level: number) => 1 - smoothstep((level - levels.person) / 0.25)
