// How leaves sway and water ripples: the displacement of a place at a moment. Across the join of a video and its extension the
// same waves go on, though the picture there shows them as they were on the last frame. Pure.

import type { Area } from '../../../video/picture/output-size.ts'

/** What moves places, by `amount` at one moment; all in the measures of the waves, displacements in their width. */
export type Wave = (x: number, y: number, second: number, amount: number, to: Float64Array) => void

/** Gusts that run through leaves and grass. */
export const sway: Wave = (x, y, second, amount, to) => {
  const gust = 0.6 + 0.4 * Math.sin(0.9 * second - 5 * x)
  const bend = Math.sin(2.3 * second + 11 * x + 7 * y) + 0.5 * Math.sin(3.7 * second + 23 * x - 9 * y)
  to[0]! += amount * 0.0034 * gust * bend
  to[1]! += amount * 0.0014 * gust * Math.sin(2.9 * second + 15 * y + 6 * x)
}

/** How fast crests come nearer, in radians per second. */
export const crestPace = 2.4

/** Where in its turn, in radians, the long wave at a place is when the waves begin. */
export function crestPhase(x: number, y: number): number {
  return 15 * awayAt(y) + 1.6 * Math.sin(5 * x)
}

/** Seen at a slant, waves crowd together towards the top of the picture. */
const awayAt = (y: number) => 1 / Math.max(0.1, 0.25 + y)

/** Waves that come towards the camera: a swell with short waves on it, large in front and small far away. */
export const ripple: Wave = (x, y, second, amount, to) => {
  const away = awayAt(y)
  const swell = Math.sin(crestPhase(x, y) + crestPace * second)
  const short = Math.sin(41 * away + 3.4 * second + 3 * Math.sin(7 * x + 0.7 * second))
  const cross = Math.sin(17 * x * away - 1.7 * second + 9 * away)
  const size = amount * Math.max(0.2, 0.3 + 0.9 * y)
  to[0]! += size * (0.0044 * cross + 0.0019 * Math.sin(31 * x * away + 2.6 * second))
  to[1]! += size * (0.0078 * swell + 0.0027 * short)
}

/** Where the waves of a video lie: a part of its picture as a part of their measures, 0 to 1 in the first video. */
export type WavePlace = Area

export const firstWaves: WavePlace = { x: 0, y: 0, width: 1, height: 1 }

/** The place of the waves for a part of the picture, given that for an area of it. */
export function wavesOf(part: Area, area: Area, waves: WavePlace): WavePlace {
  return {
    x: waves.x + (waves.width * (part.x - area.x)) / area.width,
    y: waves.y + (waves.height * (part.y - area.y)) / area.height,
    width: (waves.width * part.width) / area.width,
    height: (waves.height * part.height) / area.height,
  }
}

/** Moves a place of the picture (in shares of its sides) by `to`, in shares of its width. */
export type Displacement = (x: number, y: number, to: Float64Array) => void

/**
 * What is left of a displacement for a picture that shows another one already: the place that it takes its pixel from is
 * looked for in that picture. `aspect` is the picture's width by its height.
 */
export function after(shown: Displacement, now: Displacement, aspect: number): Displacement {
  const [wanted, own] = [new Float64Array(2), new Float64Array(2)]
  return (x, y, to) => {
    now(x, y, wanted)
    to.fill(0)
    // Most places are beyond the region, and rest.
    if (wanted[0] === 0 && wanted[1] === 0) return
    let [fromX, fromY] = [0, 0]
    for (let step = 0; step < 3; step++) {
      shown(x + fromX, y + fromY * aspect, own)
      fromX = wanted[0]! - own[0]!
      fromY = wanted[1]! - own[1]!
    }
    to[0] = fromX
    to[1] = fromY
  }
}
