// Owns where the subjects of a shot stand in the frame: apart from each other, within margins, and beside what the
// picture itself is of where there is room. It does not scale or draw them.

import type { Luma } from '../../../video/picture/luma.ts'
import { type Area, overlapArea, type Size } from '../../../video/picture/output-size.ts'

const marginShare = 0.06
const gapShare = 0.04
/** No subject is larger than this part of the frame's sides; several share it. */
const sideShareMax = 0.72
const areaShareMax = 0.34

/** One place for each aspect ratio (width by height), in order, in whole pixels. */
export function placeElements(aspects: number[], frame: Size, subject: Area | null): Area[] {
  if (aspects.length === 0) return []
  const short = Math.min(frame.width, frame.height)
  const margin = Math.ceil(short * marginShare)
  const gap = Math.max(2, Math.ceil(short * gapShare))
  const safe = { x: margin, y: margin, width: frame.width - 2 * margin, height: frame.height - 2 * margin }
  const limits = {
    gap,
    width: frame.width * sideShareMax,
    height: frame.height * sideShareMax,
    area: frame.width * frame.height * areaShareMax,
  }

  let best: { score: number; places: Area[] } | null = null
  for (const places of candidates(aspects, safe, subject, limits)) {
    const score = scoreOf(places, frame, subject)
    if (!best || score > best.score) best = { score, places }
  }
  return best!.places
}

/** Where the lower edge of a thing on the ground lies, as a share of the frame's height, unless depth says otherwise. */
const groundShare = 0.93
const groundFrom = 0.8
const groundTo = 0.97
/** How much nearer ground comes over a tenth of the frame's height. A wall stays as far, the edge of a table jumps. */
const groundSlope = { least: 0.045, most: 0.3 }

/** Where a thing that spans `left` to `right` stands on the ground, as a share of the frame's height. */
export function groundBelow(near: Luma | null, left: number, right: number): number {
  if (!near) return groundShare
  const mean = (share: number) => {
    const row = Math.min(near.height - 1, Math.round(share * near.height))
    const [from, to] = [Math.floor(left * near.width), Math.ceil(right * near.width)]
    const across = near.data.subarray(row * near.width + Math.max(0, from), row * near.width + Math.min(near.width, to))
    return across.reduce((sum, value) => sum + value, 0) / Math.max(1, across.length)
  }
  let best: number | null = null
  for (let share = groundFrom; share <= groundTo; share += 0.01) {
    const slope = mean(share + 0.03) - mean(share - 0.07)
    if (slope < groundSlope.least || slope > groundSlope.most) continue
    if (best === null || Math.abs(share - groundShare) < Math.abs(best - groundShare)) best = share
  }
  return best ?? groundShare
}

/**
 * Moves a place down to where its element stands: the ground near the camera, or the frame's lower border. Sideways it goes
 * where it covers least of the picture's subject and of the places already taken. `near` is what the frame shows.
 */
export function standOn(
  place: Area,
  on: 'ground' | 'border',
  frame: Size,
  taken: Area[],
  near: Luma | null = null,
): Area {
  const margin = on === 'border' ? 0 : frame.width * marginShare
  const room = Math.max(0, frame.width - 2 * margin - place.width)
  let best = place
  let least = Number.POSITIVE_INFINITY
  for (let step = 0; step <= 24; step++) {
    const x = margin + (room * step) / 24
    const ground = groundBelow(near, x / frame.width, (x + place.width) / frame.width)
    const y = (on === 'border' ? 1 : ground) * frame.height - place.height
    const covered = taken.reduce((sum, other) => sum + overlapArea({ ...place, x, y }, other), 0)
    // Among equals the nearest to where the layout had it.
    const cost = covered + 1e-3 * Math.abs(x - place.x) * place.height
    if (cost < least) [best, least] = [{ ...place, x: Math.round(x), y: Math.round(y) }, cost]
  }
  return best
}

interface Limits {
  gap: number
  width: number
  height: number
  area: number
}

type Align = 0 | 0.5 | 1

