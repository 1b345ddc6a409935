// Smoothness of camera moves: what moves from frame to frame is what the path says, to two hundredths of a pixel.
// Measured on drawn frames by fitting the motion of windows and comparing it with the exact geometry.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cameraPath, maxZoom } from '../../../../src/engines/studio/camera/path.ts'
import { cameraView } from '../../../../src/engines/studio/camera/view.ts'
import { readMoves } from '../../../../src/engines/studio/prompt/read-prompt.ts'
import { cameraScene } from '../../../../src/engines/studio/scenes/camera-scene.ts'
import { keptInside } from '../../../../src/engines/studio/scenes/kept-inside.ts'
import { readPlane } from '../../../../src/video/kernel/kernel.ts'
import { loadKernel } from '../../../../src/video/kernel/load-kernel.ts'
import { homographyWarp, type Warp } from '../../../../src/video/picture/grid.ts'
import { detailSize } from '../../../../src/video/picture/output-size.ts'
import { allocatePicture } from '../../../../src/video/picture/picture-planes.ts'
import { toPicture } from '../../../../src/video/picture/source-picture.ts'
import { displacementAt, type Gray, rms } from '../support/motion.ts'
import { drawTexture } from '../support/pictures.ts'

const frameSize = { width: 480, height: 270 }
const windows = [
  { x: 110, y: 80 },
  { x: 250, y: 140 },
  { x: 380, y: 190 },
]

for (const prompt of [
  'slow push in',
  'pull out',
  'pan left',
  'tilt up',
  'orbit around it',
  'roll clockwise while zooming in',
]) {
  test(`"${prompt}" moves without jitter`, async () => {
    const path = cameraPath(readMoves(prompt, ''), { guidance: 0.5, seed: 7, seconds: 5, aspect: 16 / 9 })
    const size = detailSize({ width: 1920, height: 1080 }, frameSize, maxZoom(path))
    const kernel = await loadKernel()
    const frame = allocatePicture(kernel, frameSize.width, frameSize.height)
    const picture = await toPicture(kernel, { rgb: drawTexture(size.width, size.height, 3), ...size }, frame)
    const scene = cameraScene(kernel, frame, picture, { path })
    const errors: number[] = []
    let travelled = 0
    let before: Gray | null = null
    for (let i = 40; i < 60; i++) {
      await scene.draw(i / 119, frame)
      const now = { data: readPlane(kernel, frame.y), width: frame.width, height: frame.height }
      for (const window of before ? windows : []) {
        const [old, next] = [i - 1, i].map((at) =>
          keptInside(homographyWarp(cameraView(path(at / 119), frame, picture)), frame, picture),
        )
        const truth = trueMotion(old!, next!, window)
        const seen = displacementAt(before!, now, window, 24, truth)
        errors.push(seen.x - truth.x, seen.y - truth.y)
        travelled += Math.hypot(truth.x, truth.y)
      }
      before = now
    }
    assert.ok(travelled / errors.length > 0.01, 'the camera hardly moves')
    const jitter = rms(errors)
    assert.ok(jitter <= 0.02, `${jitter.toFixed(4)} px`)
  })
}

/** How far the point under the pixel's centre goes from one view to the next. */
function trueMotion(from: Warp, to: Warp, pixel: { x: number; y: number }) {
  const [point, found, beside] = [new Float64Array(2), new Float64Array(2), new Float64Array(2)]
  const at = { x: pixel.x + 0.5, y: pixel.y + 0.5 }
  from(at.x, at.y, point)
  for (let round = 0; round < 20; round++) {
    to(at.x, at.y, found)
    to(at.x + 1, at.y + 1, beside)
    at.x += (point[0]! - found[0]!) / (beside[0]! - found[0]!)
    at.y += (point[1]! - found[1]!) / (beside[1]! - found[1]!)
  }
  return { x: at.x - pixel.x - 0.5, y: at.y - pixel.y - 0.5 }
}
