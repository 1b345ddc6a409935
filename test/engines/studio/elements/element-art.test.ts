// Cut-outs: clean edges, no scraps, faded where the photo ended, lit by their scene; and anchors that follow the camera.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anchorAt } from '../../../../src/engines/studio/elements/anchor.ts'
import { contactShadow, cutOut, lightArt } from '../../../../src/engines/studio/elements/element-art.ts'
import { groundBelow, standOn } from '../../../../src/engines/studio/elements/element-layout.ts'
import { loadKernel } from '../../../../src/video/kernel/load-kernel.ts'
import { allocateGrid, fillGrid, homographyWarp } from '../../../../src/video/picture/grid.ts'
import { allocatePicture } from '../../../../src/video/picture/picture-planes.ts'

const size = { width: 120, height: 100 }

/** A red block on green. */
function photo(inside: (x: number, y: number) => boolean) {
  const rgb = new Uint8Array(size.width * size.height * 3)
  const mask = new Uint8Array(size.width * size.height)
  for (let i = 0; i < mask.length; i++) {
    const own = inside(i % size.width, Math.floor(i / size.width))
    mask[i] = own ? 255 : 0
    rgb.set(own ? [200, 30, 30] : [30, 200, 30], i * 3)
  }
  return { rgb, mask }
}

test('a cut-out keeps neither colour nor scraps of its old background', () => {
  const block = (x: number, y: number) => x > 30 && x < 90 && y > 20 && y < 90
  const { rgb, mask } = photo((x, y) => block(x, y) || (x < 8 && y < 8))
  const art = cutOut({ rgb, ...size }, mask)!
  assert.equal(art.stands, 'ground')
  for (let i = 0; i < art.mask.length; i++) {
    if (art.mask[i]! > 0) assert.ok(art.rgb[i * 3]! > art.rgb[i * 3 + 1]!, `green at ${i}`)
  }
  assert.equal(art.mask[3 * art.width + 3], 0)
})

test('a side that the photo cut off fades, and a cut foot stands at the border', () => {
  const { rgb, mask } = photo((x, y) => x < 70 && y > 20)
  const art = cutOut({ rgb, ...size }, mask)!
  assert.equal(art.stands, 'border')
  const middle = Math.floor(art.height / 2) * art.width
  assert.ok(art.mask[middle]! < 8 && art.mask[middle + 40]! > 240)
})

test('a scene darkens and tints what comes into it', () => {
  const art = {
    ...size,
    rgb: new Uint8Array(size.width * size.height * 3).fill(200),
    mask: new Uint8Array(12000).fill(255),
  }
  const [r, g, b] = lightArt(art, [0.1, 0.06, 0.03]).rgb
  assert.ok(r! < 200 && r! > g! && g! > b!, `${r} ${g} ${b}`)
})

test('a contact shadow lies under the feet', () => {
  const { rgb, mask } = photo((x, y) => x > 30 && x < 90 && y > 20 && y < 80)
  const shadow = contactShadow({ rgb, mask, ...size })
  assert.ok(
    shadow[78 * size.width + 60]! > 100 && shadow[40 * size.width + 60]! < 4 && shadow[78 * size.width + 5]! < 4,
  )
})

test('elements stand low, beside the subject where there is room', () => {
  const frame = { width: 1280, height: 720 }
  const subject = { x: 500, y: 100, width: 300, height: 620 }
  const place = standOn({ x: 520, y: 200, width: 260, height: 300 }, 'ground', frame, [subject])
  assert.ok(place.x + place.width <= subject.x || place.x >= subject.x + subject.width)
  assert.ok(place.y + place.height > 0.9 * frame.height && place.y + place.height < frame.height)
  assert.equal(standOn(place, 'border', frame, []).y + place.height, frame.height)
})

test('an anchor stays at its place of the picture while the view pans and zooms', async () => {
  const kernel = await loadKernel()
  const frame = { width: 640, height: 360 }
  const picture = allocatePicture(kernel, 1280, 720, 64)
  const grid = allocateGrid(kernel, frame)
  const view = (zoom: number, pan: number) =>
    fillGrid(kernel, grid, picture, homographyWarp([2 / zoom, 0, pan, 0, 2 / zoom, 0, 0, 0, 1]))
  view(1, 0)
  const follow = anchorAt(kernel, grid, 300, 200)
  assert.deepEqual(follow(), { x: 300, y: 200, scale: 1 })
  view(1.25, 40)
  const { x, y, scale } = follow()
  assert.ok(Math.abs(x - (600 - 40) / 1.6) < 0.2 && Math.abs(y - 400 / 1.6) < 0.2, `${x}, ${y}`)
  assert.ok(Math.abs(scale - 1.25) < 0.01)
})

test('elements stand on the ground that depth shows, not on the wall in front of it', () => {
  const [width, height] = [40, 100]
  // Ground that comes nearer down to a row, and below it the front of something that is as near all the way down.
  const groundUntil = (end: number) => ({
    width,
    height,
    data: Float32Array.from(
      { length: width * height },
      (_, i) => 0.9 * Math.min(1, Math.floor(i / width) / height / end),
    ),
  })
  assert.equal(groundBelow(null, 0.2, 0.5), 0.93)
  assert.ok(Math.abs(groundBelow(groundUntil(1), 0.2, 0.5) - 0.93) < 0.011)
  const above = groundBelow(groundUntil(0.86), 0.2, 0.5)
  assert.ok(above > 0.8 && above < 0.91, `${above}`)
})
