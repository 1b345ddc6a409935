// Owns how named moves are played: where the camera is at each moment of a clip, and which point of the picture each
// point of the frame then shows. It reads no words and touches no pixels.
//
// A clip begins exactly on its picture. Whatever a move needs in room (a pan its slack, a roll its corners, an orbit its
// perspective, relief its parallax) is paid for with zoom as the move goes on, so that the frame never leaves the picture.
// Only a pull-out does, by a little; the scene then draws its edges together.

import { framesPerSecond } from '../../../video/av/timing.ts'
import { seededRandom } from '../../../video/random.ts'
import type { Camera } from './camera.ts'
import { axes, type Moves } from './grammar.ts'
import { addedSpeed, carried, type Pose, partNames, rest, type Speed, turnSeconds } from './momentum.ts'
import { createSway, type Sway } from './sway.ts'

export interface PathOptions {
  /** 0 to 1; 0.5 plays a named move as usual. */
  guidance: number
  seed: number
  seconds: number
  /** Width by height of the frame. A roll needs less zoom when it is known; without it any from 0.4 to 2.5 is safe. */
  aspect?: number
  /** Which end of the clip is exactly the picture; the start where not given. */
  anchor?: 'start' | 'end'
  /** How much more picture there is beyond each edge of the first frame. */
  slack?: Slack
  /** What a push-in aims at. */
  target?: { x: number; y: number }
  /** The largest zoom that still shows what must stay whole. */
  zoomMax?: number
  /** The zoom that a named close shot should reach. */
  closeZoom?: number | null
  /** The speed that the camera comes with, where the picture is the last frame of another video. */
  speedBefore?: Speed | null
}

export interface Slack {
  left: number
  right: number
  top: number
  bottom: number
}

const noSlack: Slack = { left: 0, right: 0, top: 0, bottom: 0 }

/** How much nearer a side comes at a yaw of 1. */
export const perspective = 0.045

/** How far a pull-out goes that has no more picture around it, as a logarithm of its zoom. */
const pullMax = 0.11

/** Several moves are played one after another. */
export function cameraPath(phases: Moves | Moves[], options: PathOptions): (t: number) => Camera {
  const all = Array.isArray(phases) ? phases : [phases]
  const [first] = all
  if (all.length === 1 && first!.locked) return () => cameraOf(rest, rest, noSway, options)
  const goals = all.map((moves) => {
    const played = moves.named ? moves : gentleMoves(moves, options)
    return goalOf(played, strength(played, options), options)
  })
  const handheld = Math.max(...all.map((moves) => moves.handheld))
  const sway = createSway(handheld, {
    ...options,
    gently: !!options.speedBefore,
    leavesPicture: goals.every(({ zoom }) => zoom < 0),
  })
  const planned = goals.length === 1 ? alone(goals[0]!, options) : oneAfterAnother(goals)
  const at = (t: number, added: Speed) => {
    const pose = planned(options.anchor === 'end' ? 1 - t : t)
    const room = absolute(pose)
    const carry = carried(t * options.seconds, options.seconds)
    // Room for both, also where they go opposite ways: the zoom would turn back with a jolt where they meet.
    for (const part of partNames) {
      pose[part] += added[part] * carry
      room[part] += Math.abs(added[part]) * carry
    }
    return cameraOf(pose, room, sway(t), options)
  }
  const { speedBefore, seconds } = options
  const added = speedBefore ? addedSpeed(speedBefore, seconds, (own) => startSpeed((t) => at(t, own), seconds)) : rest
  return (t) => at(t, added)
}

function absolute(pose: Pose): Pose {
  const room = { ...rest }
  for (const part of partNames) room[part] = Math.abs(pose[part])
  return room
}

/** The speed from the first frame, which is at rest, to the second. */
function startSpeed(path: (t: number) => Camera, seconds: number): Speed {
  const moved = path(frameStep(seconds))
  const speed = { ...rest }
  for (const part of partNames) {
    speed[part] = (part === 'zoom' ? Math.log(moved.zoom) : moved[part]) * framesPerSecond
  }
  return speed
}

