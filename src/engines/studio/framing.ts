// Decides what a shot frames because of what the picture shows: heads stay whole, pushes aim at faces, else at the subject,
// else at what is near. Pure functions of areas.

import type { Luma } from '../../video/picture/luma.ts'
import { type Area, attentionOf, coverArea, type Size } from '../../video/picture/output-size.ts'
import type { Slack } from './camera/goals.ts'
import { aimedAt } from './camera/path.ts'
import type { Bounds } from './camera/view.ts'
import type { PictureAnalysis } from './picture-analysis.ts'
import type { Place } from './prompt/moves/place.ts'
import type { Framing } from './shots/shot-plan.ts'

/** What a shot must keep whole and aim at, in shares of the picture. */
interface Focus {
  /** The heads together, or the marks of a flat graphic; null where there is none. */
  heads: Area | null
  /** Whether they are marks: a camera may cut off the hair of a head, but nothing of a text. */
  flat?: boolean
  /** What a push-in aims at. */
  point: { x: number; y: number }
  /** The upper edge of the subject, else of what stands against the sky: peaks are not cut off. Null where unknown. */
  top: number | null
}

/** What a shot of an area of the picture is about: of what the area does not show, nothing counts. */
export function focusOf(analysis: PictureAnalysis, area: Area, picture: Size): Focus {
  if (analysis.marks) return { heads: analysis.marks, flat: true, point: middleOf(analysis.marks), top: null }
  const left = area.x / picture.width
  const top = area.y / picture.height
  const within = { x: left, y: top, width: area.width / picture.width, height: area.height / picture.height }
  const shown = ({ x, y, width, height }: Area) => {
    const [across, down] = [(x + width / 2 - left) / within.width, (y + height / 2 - top) / within.height]
    return across > 0 && across < 1 && down > 0 && down < 1
  }
  const heads = headsOf(analysis.heads.filter(shown))
  if (heads) return { heads, point: { x: heads.x + heads.width / 2, y: heads.y + heads.height * eyeLevel }, top: null }
  const bounds = analysis.subject?.bounds
  // The upper part of a tall subject: that is where it looks from.
  if (bounds && shown(bounds))
    return { heads, point: { x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height * 0.42 }, top: bounds.y }
  return { heads, point: nearCentre(analysis, within), top: analysis.sky && skylineOf(analysis.sky) }
}

/**
 * What a push-in to a place of the area is about: the heads there, else the subject if it is there, else the place itself. It
 * may leave everything else out of view.
 */
export function focusAt(place: Place, analysis: PictureAnalysis | null, area: Area, picture: Size): Focus {
  const across = (share: number) => ((share * picture.width - area.x) / area.width) * 2 - 1
  const down = (share: number) => ((share * picture.height - area.y) / area.height) * 2 - 1
  const isThere = ({ x, y, width, height }: Area) =>
    isBeside(across(x + width / 2), place.x) && isBeside(down(y + height / 2), place.y)
  const subject = analysis?.subject && isThere(analysis.subject.bounds) ? analysis.subject : null
  const there = analysis && { ...analysis, heads: analysis.heads.filter(isThere), subject }
  if (there && (there.heads.length > 0 || subject)) return focusOf(there, area, picture)
  const x = area.x + (area.width * (1 + placeReach * (place.x ?? 0))) / 2
  const y = area.y + (area.height * (1 + placeReach * (place.y ?? 0))) / 2
  return { heads: null, point: { x: x / picture.width, y: y / picture.height }, top: null }
}

/** How far from the middle a place is. */
const placeReach = 0.72

/** Whether a position from −1 to 1 is on a side; anything is where none is named. */
function isBeside(position: number, side: Place['x']): boolean {
  if (side === null) return Math.abs(position) <= 1
  return side === 0 ? Math.abs(position) < 0.4 : position * side > 0.2 && position * side <= 1
}

/** Where eyes are in a head, from its top. */
const eyeLevel = 0.4

/** The heads that belong together: those at least a third as large as the largest. */
function headsOf(heads: Area[]): Area | null {
  const largest = Math.max(0, ...heads.map((head) => head.height))
  const counted = heads.filter((head) => head.height * 3 >= largest)
  return counted.length === 0 ? null : around(counted)
}

/** The smallest area that holds all of these. */
function around(areas: Area[]): Area {
  const x = Math.min(...areas.map((area) => area.x))
  const y = Math.min(...areas.map((area) => area.y))
  const right = Math.max(...areas.map((area) => area.x + area.width))
  const bottom = Math.max(...areas.map((area) => area.y + area.height))
  return { x, y, width: right - x, height: bottom - y }
}

