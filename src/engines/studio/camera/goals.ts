// Owns how far each move goes: where the camera is at its end, given the room that the picture leaves. How it gets there
// is in path.ts.
import { seededRandom } from '../../../video/random.ts'
import { axes, type Moves } from '../prompt/moves/moves.ts'
import type { Pose } from './momentum.ts'

export interface GoalOptions {
  /** 0 to 1; 0.5 plays a named move as usual. */
  guidance: number
  seed: number
  seconds: number
  /** Which end of the clip is exactly the picture; the start where not given. */
  anchor?: 'start' | 'end'
  /** How much more picture there is beyond each edge of the first frame. */
  slack?: Slack
  /** What pans and tilts may not leave, in halves of the frame's sides. */
  keep?: { left: number; top: number; right: number; bottom: number } | null
  /** Another take of the same move: it goes a little further or less far. Left out: as far as usual. */
  take?: number | undefined
  /** The largest zoom that still shows what must stay whole. */
  zoomMax?: number
  /** The zoom that a named close shot should reach. */
  closeZoom?: number | null
}

export interface Slack {
  left: number
  right: number
  top: number
  bottom: number
}

export const noSlack: Slack = { left: 0, right: 0, top: 0, bottom: 0 }

/** How far a pull-out goes when there is no more picture around it, as the logarithm of its zoom. */
const pullMax = 0.15
/** How far a pan or tilt goes at least: a face that fills the frame loses some of its hair or collar. */
const travelMin = 0.03
const parallaxFrom = 0.06
/** How far near things are left behind by an orbit, in widths of the frame. */
const orbitParallax = 0.1
/** How far other moves go beside a pull-out. */
const besidePull = 0.25

/** Where the wanted moves lead; when the prompt names none, where a quiet move leads. */
export function goalOf(wanted: Moves, options: GoalOptions): Pose {
  const moves = wanted.named ? wanted : gentleMoves(wanted, options)
  const scale = strength(moves, options)
  const { slack = noSlack, anchor, zoomMax = Number.POSITIVE_INFINITY, closeZoom, keep } = options
  const direction = anchor === 'end' ? -1 : 1
  const reach = (amount: number, atOne: number, most: number) =>
    Math.sign(amount) * Math.min(most, Math.abs(amount) * scale * atOne)
  let pushed = reach(moves.zoom, 0.3, 0.5)
  if (closeZoom && moves.zoom >= 0) pushed = Math.max(pushed, Math.log(closeZoom))
  if (pushed > 0) pushed = Math.min(pushed, Math.log(Math.max(1.04, zoomMax)))
  let near = reach(moves.zoom, 0.13, 0.17)
  // A move that shares the clip with others gets less of the room, else their zooms would multiply.
  const alone = axes.filter((axis) => moves[axis] !== 0).length === 1
  let shared = alone ? 1 : 0.75
  if (pushed < 0) {
    // Where there is more picture around, the camera stays in it.
    const free = freeZoom(slack)
    const wanted = -pushed * 0.75
    pushed = -Math.min(wanted, free > pullMax / 3 ? free : pullMax)
    // Moves beside a pull-out are cut short by the same factor, and further by `besidePull`: the zoom that pays for their room
    // would turn it into a push-in.
    shared = (besidePull * -pushed) / wanted
    // No more parallax than the zoom stands for: the room that it needs would undo the move, and what is far would grow.
    near = Math.max(near, 0.46 * pushed)
  }
  // A clip that ends on the whole picture cannot push in: it starts slightly nearer and settles instead.
  if (anchor === 'end' && pushed !== 0) pushed = Math.min(0.12, Math.abs(pushed) * 0.4)
  const side = (amount: number, [before, after]: [number, number], [first, last]: [number, number] = [1, -1]) => {
    const [free, edge] = amount * direction > 0 ? [after, 1 + first] : [before, 1 - last]
    // The zoom that pays for a move brings the other edge in as far again.
    const most = Math.min(0.32 * shared, Math.max(travelMin, edge / 2))
    const own = reach(amount, 0.24 * shared, most)
    return Math.abs(own) >= free ? own : Math.sign(amount) * Math.min(free, Math.abs(reach(amount, 1.1, 1.8)))
  }
  const panned = side(moves.pan, [slack.left, slack.right], keep ? [keep.left, keep.right] : undefined)
  const tilted = side(-moves.tilt, [slack.top, slack.bottom], keep ? [keep.top, keep.bottom] : undefined)
  const beside = pushed < 0 ? shared : 1
  // Parallax needs room as well: a travel that stops short for a face has less of it.
  const parallax = (travelled: number) => beside * Math.min(1, Math.abs(travelled) / parallaxFrom)
  const circled = beside * reach(moves.orbit, 1, 1.2)
  const vertigo = reach(moves.dollyZoom ?? 0, 0.3, 0.34)
  return {
    zoom: pushed + 0.12 * Math.abs(vertigo),
    x: direction * (panned || 0.02 * circled || intoPicture(pushed, slack.left, slack.right)),
    y: direction * (tilted || intoPicture(pushed, slack.top, slack.bottom)),
    roll: direction * beside * (alone ? reach(moves.roll, 0.26, 0.18) : reach(moves.roll, 0.24, 0.13)),
    yaw: direction * (circled || 0.35 * Math.min(1, Math.max(-1, panned))),
    shiftX: direction * (orbitParallax * circled || parallax(panned) * reach(moves.pan, 0.05, 0.055)),
    shiftY: direction * parallax(tilted) * reach(-moves.tilt, 0.036, 0.042),
    dolly: direction * (near - vertigo),
  }
}