/** One frame of a path's 0 to 1. */
export const frameStep = (seconds: number) => 1 / Math.max(1, Math.round(seconds * framesPerSecond) - 1)

/** One move for the whole clip. */
function alone(goal: Pose, options: PathOptions): (time: number) => Pose {
  // Travel counts in the first frame's measures. The nearer the camera comes, the larger it looks, so it goes slower.
  const nearer = Math.log(cameraOf(goal, absolute(goal), noSway, options).zoom)
  const travelled = (eased: number) =>
    Math.abs(nearer) < 1e-6 ? eased : Math.expm1(-nearer * eased) / Math.expm1(-nearer)
  const { speedBefore, seconds } = options
  const fall = goal.zoom < 0 ? pullRamp : usualRamp
  const rise = speedBefore ? { ramp: turnSeconds(seconds) / seconds, from: 0 } : fall
  return (time) => {
    const eased = ease(time, rise, fall)
    const pose = { ...rest }
    for (const part of partNames) pose[part] = goal[part] * (travels.has(part) ? travelled(eased) : eased)
    return pose
  }
}

const travels = new Set<keyof Pose>(['x', 'y', 'shiftX', 'shiftY'])

function oneAfterAnother(goals: Pose[]): (time: number) => Pose {
  return (time) => {
    const pose = { ...rest }
    for (const [i, goal] of goals.entries()) {
      const progress = phaseProgress(time, i, goals.length)
      for (const part of partNames) pose[part] += goal[part] * progress
    }
    return pose
  }
}

const noSway: Sway = { x: 0, y: 0, roll: 0, offsetReach: 0, rollReach: 0 }

/** The camera in a pose, zoomed in far enough to stay in the picture. `room` is how far each part of the pose may reach. */
function cameraOf(pose: Pose, room: Pose, sway: Sway, options: PathOptions): Camera {
  const { slack = noSlack, target = { x: 0, y: 0 }, anchor } = options
  const aspect = options.aspect ?? 16 / 9
  const longer = options.aspect ? Math.max(aspect, 1 / aspect) : 2.5
  // Zoom follows the room that each part may need, not the sway itself: a shaking camera must not breathe.
  // Even growth is a little more than the corners of a large roll need, but has the same pace on the last frame as on the
  // first, so that an extension rolls on.
  const swayed = Math.cos(sway.rollReach) + longer * Math.sin(sway.rollReach)
  const corners = swayed * Math.exp(longer * room.roll)
  const keystone = 1 / (1 - perspective * room.yaw)
  const beyond = (offset: number, before: number, after: number) =>
    Math.max(0, offset > 0 ? offset - after : -offset - before)
  const besideX = room.x - Math.abs(pose.x)
  const besideY = room.y - Math.abs(pose.y)
  const usedX = beyond(pose.x, slack.left, slack.right) + besideX + room.shiftX * reliefReach
  const usedY = beyond(pose.y, slack.top, slack.bottom) + besideY + room.shiftY * reliefReach * aspect
  const deeper = 1 - 0.5 * room.dolly
  // A little more than the larger of both, so that the zoom goes on evenly where one overtakes the other.
  const used = (usedX ** 4 + usedY ** 4) ** 0.25
  const travelled = Math.exp(pose.zoom) / (1 - used - sway.offsetReach)
  const zoom = (travelled * corners * keystone) / deeper
  // What zoom leaves free is used to keep what the camera aims at in view.
  const aimed = (wanted: number, used: number) =>
    anchor === 'end' ? 0 : aimedAt(wanted, 1 - 1 / travelled - used - sway.offsetReach)
  return {
    zoom,
    x: pose.x + sway.x + aimed(target.x, usedX),
    y: pose.y + sway.y + aimed(target.y, usedY),
    roll: pose.roll + sway.roll,
    yaw: pose.yaw,
    shiftX: pose.shiftX,
    shiftY: pose.shiftY,
    dolly: pose.dolly,
  }
}

