// How an extension plays on: the camera's speed on the last frame of a video, and the turn from that speed into the
// next video's own move. Pure geometry.

import type { Camera } from './camera.ts'
import { breathReach } from './sway.ts'

/** A camera as a sum of moves: zoom is a logarithm, so that an even pace looks even. */
export type Pose = Record<keyof Camera, number>

/** How a pose changes per second, in the measures of the frame that the camera shows at that moment. */
export type Speed = Pose

/** What an extension takes over from the last frame of the video before it, so that everything keeps its pace. */
export interface Momentum extends Speed {
  /**
   * The mean nearness of the frame, less the nearness that stays still in relief. The network often judges the last frame
   * alone as nearer or further away; without this value, everything in it would change its pace.
   */
  near?: number
  /** What the camera aims at, in halves of the frame's sides. */
  aimX?: number
  aimY?: number
  /** The pace at which clouds drift to the left, in widths of the frame per second. */
  wind?: number
}

export const rest: Pose = { zoom: 0, x: 0, y: 0, roll: 0, yaw: 0, shiftX: 0, shiftY: 0, dolly: 0 }
export const partNames = Object.keys(rest) as (keyof Pose)[]

/**
 * The speed of a camera on its last frame; `step` is one frame of the path's 0 to 1, `free` how far it may pull out before
 * it leaves the picture, as a logarithm.
 */
export function speedAtEnd(
  path: (t: number) => Camera,
  { aspect, step, framesPerSecond, free = 0 }: { aspect: number; step: number; framesPerSecond: number; free?: number },
): Speed {
  const [before, end] = [path(1 - step), path(1)]
  const gone = (part: keyof Camera) => (end[part] - before[part]) * framesPerSecond
  const [cos, sin] = [Math.cos(end.roll), Math.sin(end.roll)]
  // What was travelled in the first frame's measures looks larger in a frame that was zoomed into, and turned in a rolled one.
  const seen = (right: number, down: number) => ({
    right: end.zoom * (cos * right + sin * down),
    down: end.zoom * (cos * down - sin * right),
  })
  const travel = seen(gone('x') * aspect, gone('y'))
  const shift = seen(gone('shiftX'), gone('shiftY'))
  // A frame that reaches beyond its picture is squeezed into it, so everything in it moves faster by that factor.
  const together = Math.min(1, end.zoom * Math.exp(free))
  return {
    zoom: (Math.log(end.zoom / before.zoom) * framesPerSecond) / together,
    x: travel.right / aspect,
    y: travel.down,
    roll: gone('roll'),
    yaw: gone('yaw'),
    shiftX: shift.right,
    shiftY: shift.down,
    dolly: gone('dolly'),
  }
}

/** How long a camera takes to turn from the speed it came with into its own move. */
export const turnSeconds = (seconds: number) => Math.min(1.5, seconds / 4)

/** How far a speed that is lost during the turn carries, in seconds of that speed. */
export function carried(second: number, seconds: number): number {
  const turn = turnSeconds(seconds)
  const s = Math.min(1, second / turn)
  return turn * (s - s ** 3 + s ** 4 / 2)
}

/** The furthest that each part is carried beyond the move itself, so that the frame stays in the picture. */
const carriedMax: Pose = {
  zoom: 0.15,
  x: 0.2,
  y: 0.2,
  roll: 0.08,
  yaw: 0.5,
  shiftX: 0.03,
  shiftY: 0.03,
  dolly: 0.08,
}
/** A camera that pulls out is carried less: there is little picture beyond the frame. */
const carriedOutMax = 0.05

/**
 * The speed to add to a move, for as long as `carried` says, so that it starts at the `wanted` speed. `startSpeed` gives the
 * speed of the camera on its first frame with such an addition: zoom pays for the room of the other parts, so no part is
 * independent of the others, and the addition is found by repeated correction.
 */
export function addedSpeed(wanted: Speed, seconds: number, startSpeed: (added: Speed) => Speed): Speed {
  const added = { ...rest }
  const whole = carried(seconds, seconds)
  // Only a camera that came pulling out may leave the picture; others zoom in for the room that they need, except for half
  // the breath of the camera before: their own breath takes the other half.
  const zoomLeast = -(wanted.zoom < 0 ? carriedOutMax : breathReach / 2) / whole
  for (let round = 0; round < 24; round++) {
    const speed = startSpeed(added)
    for (const part of partNames) {
      const most = carriedMax[part] / whole
      const least = part === 'zoom' ? zoomLeast : -most
      added[part] = Math.min(most, Math.max(least, added[part] + 0.7 * (wanted[part] - speed[part])))
    }
  }
  return added
}
