// What one shot frames of a picture, and how its camera may move over that. Pure.

import type { Area } from '../../../video/picture/output-size.ts'
import type { Slack } from '../camera/goals.ts'
import { type Aim, aimAt, focusAt, focusOf, shotArea } from '../framing.ts'
import type { Still } from '../still.ts'
import type { Shot } from './shot-list.ts'

export function framedBy(
  { reading, framing }: Shot,
  { sight, pixels, area: whole }: Still,
): { area: Area; aim: ShotAim } {
  const { place, close, phases } = reading
  const focus = place ? focusAt(place, sight, whole, pixels) : sight && focusOf(sight, whole, pixels)
  const area = shotArea(whole, framing, focus, pixels)
  const aim = aimAt(focus, area, pixels)
  // A shot that begins on the whole picture goes close; later shots are cut close already.
  const isCut = framing.zoom > 1
  const goesClose = (close || place) && !isCut && !phases.some(({ still }) => still)
  // A closer shot has picture around it for its moves, but is not there to travel over all of it.
  const slack = isCut ? atMost(aim.slack, closeSlackMax) : aim.slack
  return { area, aim: { ...aim, slack, closeZoom: goesClose ? aim.closeZoom : null } }
}

type ShotAim = Omit<Aim, 'closeZoom'> & { closeZoom: number | null }

const closeSlackMax = 0.25

function atMost({ left, right, top, bottom }: Slack, most: number): Slack {
  const [a, b, c, d] = [left, right, top, bottom].map((side) => Math.min(side, most))
  return { left: a!, right: b!, top: c!, bottom: d! }
}
