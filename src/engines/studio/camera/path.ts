// Owns how named moves are played: where the camera is at each moment of a clip, and which point of the picture each
// point of the frame then shows. It reads no words and touches no pixels.
//
// The frame never leaves the picture: whatever a move needs in room (a pan its slack, a roll its corners, an orbit its
// perspective) is paid for with zoom before it starts.

import { seededRandom } from '../../../video/random.ts'
import { axes, type Moves } from './grammar.ts'

export interface Camera {
  /** Crop factor, at least 1; at 1 the frame shows the whole picture. */
  zoom: number
  /** Where the crop lies within the slack that zoom leaves: −1 at the left edge, 1 at the right. */
  x: number
  /** −1 at the top edge, 1 at the bottom. */
  y: number
  /** Radians; above 0 the camera turns clockwise, and the picture in it the other way. */
  roll: number
  /** −1 to 1. Above 0 the camera stands to the right, so that the picture's right side is nearer. */
  yaw: number
  /** −1 to 1. Above 0 the camera stands lower, so that the picture's lower side is nearer. */
  pitch: number
}

export interface PathOptions {
  /** 0 to 1; 0.5 plays a named move as usual. */
  guidance: number
  seed: number
  seconds: number
  /** Width by height of the frame. A roll needs less zoom when it is known; without it any from 0.4 to 2.5 is safe. */
  aspect?: number
  /** The clip begins (or ends) exactly on the whole picture. A pull-out cannot begin there, nor a push-in end there. */
  anchor?: 'start' | 'end'
}

/** How much nearer a side comes at a yaw or pitch of 1. */
export const perspective = 0.11

interface Range {
  from: number
  to: number
}

/** Offsets count in halves of the picture's sides, zoom as a logarithm, so that an even pace looks even. */
interface Excursion {
  zoom: Range
  x: Range
  y: Range
  roll: Range
  yaw: Range
}

const handheldReach = { offset: 0.014, roll: 0.005 }

export function cameraPath(moves: Moves, options: PathOptions): (t: number) => Camera {
  if (moves.still) return () => ({ zoom: 1, x: 0, y: 0, roll: 0, yaw: 0, pitch: 0 })
  const played = moves.named ? moves : gentleMoves(moves, options.seed)
  const excursion = anchored(excursionOf(played, strength(played, options)), options.anchor)
  const shake = handheldNoise(moves.handheld, options)
  const aspect = options.aspect ? Math.max(options.aspect, 1 / options.aspect) : 2.5

  return (t) => {
    const progress = ease(t)
    const noise = shake.at(t)
    const along = ({ from, to }: Range) => from + (to - from) * progress
    const x = along(excursion.x) + noise.x
    const y = along(excursion.y) + noise.y
    const roll = along(excursion.roll) + noise.roll
    const yaw = along(excursion.yaw)
    // Zoom follows the room that each part may need, not the noise itself: a shaking camera must not breathe.
    const room = (range: Range) =>
      options.anchor ? Math.abs(along(range)) : Math.max(Math.abs(range.from), Math.abs(range.to))
    const turn = room(excursion.roll) + noise.rollReach
    const corners = Math.cos(turn) + aspect * Math.sin(turn)
    const keystone = 1 / (1 - perspective * room(excursion.yaw))
    const shift = Math.max(room(excursion.x), room(excursion.y)) + noise.offsetReach
    const zoom = ((corners * keystone) / (1 - shift)) * Math.exp(along(excursion.zoom))
    const slack = 1 - 1 / zoom
    const within = (offset: number) => (slack > 1e-12 ? Math.min(1, Math.max(-1, offset / slack)) : 0)
    return { zoom: Math.max(1, zoom), x: within(x), y: within(y), roll, yaw, pitch: 0 }
  }
}

/** The largest crop factor on a path: how much sharper than the frame the picture should be. */
export function maxZoom(path: (t: number) => Camera): number {
  let largest = 1
  for (let i = 0; i <= 256; i++) largest = Math.max(largest, path(i / 256).zoom)
  return largest
}

/** The point of the picture that the frame shows at (u, v). Both run from −1 to 1 over their sides, y downwards. */
export function sourcePoint(camera: Camera, u: number, v: number, aspect: number): { x: number; y: number } {
  const depth = 1 + perspective * (camera.yaw * u + camera.pitch * v)
  const across = (u / depth) * aspect
  const down = v / depth
  const [cos, sin] = [Math.cos(camera.roll), Math.sin(camera.roll)]
  const slack = 1 - 1 / camera.zoom
  return {
    x: (across * cos - down * sin) / aspect / camera.zoom + camera.x * slack,
    y: (across * sin + down * cos) / camera.zoom + camera.y * slack,
  }
}

const ramp = 0.3

/** From 0 to 1 with a soft start and stop and an even pace between. Twice continuously differentiable. */
export function ease(t: number): number {
  const clamped = Math.min(1, Math.max(0, t))
  return clamped < 0.5 ? rampedDistance(clamped) : 1 - rampedDistance(1 - clamped)
}

/** The distance under a speed that rises by 3s² − 2s³ and then stays, scaled so that a whole move covers 1. */
function rampedDistance(t: number): number {
  const s = Math.min(1, t / ramp)
  return (ramp * (s ** 3 - s ** 4 / 2) + Math.max(0, t - ramp)) / (1 - ramp)
}

