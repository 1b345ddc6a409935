// What one shot frames of a picture, and how its camera may move over that. Pure.

import type { Area } from '../../../video/picture/output-size.ts'
import type { Slack } from '../camera/goals.ts'
import type { Momentum } from '../camera/momentum.ts'
import { type Aim, aimAt, focusAt, focusOf, shotArea } from '../framing.ts'
import type { RequestPicture } from '../request-picture.ts'
import type { Shot } from './shot-list.ts'

/** `before`: the shot begins in mid-move, so its camera aims where it did, unless the prompt names a place. */
export function framedBy(
  { reading, framing }: Shot,
  { analysis, pixels, area: whole }: RequestPicture,
  before: Momentum | null,
): { area: Area; aim: ShotAim } {
  const { place, close, phases } = reading
  const focus = place ? focusAt(place, analysis, whole, pixels) : analysis && focusOf(analysis, whole, pixels)
  const area = shotArea(whole, framing, focus, pixels)
  // Only a push-in is drawn up by what it must not cut off: a pan would climb.
  const pushes = phases.some(({ zoom }) => zoom > 0)
  const aim = aimAt(focus && !pushes ? { ...focus, top: null } : focus, area, pixels)
  // A shot that begins on the whole picture goes close; later shots are cut close already.
  const isCut = framing.zoom > 1
  const goesClose = (close || place) && !isCut && !phases.some(({ still }) => still)
  // A closer shot has picture around it for its moves, but is not there to travel over all of it.
  const slack = isCut ? atMost(aim.slack, closeSlackMax) : aim.slack
  const { aimX, aimY } = before ?? {}
  const target = aimX === undefined || aimY === undefined || place ? aim.target : { x: aimX, y: aimY }
  // A camera that comes with a speed would stop where it finds a face.
  const keep = before ? null : aim.keep
  return { area, aim: { ...aim, target, slack, keep, closeZoom: goesClose ? aim.closeZoom : null } }
}

type ShotAim = Omit<Aim, 'closeZoom'> & { closeZoom: number | null }

const closeSlackMax = 0.25

function atMost({ left, right, top, bottom }: Slack, most: number): Slack {
  const [a, b, c, d] = [left, right, top, bottom].map((side) => Math.min(side, most))
  return { left: a!, right: b!, top: c!, bottom: d! }
}
