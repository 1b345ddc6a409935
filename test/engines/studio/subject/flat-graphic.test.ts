// Flat graphics are told from photographs, and what stands out in them stays in the frame.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aimAt, firstArea, focusOf } from '../../../../src/engines/studio/framing.ts'
import { analyzePicture as lookAt } from '../../../../src/engines/studio/picture-analysis.ts'
import { loadKernel } from '../../../../src/video/kernel/load-kernel.ts'
import type { Area, Size } from '../../../../src/video/picture/output-size.ts'
import type { Pixels } from '../../../../src/video/picture/source-picture.ts'
import { drawTexture } from '../support/pictures.ts'

const kernel = await loadKernel()
const analyzePicture = (picture: Pixels) => lookAt(kernel, picture, null)
const size: Size = { width: 640, height: 400 }

type Colour = [number, number, number]

/** Boxes on a background. */
function drawing(background: Colour, boxes: [Area, Colour][]) {
  const rgb = new Uint8Array(size.width * size.height * 3)
  for (let i = 0; i < rgb.length; i += 3) rgb.set(background, i)
  for (const [box, colour] of boxes) {
    for (let y = box.y; y < box.y + box.height; y++) {
      for (let x = box.x; x < box.x + box.width; x++) rgb.set(colour, (y * size.width + x) * 3)
    }
  }
  return { rgb, ...size }
}

/** A window with a bar, a button and lines of writing. */
function screenshot() {
  const words: [Area, Colour][] = Array.from({ length: 300 }, (_, i) => [
    { x: 40 + (i % 30) * 16, y: 80 + Math.floor(i / 30) * 22, width: 3 + (i % 7), height: 9 },
    [30, 30, 30],
  ])
  const bar: [Area, Colour] = [{ x: 0, y: 0, width: 640, height: 40 }, [20, 90, 200]]
  return drawing([255, 255, 255], [bar, [{ x: 480, y: 340, width: 120, height: 36 }, [0, 150, 90]], ...words])
}

test('screenshots and logos are flat, photographs are not', async () => {
  const page = await analyzePicture(screenshot())
  assert.ok(page.marks)
  assert.equal(page.depth, null)
  const logo = await analyzePicture(
    drawing([12, 12, 12], [[{ x: 64, y: 100, width: 320, height: 200 }, [220, 40, 40]]]),
  )
  const { x, y, width, height } = logo.marks!
  assert.deepEqual(
    [x, y, width, height].map((share) => Math.round(100 * share)),
    [10, 25, 50, 50],
  )
  const photograph = { rgb: drawTexture(size.width, size.height, 3), ...size }
  assert.equal((await analyzePicture(photograph)).marks, null)
})

test('the marks of a logo stay whole in crops and push-ins', async () => {
  const logo = drawing([250, 250, 250], [[{ x: 380, y: 40, width: 200, height: 90 }, [20, 40, 160]]])
  const analysis = await analyzePicture(logo)
  const area = firstArea(size, { width: 400, height: 400 }, analysis, { x: 0.2, y: 0.9 })
  assert.ok(area.x <= 380 && area.x + area.width >= 580, JSON.stringify(area))
  const { zoomMax, target } = aimAt(focusOf(analysis, area, size), area, size)
  const middle = area.x + (area.width * (1 + target.x)) / 2
  assert.ok(zoomMax > 1.1 && area.width / zoomMax >= 200, `${zoomMax} around ${middle}`)
})

test('a push-in into a page that fills the frame stays within its margins', async () => {
  const analysis = await analyzePicture(screenshot())
  const area = { x: 0, y: 0, ...size }
  assert.ok(aimAt(focusOf(analysis, area, size), area, size).zoomMax < 1.1)
})