/** How far a named move goes: further with guidance and speed; in a longer clip further, but slower a second. */
function strength(moves: Moves, options: PathOptions): number {
  const follow = moves.named ? 0.4 + 1.2 * Math.min(1, Math.max(0, options.guidance)) : 1
  const length = Math.min(1.7, Math.max(0.6, Math.sqrt(options.seconds / 5)))
  return follow * length * moves.speed
}

function excursionOf(moves: Moves, scale: number): Excursion {
  const reach = (amount: number, atOne: number, most: number) =>
    Math.sign(amount) * Math.min(most, Math.abs(amount) * scale * atOne)
  const symmetric = (half: number): Range => ({ from: -half, to: half })
  // A move that shares the clip with others gets less of the room, else their zooms would multiply.
  const shared = axes.filter((axis) => moves[axis] !== 0).length > 1 ? 0.75 : 1
  const pushed = reach(moves.zoom, 0.32, 0.55)
  const panned = reach(moves.pan, 0.26 * shared, 0.34 * shared)
  const tilted = reach(moves.tilt, 0.26 * shared, 0.34 * shared)
  const circled = reach(moves.orbit, 1, 1)
  return {
    zoom: pushed >= 0 ? { from: 0, to: pushed } : { from: -pushed, to: 0 },
    x: symmetric(panned || 0.07 * circled),
    y: symmetric(-tilted || 0),
    roll: { from: 0, to: reach(moves.roll, 0.14, 0.2) },
    yaw: symmetric(circled || 0.8 * panned),
  }
}

/** Moves the excursion so that its start or end is the whole picture, and its other end as far away as it allows. */
function anchored(excursion: Excursion, anchor: PathOptions['anchor']): Excursion {
  if (!anchor) return excursion
  const shift = ({ from, to }: Range): Range => {
    const reach = Math.min(0.34, Math.abs(to - from) * 0.75) * Math.sign(to - from)
    return anchor === 'start' ? { from: 0, to: reach } : { from: -reach, to: 0 }
  }
  const turn = ({ from, to }: Range): Range => {
    const reach = Math.min(1, Math.abs(to - from)) * Math.sign(to - from)
    return anchor === 'start' ? { from: 0, to: reach } : { from: -reach, to: 0 }
  }
  const { zoom } = excursion
  const fits = (anchor === 'start' ? zoom.from : zoom.to) === 0
  return {
    zoom: fits ? zoom : { from: 0, to: 0 },
    x: shift(excursion.x),
    y: shift(excursion.y),
    roll: turn(excursion.roll),
    yaw: turn(excursion.yaw),
  }
}

/** For a prompt that names no move: a quiet one by the seed, none of those that were forbidden. */
function gentleMoves(moves: Moves, seed: number): Moves {
  const forbidden = new Set(moves.without ?? [])
  const choices: Partial<Moves>[] = [
    { zoom: 0.5 },
    { zoom: 0.5 },
    { zoom: -0.45 },
    { zoom: 0.35, pan: 0.25 },
    { zoom: 0.35, pan: -0.25 },
    { zoom: 0.35, tilt: 0.2 },
    { pan: 0.4 },
    { pan: -0.4 },
    { orbit: 0.6 },
    { orbit: -0.6 },
  ]
  const allowed = choices.filter((choice) => axes.every((axis) => !choice[axis] || !forbidden.has(axis)))
  const random = seededRandom(seed)
  const choice = allowed[Math.floor(random() * allowed.length)] ?? {}
  return { ...moves, ...choice }
}

interface Shake {
  at(t: number): { x: number; y: number; roll: number; offsetReach: number; rollReach: number }
}

/** A hand's sway: sums of slow sines (0.25 to 1.7 Hz, weaker the faster), so it has no corner at any frame rate. */
function handheldNoise(amount: number, { seed, seconds, anchor }: PathOptions): Shake {
  const offsetReach = handheldReach.offset * amount
  const rollReach = handheldReach.roll * amount
  const random = seededRandom(seed ^ 0x5ba7e)
  const [x, y, roll] = [sway(random), sway(random), sway(random)]
  return {
    at(t) {
      // At an anchored end the hand is quiet for the first (or last) second.
      const fromAnchor = anchor === 'start' ? t : anchor === 'end' ? 1 - t : 1
      const s = anchor ? Math.min(1, (fromAnchor * seconds) / Math.min(1, seconds)) : 1
      const level = s ** 3 * (s * (6 * s - 15) + 10)
      const second = t * seconds
      return {
        x: level * offsetReach * x(second),
        y: level * offsetReach * y(second),
        roll: level * rollReach * roll(second),
        offsetReach: level * offsetReach,
        rollReach: level * rollReach,
      }
    },
  }
}

function sway(random: () => number): (second: number) => number {
  const waves = [0.27, 0.43, 0.71, 1.13, 1.6].map((hertz) => ({
    omega: 2 * Math.PI * hertz * (0.92 + 0.16 * random()),
    phase: 2 * Math.PI * random(),
    weight: hertz ** -0.8,
  }))
  const total = waves.reduce((sum, wave) => sum + wave.weight, 0)
  return (second) =>
    waves.reduce((sum, wave) => sum + wave.weight * Math.sin(wave.omega * second + wave.phase), 0) / total
}
