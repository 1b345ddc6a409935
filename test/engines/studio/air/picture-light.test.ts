// Where light comes from: the sun where the sky shows it, beyond the frame where it does not, and from the side in a picture
// without any sky.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sunPlace } from '../../../../src/engines/studio/air/picture-light.ts'
import type { Sight } from '../../../../src/engines/studio/sight.ts'

const size = { width: 160, height: 90 }
const area = { x: 0, y: 0, ...size }

/** A picture by the brightness of its places; the sky is above a row. */
function still(bright: (x: number, y: number) => number, skyRows: number) {
  const rgb = new Uint8Array(size.width * size.height * 3)
  const sky = new Float32Array(size.width * size.height)
  for (let i = 0; i < sky.length; i++) {
    const [x, y] = [i % size.width, Math.floor(i / size.width)]
    rgb.fill(bright(x, y), i * 3, i * 3 + 3)
    sky[i] = y < skyRows ? 1 : 0
  }
  const sight: Sight = {
    ...{ ...size, rgb, subject: null, heads: [], depth: null },
    sky: skyRows > 0 ? { data: sky, ...size } : null,
  }
  return { pixels: { rgb, ...size }, area, sight }
}

test('rays come from a sun that the sky shows', () => {
  const disc = still((x, y) => (Math.hypot(x - 112, y - 18) < 5 ? 230 : 150), 60)
  const { x, y, unseen } = sunPlace(disc, area)
  assert.ok(Math.abs(x - 0.7) < 0.01 && Math.abs(y - 0.2) < 0.01, `${x}, ${y}`)
  assert.equal(unseen, false)
})

test('a bright bank of clouds is no sun: light comes from above the frame', () => {
  const clouds = still((x, y) => (y < 20 && x < 90 ? 230 : 150), 60)
  const { y, unseen } = sunPlace(clouds, area)
  assert.ok(y < 0, String(y))
  assert.equal(unseen, false)
})

test('without a sky, light between things comes from above, and light on things from the side', () => {
  const forest = still((x, y) => (y < 30 && x % 20 < 4 ? 240 : 50), 0)
  assert.equal(sunPlace(forest, area).unseen, false)
  const table = still((x, y) => (Math.hypot(x - 60, y - 65) < 20 ? 240 : 90), 0)
  const { x, unseen } = sunPlace(table, area)
  assert.equal(unseen, true)
  assert.ok(x < 0 || x > 1)
})
