// How one portrait moves into another: the eyes of one face travel to those of the other, and take what is around them along,
// so that a blend shows one face all the way. Pure.

import type { Size } from '../../../video/picture/output-size.ts'
import { smoothstep } from '../../../video/smoothstep.ts'
import type { RequestPicture } from '../request-picture.ts'
import type { Head } from '../subject/faces.ts'
import type { Flow } from './flow.ts'

/** A face counts from this height in the frame. */
const faceMin = 0.16
/** Faces farther apart than this (by the frame's shorter side), or less alike in size, would fold what is around them. */
const travelMax = 0.16
const scaleMax = 1.5
/** How far around a face everything travels with it, in its eyes' distance, and over how much more it comes to rest. */
const carriedReach = 1.8
const restReach = 2.6
/** The frame's border rests, over this share of its shorter side: nothing is known beyond it. */
const borderShare = 0.3

interface Point {
  x: number
  y: number
}

type Eyes = [Point, Point]

/** Whether a picture is of one face, which a blend with another one would double. */
export function eyesOf({ analysis, pixels, area }: RequestPicture, frame: Size): Eyes | null {
  const inFrame = ({ x, y }: Point): Point => ({
    x: ((x * pixels.width - area.x) / area.width) * frame.width,
    y: ((y * pixels.height - area.y) / area.height) * frame.height,
  })
  const shown = ({ height }: Head) => (height * pixels.height) / area.height
  const largest = analysis?.heads.toSorted((a, b) => b.height - a.height)[0]
  if (!largest?.eyes || shown(largest) < faceMin) return null
  return [inFrame(largest.eyes[0]), inFrame(largest.eyes[1])]
}

/** Null where the faces are too far apart. The eyes are in pixels of `size`. */
export function faceFlow(first: Eyes, last: Eyes, size: Size): Flow | null {
  const [from, to] = [middleOf(first), middleOf(last)]
  const scale = distanceOf(last) / Math.max(1e-3, distanceOf(first))
  const shift = Math.hypot(to.x - from.x, to.y - from.y)
  if (shift > travelMax * Math.min(size.width, size.height) || scale > scaleMax || scale < 1 / scaleMax) return null
  return { ...size, forward: fieldFrom(first, last, size), backward: fieldFrom(last, first, size), agreement: 1 }
}

/** The way of each pixel: with the face near it, at rest far from it. */
function fieldFrom(from: Eyes, to: Eyes, { width, height }: Size): Float32Array {
  const [a, b] = [middleOf(from), middleOf(to)]
  const [ownX, ownY] = [from[1].x - from[0].x, from[1].y - from[0].y]
  const [newX, newY] = [to[1].x - to[0].x, to[1].y - to[0].y]
  const square = ownX ** 2 + ownY ** 2
  // The turn and growth that take one pair of eyes to the other, as a complex number.
  const real = (newX * ownX + newY * ownY) / square
  const turned = (newY * ownX - newX * ownY) / square
  const carried = carriedReach * Math.sqrt(square)
  const travel = Math.hypot(b.x - a.x, b.y - a.y) + Math.hypot(real - 1, turned) * carried
  const resting = restReach * travel + 0.5 * carried
  const border = borderShare * Math.min(width, height)
  const field = new Float32Array(width * height * 2)
  for (let row = 0, at = 0; row < height; row++) {
    for (let column = 0; column < width; column++, at += 2) {
      const [x, y] = [column + 0.5 - a.x, row + 0.5 - a.y]
      const toBorder = Math.min(column, row, width - 1 - column, height - 1 - row)
      const share = (1 - smoothstep((Math.hypot(x, y) - carried) / resting)) * smoothstep(toBorder / border)
      field[at] = share * (b.x + real * x - turned * y - (column + 0.5))
      field[at + 1] = share * (b.y + turned * x + real * y - (row + 0.5))
    }
  }
  return field
}

function middleOf([one, other]: Eyes): Point {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 }
}

function distanceOf([one, other]: Eyes): number {
  return Math.hypot(other.x - one.x, other.y - one.y)
}