function middleOf({ x, y, width, height }: Area): { x: number; y: number } {
  return { x: x + width / 2, y: y + height / 2 }
}

/** Where the highest of what stands against the sky ends, as a share of the height. */
function skylineOf({ data, width, height }: Luma): number {
  for (let row = 0; row < height; row++) {
    let standing = 0
    for (let at = row * width; at < (row + 1) * width; at++) if (data[at]! < 0.5) standing++
    if (standing > standingMin * width) return row / height
  }
  return 1
}

/** Less of a row than this is a mast or a bird. */
const standingMin = 0.025

/** Halfway from the middle of a part of the picture to the centre of what is near in it. */
function nearCentre({ depth }: PictureAnalysis, part: Area): { x: number; y: number } {
  const middle = { x: part.x + part.width / 2, y: part.y + part.height / 2 }
  if (!depth) return middle
  const [left, right] = [part.x, part.x + part.width].map((share) => Math.round(share * depth.width))
  const [top, bottom] = [part.y, part.y + part.height].map((share) => Math.round(share * depth.height))
  let [sum, x, y] = [1e-9, 0, 0]
  for (let row = top!; row < bottom!; row++) {
    for (let column = left!; column < right!; column++) {
      const weight = Math.max(0, depth.data[row * depth.width + column]! - 0.6)
      sum += weight
      x += weight * column
      y += weight * row
    }
  }
  if (sum < 1) return middle
  return { x: (middle.x + x / sum / depth.width) / 2, y: (middle.y + y / sum / depth.height) / 2 }
}

/** The part of the picture that the first frame shows: heads whole, else the subject, else where the eye goes. */
export function firstArea(
  picture: Size,
  frame: Size,
  analysis: PictureAnalysis | null,
  attention: { x: number; y: number },
): Area {
  const marks = analysis?.marks
  if (marks) return keepWhole(coverArea(picture, frame, middleOf(marks)), marks, picture)
  const group = analysis && headsOf(analysis.heads)
  if (!group) {
    const bounds = analysis?.subject?.bounds
    return coverArea(picture, frame, bounds ? attentionOf(bounds, picture, frame) : attention)
  }
  const middle = coverArea(picture, frame, { x: 0.5, y: 0.5 })
  // Of a group that does not fit, one face is shown rather than the gap between two.
  const fits = group.width * picture.width <= middle.width
  const heads = fits ? group : analysis.heads.toSorted((a, b) => b.height - a.height)[0]!
  const shown = middle.height / picture.height
  // Eyes go in the upper third where there is room, so that the body below them is visible.
  const y = heads.y + heads.height / 2 + shown * 0.12
  const area = keepWhole(coverArea(picture, frame, { x: heads.x + heads.width / 2, y }), heads, picture)
  const body = analysis.subject && around([analysis.subject.bounds, heads])
  const holdsBody = body && body.width * picture.width <= area.width && body.height * picture.height <= area.height
  return holdsBody ? keepWhole(area, body, picture) : area
}

/** A part of the first frame's area, `zoom` times smaller, around the focus where there is one. */
export function shotArea(area: Area, framing: Framing, focus: Focus | null, picture: Size): Area {
  if (framing.zoom <= 1) return area
  const heads = focus?.heads
  const room = heads
    ? Math.min(area.width / (heads.width * picture.width), area.height / (heads.height * picture.height)) * 0.92
    : Number.POSITIVE_INFINITY
  const zoom = Math.max(1, Math.min(framing.zoom, room))
  const width = Math.max(1, Math.round(area.width / zoom))
  const height = Math.max(1, Math.round(area.height / zoom))
  const centre = focus
    ? { x: focus.point.x * picture.width, y: focus.point.y * picture.height }
    : {
        x: area.x + width / 2 + ((area.width - width) * (1 + framing.x)) / 2,
        y: area.y + height / 2 + ((area.height - height) * (1 + framing.y)) / 2,
      }
  const x = clamp(Math.round(centre.x - width / 2), area.x, area.x + area.width - width)
  const y = clamp(Math.round(centre.y - height / 2), area.y, area.y + area.height - height)
  const shot = { x, y, width, height }
  if (heads) return keepWhole(shot, heads, picture)
  const top = (focus?.top ?? 1) * picture.height - topSpare * height
  return top > area.y && framing.zoom < detailZoom ? { ...shot, y: Math.min(y, Math.round(top)) } : shot
}

/** Room above what must not be cut off, as a share of the frame's height. */
const topSpare = 0.03
/** From this zoom on a shot is of a detail, whatever it cuts off. */
const detailZoom = 2