/** Ways to place everything: in the whole frame at each of its sides, or shared between two sides of the subject. */
function* candidates(aspects: number[], safe: Area, subject: Area | null, limits: Limits): Generator<Area[]> {
  const aligns: Align[] = [0.5, 0, 1]
  for (const arrange of [row, column]) {
    for (const across of aligns) for (const down of aligns) yield arrange(aspects, safe, limits, across, down)
  }
  if (!subject) return
  const { left, right, above, below } = zonesAround(subject, safe, limits.gap)
  for (const [first, second] of [
    [left, right],
    [above, below],
  ] as const) {
    // Each bit says on which side of the subject an element stands.
    for (let sides = 0; sides < 2 ** aspects.length; sides++) {
      const inFirst = aspects.map((_, i) => ((sides >> i) & 1) === 0)
      for (const arrange of [row, column]) {
        const groups = [true, false].map((side) => aspects.filter((_, i) => inFirst[i] === side))
        const zones = [first, second]
        if (groups.some((group, z) => group.length > 0 && !fits(zones[z]!, group.length, limits.gap))) continue
        const placed = groups.map((group, z) => (group.length ? arrange(group, zones[z]!, limits, 0.5, 0.5) : []))
        const next = [0, 0]
        yield aspects.map((_, i) => {
          const side = inFirst[i] ? 0 : 1
          return placed[side]![next[side]!++]!
        })
      }
    }
  }
}

function zonesAround(subject: Area, safe: Area, gap: number) {
  const [right, bottom] = [safe.x + safe.width, safe.y + safe.height]
  const after = {
    x: Math.max(safe.x, Math.ceil(subject.x + subject.width) + gap),
    y: Math.max(safe.y, Math.ceil(subject.y + subject.height) + gap),
  }
  return {
    left: { ...safe, width: Math.min(right, Math.floor(subject.x) - gap) - safe.x },
    right: { ...safe, x: after.x, width: right - after.x },
    above: { ...safe, height: Math.min(bottom, Math.floor(subject.y) - gap) - safe.y },
    below: { ...safe, y: after.y, height: bottom - after.y },
  }
}

/** Whether a zone holds so many elements of more than a few pixels. */
function fits(zone: Area, count: number, gap: number): boolean {
  const least = count * 8 + (count - 1) * gap
  return zone.width >= least && zone.height >= least
}

/** Side by side with one height, on one base line. */
function row(aspects: number[], zone: Area, limits: Limits, across: Align, down: Align): Area[] {
  const total = aspects.reduce((sum, aspect) => sum + aspect, 0)
  const gaps = limits.gap * (aspects.length - 1)
  const widest = Math.max(...aspects)
  const height = Math.floor(
    Math.min(
      zone.height,
      limits.height,
      (zone.width - gaps) / total,
      limits.width / widest,
      Math.sqrt(limits.area / widest),
    ),
  )
  const sizes = aspects.map((aspect) => ({
    width: Math.max(1, Math.floor(height * aspect)),
    height: Math.max(1, height),
  }))
  const used = sizes.reduce((sum, size) => sum + size.width, gaps)
  let x = zone.x + Math.floor((zone.width - used) * across)
  const y = zone.y + Math.floor((zone.height - Math.max(1, height)) * down)
  return sizes.map((size) => {
    const place = { x, y, ...size }
    x += size.width + limits.gap
    return place
  })
}

/** Below each other with one width. */
function column(aspects: number[], zone: Area, limits: Limits, across: Align, down: Align): Area[] {
  const turned = row(
    aspects.map((aspect) => 1 / aspect),
    { x: zone.y, y: zone.x, width: zone.height, height: zone.width },
    { ...limits, width: limits.height, height: limits.width },
    down,
    across,
  )
  return turned.map(({ x, y, width, height }) => ({ x: y, y: x, width: height, height: width }))
}

/** Large elements are good, the smallest counting most; covering the picture's own subject is worse than being small. */
function scoreOf(places: Area[], frame: Size, subject: Area | null): number {
  const shares = places.map((place) => Math.sqrt((place.width * place.height) / (frame.width * frame.height)))
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
  const covered = subject ? places.reduce((sum, place) => sum + overlapArea(place, subject), 0) : 0
  const coveredShare = subject ? covered / Math.max(1, subject.width * subject.height) : 0
  // Between equals the one nearest the middle wins, a little below it rather than above.
  const distance = places.reduce((sum, place) => {
    const dx = (place.x + place.width / 2) / frame.width - 0.5
    const dy = (place.y + place.height / 2) / frame.height - 0.54
    return sum + Math.hypot(dx, dy)
  }, 0)
  return (
    (mean + Math.min(...shares)) * (1 - 0.85 * Math.min(1, coveredShare)) - (covered > 0 ? 0.12 : 0) - 0.02 * distance
  )
}
