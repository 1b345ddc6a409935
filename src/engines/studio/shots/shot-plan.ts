// Owns the cutting of a clip into shots: which part of the prompt each plays, how long, and how closely it is framed.
// It does not read camera moves and knows nothing of elements; a shot's prompt carries both onward.

import { seededRandom } from '../../../video/random.ts'
import { partsOf } from '../prompt/phases.ts'
import { namedSize } from '../prompt/read-prompt.ts'
import type { ShotSize } from '../prompt/words/scene-words.ts'

/** A crop of the picture to work in: x and y from −1 to 1 within the slack that zoom leaves, y downwards. */
export interface Framing {
  x: number
  y: number
  zoom: number
}

export interface FramedShot {
  prompt: string
  seconds: number
  framing: Framing
}

const zooms: { [size in ShotSize]: number } = { wide: 1, medium: 1.25, close: 1.6, detail: 2 }
const shotsMax = 4
const shotSecondsMin = 1
const shotSecondsComfortable = 1.5
/** Three frames at 24 per second: cuts fall on whole frames, and eighths of a second add up without rounding. */
const gridSeconds = 1 / 8

/** Plans 2 to 4 shots (one, where the clip is shorter than two seconds). Their seconds add up exactly. */
export function planShots(prompt: string, seconds: number, seed: number): FramedShot[] {
  const random = seededRandom(seed)
  const room = Math.floor(seconds / shotSecondsMin)
  const most = Math.min(shotsMax, room, Math.max(2, Math.floor(seconds / shotSecondsComfortable)))
  const parts = partsOf(prompt)
  if (parts.length < 2) {
    // One sentence is shown from several sides, the more the longer the clip.
    const count = Math.max(1, Math.min(most, seconds < 6 ? 2 : seconds < 10 ? 3 : random() < 0.5 ? 3 : 4))
    return frameShots(lengths(new Array<string>(count).fill(parts[0] ?? prompt.trim()), seconds, random), seed)
  }
  return frameShots(lengths(merge(parts, Math.max(1, most)), seconds, random), seed)
}

/** Adds a framing to each given shot: the one its words name, else one that differs from its neighbours'. */
export function frameShots(shots: { prompt: string; seconds: number }[], seed: number): FramedShot[] {
  const random = seededRandom(seed ^ 0x51de)
  const named = shots.map((shot) => namedSize(shot.prompt))
  const sizes: ShotSize[] = []
  for (const [i, size] of named.entries()) {
    const neighbours = [sizes[i - 1], named[i + 1]]
    // A lone shot, and the first of several, show where we are.
    const order: ShotSize[] =
      i === 0 ? ['wide', 'medium', 'close'] : random() < 0.5 ? ['medium', 'close', 'wide'] : ['close', 'medium', 'wide']
    sizes.push(size ?? order.find((choice) => !neighbours.includes(choice)) ?? 'medium')
  }
  let side = random() < 0.5 ? -1 : 1
  return shots.map((shot, i) => {
    const size = sizes[i]!
    side = -side
    // Neighbours of one size (both named so) still differ: they look at different sides.
    const repeated = i > 0 && sizes[i - 1] === size
    const sway = size === 'wide' ? 0 : size === 'medium' ? 0.45 : 0.3
    const x = side * (sway + (repeated ? 0.25 : 0)) * (0.8 + 0.4 * random())
    // What matters in most pictures, faces above all, sits a little above the middle.
    const y = size === 'wide' ? 0 : -0.15 - 0.15 * random()
    const zoom = zooms[size] * (repeated && size === 'wide' ? 1.12 : 1)
    return { ...shot, framing: { x: size === 'wide' && !repeated ? 0 : x, y, zoom } }
  })
}

/** Joins neighbouring parts, shortest pair first, until no more than `most` are left. */
function merge(parts: string[], most: number): string[] {
  // Comparing all pairs of thousands of parts would take long; few prompts have so many, and none has time to show them.
  const together = Math.ceil(parts.length / comparedMax)
  const merged = Array.from({ length: Math.ceil(parts.length / together) }, (_, i) =>
    parts.slice(i * together, (i + 1) * together).reduce(join),
  )
  while (merged.length > most) {
    let at = 0
    for (let i = 1; i < merged.length - 1; i++) {
      if (merged[i]!.length + merged[i + 1]!.length < merged[at]!.length + merged[at + 1]!.length) at = i
    }
    merged.splice(at, 2, join(merged[at]!, merged[at + 1]!))
  }
  return merged
}

const comparedMax = 50

function join(first: string, second: string): string {
  return '.!?。！？'.includes(first.at(-1)!) ? `${first} ${second}` : `${first}. ${second}`
}

/** Gives each part its seconds: longer texts a little more, the seed some variety, every shot at least one second. */
function lengths(parts: string[], seconds: number, random: () => number): { prompt: string; seconds: number }[] {
  const weights = parts.map((part) => Math.sqrt(20 + Math.min(200, part.length)) * (0.85 + 0.3 * random()))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const spare = seconds - parts.length * shotSecondsMin
  const shots: { prompt: string; seconds: number }[] = []
  let used = 0
  for (const [i, part] of parts.entries()) {
    const share = shotSecondsMin + Math.floor((spare * weights[i]!) / total / gridSeconds) * gridSeconds
    // The last shot takes what is left, so that nothing is lost to rounding.
    const own = i === parts.length - 1 ? seconds - used : share
    used += own
    shots.push({ prompt: part, seconds: own })
  }
  return shots
}