/** How far a named move goes: further with guidance and speed; in a longer clip further, but slower per second. */
function strength(moves: Moves, options: GoalOptions): number {
  const follow = moves.named ? 0.4 + 1.2 * Math.min(1, Math.max(0, options.guidance)) : 1
  const length = Math.min(1.7, Math.max(0.6, Math.sqrt(options.seconds / 5)))
  const varied = options.take === undefined ? 1 : 1 + takeReach * (2 * seededRandom(options.take)() - 1)
  return follow * length * moves.speed * varied
}

/** How much further or less far a take goes. */
const takeReach = 0.15

/** How far a pull-out may go before it leaves the picture, as a logarithm. */
export function freeZoom({ left, right, top, bottom }: Slack): number {
  return Math.log(1 + Math.min(left + right, top + bottom) / 2)
}

/** How far a pull-out goes aside, to where there is picture for it. */
function intoPicture(zoom: number, before: number, after: number): number {
  const more = Math.exp(-zoom) - 1
  // Without enough of it on both sides together, the camera leaves the picture as if there were none.
  if (more <= 0 || before + after < 2 * more - 1e-9) return 0
  return Math.min(Math.max(0, more - before), after - more)
}

/** How much of the picture a crop must lose beyond an edge to be moved over. */
const croppedMin = 0.3

/** For a prompt that names no move: a quiet one, chosen by the seed, that was not forbidden. */
function gentleMoves(moves: Moves, { seed, slack = noSlack }: GoalOptions): Moves {
  const forbidden = new Set(moves.without ?? [])
  // Where a crop loses much of the picture, the camera moves over what would be lost.
  const overCropped: Partial<Moves>[] = []
  const [across, down] = [Math.max(slack.left, slack.right), Math.max(slack.top, slack.bottom)]
  // What is around the last frame of a push-in, on all sides, was left on purpose.
  if (across - down > croppedMin) overCropped.push({ pan: slack.right > slack.left ? 0.75 : -0.75 })
  if (down - across > croppedMin) overCropped.push({ tilt: slack.top > slack.bottom ? 0.75 : -0.75 })
  const usual: Partial<Moves>[] = [
    { zoom: 0.5 },
    { zoom: 0.5, orbit: 0.15 },
    { zoom: 0.4, pan: 0.25 },
    { zoom: 0.4, pan: -0.25 },
    { zoom: 0.4, tilt: 0.2 },
    { pan: 0.4 },
    { pan: -0.4 },
    { orbit: 0.35 },
    { orbit: -0.35 },
  ]
  const allows = (choice: Partial<Moves>) => axes.every((axis) => !choice[axis] || !forbidden.has(axis))
  const choices = overCropped.some(allows) ? overCropped.filter(allows) : usual.filter(allows)
  const random = seededRandom(seed)
  const choice = choices[Math.floor(random() * choices.length)] ?? {}
  return { ...moves, ...(moves.still ? {} : choice) }
}