/** Parallax is spread over both sides of a steady depth between 0.35 and 0.65; in halves of the width. */
const reliefReach = 2 * 0.65
/** A push-in keeps what it aims at where it is, and beyond that brings it nearer to the middle. */
const aimGain = 1.35
/** The first of what becomes free is used less, so that a camera that turns from pulling out to pushing in has no jolt. */
const aimSoftness = 0.04

/** How far the camera aims to a side, of what zoom leaves free there; below 0 nothing is. */
export function aimedAt(wanted: number, free: number): number {
  const share = Math.min(1, Math.max(-1, wanted * aimGain))
  return free > 0 ? (share * free ** 2) / (free + aimSoftness) : 0
}

/** The largest crop factor on a path: how much sharper than the frame the picture should be. */
export function maxZoom(path: (t: number) => Camera): number {
  let largest = 1
  for (let i = 0; i <= 256; i++) largest = Math.max(largest, path(i / 256).zoom)
  return largest
}

/** The point of the picture that the frame shows at (u, v) without relief. Both run from −1 to 1, y downwards. */
export function sourcePoint(camera: Camera, u: number, v: number, aspect: number): { x: number; y: number } {
  const depth = 1 + perspective * camera.yaw * u
  const across = (u / depth) * aspect
  const down = v / depth
  const [cos, sin] = [Math.cos(camera.roll), Math.sin(camera.roll)]
  return {
    x: (across * cos - down * sin) / aspect / camera.zoom + camera.x,
    y: (across * sin + down * cos) / camera.zoom + camera.y,
  }
}

/** A clip is part of a longer move: it begins and ends at this share of its cruising speed, so that extensions play on. */
const speedAtEnds = 0.35
const ramp = 0.25

/** A camera that carries a speed of its own begins its move from none. */
interface Rise {
  ramp: number
  from: number
}

const usualRamp: Rise = { ramp, from: speedAtEnds }
/** A pull-out goes a third as far as other moves: as slow at its ends, frames would be equal there once encoded. */
const pullRamp: Rise = { ramp, from: 0.75 }

/**
 * From 0 to 1, starting and stopping at part of its speed, with an even pace between. That pace is the same for another
 * rise, which then ends short of 1 by what the carried speed makes up for.
 */
export function ease(t: number, rise = usualRamp, fall = usualRamp): number {
  const clamped = Math.min(1, Math.max(0, t))
  const half = risen(0.5, fall)
  const gone = clamped < 0.5 ? risen(clamped, rise) : risen(0.5, rise) + half - risen(1 - clamped, fall)
  return gone / (2 * half)
}

/** The distance under a speed that rises to 1 by 3s² − 2s³ and then stays. */
function risen(t: number, { ramp, from }: Rise): number {
  const s = Math.min(1, t / ramp)
  return from * t + (1 - from) * (ramp * (s ** 3 - s ** 4 / 2) + Math.max(0, t - ramp))
}

/** How far phases reach into their neighbours' time, as a share of their own: the camera never stops between two. */
const phaseOverlap = 0.2

function phaseProgress(t: number, index: number, count: number): number {
  const overlap = phaseOverlap / count
  const start = index === 0 ? 0 : index / count - overlap
  const end = index === count - 1 ? 1 : (index + 1) / count + overlap
  const s = Math.min(1, Math.max(0, (t - start) / (end - start)))
  return s * s * (3 - 2 * s)
}

/** How far a named move goes: further with guidance and speed; in a longer clip further, but slower per second. */
function strength(moves: Moves, options: PathOptions): number {
  const follow = moves.named ? 0.4 + 1.2 * Math.min(1, Math.max(0, options.guidance)) : 1
  const length = Math.min(1.7, Math.max(0.6, Math.sqrt(options.seconds / 5)))
  return follow * length * moves.speed
}