/** Moves an area so that it holds the heads, or a body with its head, as far as they fit. */
function keepWhole(area: Area, heads: Area, picture: Size): Area {
  const left = heads.x * picture.width
  const right = left + heads.width * picture.width
  const top = heads.y * picture.height
  const bottom = top + heads.height * picture.height
  // Where not all fits, the middle counts more than the sides, and the upper edge more than the lower.
  const x = right - left > area.width ? area.x : Math.min(Math.max(area.x, right - area.width), left)
  const y = Math.min(Math.max(area.y, bottom - area.height), top)
  return {
    ...area,
    x: clamp(Math.floor(x), 0, picture.width - area.width),
    y: clamp(Math.floor(y), 0, picture.height - area.height),
  }
}

/** How much more picture there is beyond each edge of an area, in halves of the area's sides. */
export function slackAround(area: Area, picture: Size): Slack {
  const halfWidth = area.width / 2
  const halfHeight = area.height / 2
  return {
    left: area.x / halfWidth,
    right: (picture.width - area.x - area.width) / halfWidth,
    top: area.y / halfHeight,
    bottom: (picture.height - area.y - area.height) / halfHeight,
  }
}

export interface Aim {
  target: { x: number; y: number }
  /** The largest zoom that keeps the heads whole. */
  zoomMax: number
  /** The zoom at which a close shot shows the focus large. */
  closeZoom: number
  /** How far the view may travel before it would cut a head. */
  slack: Slack
  /** What no move may leave: the heads, or the marks. */
  keep: Bounds | null
}

/** What a push-in aims at within an area, in halves of its sides. */
export function aimAt(focus: Focus | null, area: Area, picture: Size): Aim {
  const slack = slackAround(area, picture)
  if (!focus) return { target: { x: 0, y: 0 }, zoomMax: Number.POSITIVE_INFINITY, closeZoom: 1.6, slack, keep: null }
  const across = (share: number) => ((share * picture.width - area.x) / area.width) * 2 - 1
  const down = (share: number) => ((share * picture.height - area.y) / area.height) * 2 - 1
  const target = { x: clamp(across(focus.point.x), -1, 1), y: clamp(down(focus.point.y), -1, 1) }
  const { heads } = focus
  if (!heads) {
    const top = focus.top === null ? -1 : down(focus.top) - 2 * topSpare
    if (top > -1) target.y = clamp(highestAim(top), -1, target.y)
    return { target, zoomMax: Number.POSITIVE_INFINITY, closeZoom: 1.6, slack, keep: null }
  }
  const box = {
    left: across(heads.x),
    right: across(heads.x + heads.width),
    top: down(heads.y),
    bottom: down(heads.y + heads.height),
  }
  const spare = focus.flat ? 0 : headSpare
  const [spareX, spareY] = [spare * (box.right - box.left), spare * (box.bottom - box.top)]
  // Without relief, moves need little room beside their zoom.
  let zoomMax = focus.flat ? flatZoom : 1
  const added = focus.flat ? 1 : roomOfMoves
  const edge = focus.flat ? 1.001 : 0.999
  for (let zoom = 1; zoom <= 2.6; zoom += 0.05) {
    const free = 1 - 1 / zoom
    const x = aimedAt(target.x, free)
    const y = aimedAt(target.y, free)
    const half = 1 / (zoom * added)
    // A head that the first frame cuts already cannot become whole.
    const whole =
      (box.left < -edge || x - half <= box.left + spareX) &&
      (box.right > edge || x + half >= box.right - spareX) &&
      (box.top < -edge || y - half <= box.top + spareY) &&
      (box.bottom > edge || y + half >= box.bottom - spareY)
    if (whole) zoomMax = Math.max(zoomMax, zoom)
  }
  const headShare = Math.max(0.05, (box.bottom - box.top) / 2)
  const free = {
    left: clamp(1 - box.right, 0, slack.left),
    right: clamp(1 + box.left, 0, slack.right),
    top: clamp(1 - box.bottom, 0, slack.top),
    bottom: clamp(1 + box.top, 0, slack.bottom),
  }
  return { target, zoomMax, closeZoom: clamp(0.6 / headShare, 1.15, 2.4), slack: free, keep: box }
}

/** What a usual push-in must aim at so that a place stays below the frame's upper edge. */
function highestAim(top: number): number {
  const free = 1 - 1 / pushedZoom
  return (top + 1 / pushedZoom) / aimedAt(0.5, free) / 2
}

const pushedZoom = 1.35

/** How much of a head's sides a push-in may lose: less than there is around the face. */
const headSpare = 0.1
/** A push-in into a graphic that fills the frame goes no further: screens and pages have margins. */
const flatZoom = 1.08
/** What relief and sway add to a zoom. */
const roomOfMoves = 1.1

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), Math.max(low, high))
}
