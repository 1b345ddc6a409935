// Finds the faces of a picture with BlazeFace. It owns the network's anchors and thresholds; what is framed because of a
// face is decided elsewhere.

import type { Kernel } from '../../../video/kernel/kernel.ts'
import { type Area, overlapArea } from '../../../video/picture/output-size.ts'
import { type Pixels, scalePixels } from '../../../video/picture/source-picture.ts'
import { bundledNetwork, openNetwork } from '../networks/network.ts'

const side = 256
/** Cups and clouds reach 0.67. */
const scoreMin = 0.7
const overlapMax = 0.3
/** Cells of each map of answers, and anchors in each cell. */
const maps = [
  { cells: 16, anchors: 2 },
  { cells: 8, anchors: 6 },
] as const

/** Shares of the picture's sides. */
export interface Head extends Area {
  /** The eyes, the one on the left in the picture first. */
  eyes?: [{ x: number; y: number }, { x: number; y: number }]
}

interface Face {
  /** In the network's square, 0 to 1: the box runs from brows to chin. */
  box: Area
  eyes: { x: number; y: number }[]
  score: number
}

/** Heads as shares of the picture's sides: each face with room for hair, chin and ears. The surest comes first. */
export async function findHeads(kernel: Kernel, picture: Pixels): Promise<Head[]> {
  // The picture is fitted into the network's square, so that faces keep their proportions.
  const scale = side / Math.max(picture.width, picture.height)
  const fitted = {
    width: Math.max(1, Math.round(picture.width * scale)),
    height: Math.max(1, Math.round(picture.height * scale)),
  }
  const { rgb } = scalePixels(kernel, picture, fitted)
  const input = new Float32Array(side * side * 3).fill(-1)
  const left = (side - fitted.width) >> 1
  const top = (side - fitted.height) >> 1
  for (let row = 0; row < fitted.height; row++) {
    for (let i = 0; i < fitted.width * 3; i++) {
      input[((top + row) * side + left) * 3 + i] = rgb[row * fitted.width * 3 + i]! / 127.5 - 1
    }
  }
  const network = await openNetwork(bundledNetwork('blazeface'))
  const [fineScores, coarseScores, fineBoxes, coarseBoxes] = await network.run(input, [1, side, side, 3])
  const found = [
    ...facesIn(fineScores!, fineBoxes!, maps[0]),
    ...facesIn(coarseScores!, coarseBoxes!, maps[1]),
  ].toSorted((a, b) => b.score - a.score)
  const kept: Face[] = []
  for (const face of found) if (kept.every(({ box }) => overlap(box, face.box) < overlapMax)) kept.push(face)
  const across = (x: number) => (x * side - left) / fitted.width
  const down = (y: number) => (y * side - top) / fitted.height
  return kept.map(({ box, eyes }) => {
    const head = {
      x: box.x - 0.2 * box.width,
      y: box.y - 0.55 * box.height,
      width: 1.4 * box.width,
      height: 1.75 * box.height,
    }
    const [x, y] = [across(head.x), down(head.y)]
    const [right, bottom] = [x + (head.width * side) / fitted.width, y + (head.height * side) / fitted.height]
    const [clampedX, clampedY] = [Math.max(0, x), Math.max(0, y)]
    const area = {
      x: clampedX,
      y: clampedY,
      width: Math.min(1, right) - clampedX,
      height: Math.min(1, bottom) - clampedY,
    }
    const [one, other] = eyes.map((eye) => ({ x: across(eye.x), y: down(eye.y) })).toSorted((a, b) => a.x - b.x)
    return { ...area, eyes: [one!, other!] }
  })
}

function facesIn(scores: Float32Array, boxes: Float32Array, { cells, anchors }: (typeof maps)[number]): Face[] {
  const faces: Face[] = []
  for (let i = 0; i < cells * cells * anchors; i++) {
    const score = 1 / (1 + Math.exp(-scores[i]!))
    if (score < scoreMin) continue
    const cell = Math.floor(i / anchors)
    const [x, y, width, height, ...points] = boxes.subarray(i * 16, i * 16 + 8).map((value) => value / side)
    const centreOfCell = { x: ((cell % cells) + 0.5) / cells, y: (Math.floor(cell / cells) + 0.5) / cells }
    const centreX = centreOfCell.x + x!
    const centreY = centreOfCell.y + y!
    const eyes = [0, 2].map((at) => ({ x: centreOfCell.x + points[at]!, y: centreOfCell.y + points[at + 1]! }))
    faces.push({
      score,
      eyes,
      box: { x: centreX - width! / 2, y: centreY - height! / 2, width: width!, height: height! },
    })
  }
  return faces
}

/** The area that two boxes share, as a share of both together. */
function overlap(one: Area, other: Area): number {
  const shared = overlapArea(one, other)
  return shared / (one.width * one.height + other.width * other.height - shared)
}
