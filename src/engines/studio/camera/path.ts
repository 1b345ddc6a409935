// Owns how moves are played: where the camera is at each moment of a clip, and which point of the picture each point of
// the frame then shows. How far a move goes is decided in goals.ts. It reads no words and touches no pixels.
//
// A clip begins exactly on its picture. The room that a move needs (the slack of a pan, the corners of a roll, the
// perspective of an orbit, the parallax of relief) is paid for with zoom as it goes on, so that the frame never leaves the
// picture.
// Only a pull-out does, and what is near in an orbit, by a little; the scene then draws its edges together.

import { framesPerSecond } from '../../../video/av/timing.ts'
import { smoothstep } from '../../../video/smoothstep.ts'
import type { Moves } from '../prompt/moves/moves.ts'
import type { Camera } from './camera.ts'
import { type GoalOptions, goalOf, noSlack } from './goals.ts'
import { addedSpeed, carried, type Pose, partNames, rest, type Speed, turnSeconds } from './momentum.ts'
import { createSway, type Sway } from './sway.ts'

export interface PathOptions extends GoalOptions {
  /** Width divided by height of the frame. Left out: a roll zooms in enough for any ratio from 0.4 to 2.5. */
  aspect?: number
  /** What a push-in aims at. */
  target?: { x: number; y: number }
  /** The speed that the camera comes with, where the picture is the last frame of another video. */
  speedBefore?: Speed | null
}

/** How much nearer a side comes at a yaw of 1. */
export const perspective = 0.08

/** Several moves are played one after another. */
export function cameraPath(phases: Moves | Moves[], options: PathOptions): (t: number) => Camera {
  const all = Array.isArray(phases) ? phases : [phases]
  const [first] = all
  if (all.length === 1 && first!.locked) return () => cameraOf(rest, rest, noSway, options)
  // A close shot is reached once: by the first push-in, else at the start.
  const closing = Math.max(
    0,
    all.findIndex(({ zoom }) => zoom > 0),
  )
  const goals = takenBack(
    all.map((moves, i) => goalOf(moves, i === closing ? options : { ...options, closeZoom: null })),
  )
  const handheld = Math.max(...all.map((moves) => moves.handheld))
  const sway = createSway(handheld, {
    ...options,
    gently: !!options.speedBefore,
    leavesPicture: goals.every(({ zoom }) => zoom < 0),
  })
  const planned = goals.length === 1 ? oneMove(goals[0]!, options) : oneAfterAnother(goals)
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
function oneMove(goal: Pose, options: PathOptions): (time: number) => Pose {
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

/** A pull-out after a push-in goes back as far as that went: there is picture around it. */
function takenBack(goals: Pose[]): Pose[] {
  let [zoom, dolly] = [0, 0]
  return goals.map((goal) => {
    const own =
      goal.zoom < 0 ? { ...goal, zoom: Math.min(goal.zoom, -zoom), dolly: Math.min(goal.dolly, -dolly) } : goal
    zoom += own.zoom
    dolly += own.dolly
    return own
  })
}

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
  // What zoom leaves free is used to keep what the camera aims at in view. A pull-out goes back from it, unless there is more
  // picture around: then the camera goes where that is.
  const aimed = (wanted: number, used: number, around: number) => {
    const free = 1 - 1 / travelled - used - sway.offsetReach
    return anchor === 'end' || (free < 0 && around > aroundMin) ? 0 : aimedAt(wanted, free)
  }
  return {
    zoom,
    x: pose.x + sway.x + aimed(target.x, usedX, slack.left + slack.right),
    y: pose.y + sway.y + aimed(target.y, usedY, slack.top + slack.bottom),
    roll: pose.roll + sway.roll,
    yaw: pose.yaw,
    shiftX: pose.shiftX,
    shiftY: pose.shiftY,
    dolly: pose.dolly,
  }
}

/**
 * Parallax is spread over both sides of a steady depth between 0.35 and 0.65; in halves of the width. Only a part of that is
 * paid with zoom; for the rest the scene draws its edges together by a few hundredths, which is not seen. Paid in full, an
 * orbit looked like a push-in; paid by less, its pace changed where an extension begins.
 */
const reliefReach = 2 * 0.65 * 0.6
/** A push-in keeps what it aims at where it is, and beyond that brings it nearer to the middle. */
const aimGain = 1.35
/** The first of what becomes free is used less, so that a camera that turns from pulling out to pushing in has no jolt. */
const aimSoftness = 0.04

/** The furthest from the middle that a pull-out moves away from, as a share of a side: otherwise edges would be stretched. */
const backMax = 0.6
const aroundMin = 0.01

/**
 * How far the camera aims to a side, of what zoom leaves free there. Below 0, as far as it shows more than the picture: it
 * then goes to the other side, so that what it aims at stays in its place and keeps its shape.
 */
export function aimedAt(wanted: number, free: number): number {
  const most = free > 0 ? 1 : backMax
  const share = Math.min(most, Math.max(-most, free > 0 ? wanted * aimGain : wanted))
  return (share * free * Math.abs(free)) / (Math.abs(free) + aimSoftness)
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
/** A pull-out goes a third as far as other moves. If it also slowed down as much at its ends, encoded frames would repeat. */
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
  return smoothstep((t - start) / (end - start))
}