/** Where a move leads. */
function goalOf(moves: Moves, scale: number, options: PathOptions): Pose {
  const { slack = noSlack, anchor, zoomMax = Number.POSITIVE_INFINITY, closeZoom } = options
  const direction = anchor === 'end' ? -1 : 1
  const reach = (amount: number, atOne: number, most: number) =>
    Math.sign(amount) * Math.min(most, Math.abs(amount) * scale * atOne)
  // A move that shares the clip with others gets less of the room, else their zooms would multiply.
  const shared = axes.filter((axis) => moves[axis] !== 0).length > 1 ? 0.75 : 1
  const side = (amount: number, before: number, after: number) => {
    const own = reach(amount, 0.24 * shared, 0.32 * shared)
    const free = amount * direction > 0 ? after : before
    return Math.abs(own) >= free ? own : Math.sign(amount) * Math.min(free, Math.abs(reach(amount, 1.1, 1.8)))
  }
  let pushed = reach(moves.zoom, 0.3, 0.5)
  if (closeZoom && moves.zoom >= 0) pushed = Math.max(pushed, Math.log(closeZoom))
  if (pushed > 0) pushed = Math.min(pushed, Math.log(Math.max(1.04, zoomMax)))
  let near = reach(moves.zoom, 0.13, 0.17)
  if (pushed < 0) {
    pushed = -Math.min(-pushed * 0.6, Math.max(pullMax, freeZoom(slack)))
    // No more parallax than the zoom stands for: the room that it needs would undo the move, and what is far would grow.
    near = Math.max(near, 0.46 * pushed)
  }
  // Nothing can be pushed in that ends on the whole picture: it settles from slightly nearer instead.
  if (anchor === 'end' && pushed !== 0) pushed = Math.min(0.12, Math.abs(pushed) * 0.4)
  const panned = side(moves.pan, slack.left, slack.right)
  const tilted = side(-moves.tilt, slack.top, slack.bottom)
  const circled = reach(moves.orbit, 1, 1.2)
  const vertigo = reach(moves.dollyZoom ?? 0, 0.3, 0.34)
  return {
    zoom: pushed + 0.12 * Math.abs(vertigo),
    x: direction * (panned || 0.05 * circled),
    y: direction * (tilted || 0),
    roll: direction * reach(moves.roll, 0.14, 0.2),
    yaw: direction * (circled || 0.35 * Math.min(1, Math.max(-1, panned))),
    shiftX: direction * (0.058 * circled || reach(moves.pan, 0.05, 0.055)),
    shiftY: direction * reach(-moves.tilt, 0.036, 0.042),
    dolly: direction * (near - vertigo),
  }
}

/** How far a pull-out may go before it leaves the picture, as a logarithm. */
function freeZoom({ left, right, top, bottom }: Slack): number {
  return Math.log(1 + Math.min(left, right, top, bottom))
}

/** For a prompt that names no move: a quiet one by the seed, none of those that were forbidden. */
function gentleMoves(moves: Moves, { seed, slack = noSlack }: PathOptions): Moves {
  const forbidden = new Set(moves.without ?? [])
  // A crop that loses much of the picture is panned over what it would lose.
  const lost: Partial<Moves>[] = []
  if (Math.max(slack.left, slack.right) > lostMin) lost.push({ pan: slack.right > slack.left ? 0.75 : -0.75 })
  if (Math.max(slack.top, slack.bottom) > lostMin) lost.push({ tilt: slack.top > slack.bottom ? 0.75 : -0.75 })
  const usual: Partial<Moves>[] = [
    { zoom: 0.5 },
    { zoom: 0.5, orbit: 0.25 },
    { zoom: 0.4, pan: 0.25 },
    { zoom: 0.4, pan: -0.25 },
    { zoom: 0.4, tilt: 0.2 },
    { pan: 0.4 },
    { pan: -0.4 },
    { orbit: 0.6 },
    { orbit: -0.6 },
  ]
  const allows = (choice: Partial<Moves>) => axes.every((axis) => !choice[axis] || !forbidden.has(axis))
  const choices = lost.some(allows) ? lost.filter(allows) : usual.filter(allows)
  const random = seededRandom(seed)
  const choice = choices[Math.floor(random() * choices.length)] ?? {}
  return { ...moves, ...(moves.still ? {} : choice) }
}

const lostMin = 0.3
