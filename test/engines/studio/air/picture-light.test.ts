// Where light comes from: the sun where the sky shows it, the horizon at dusk, beyond the frame by day, and from the side
// in a picture without any sky.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasBackdrop, plumeOrigins, sunPlace } from '../../../../src/engines/studio/air/picture-light.ts'
import type { PictureAnalysis } from '../../../../src/engines/studio/picture-analysis.ts'
import type { Subject } from '../../../../src/engines/studio/subject/subject.ts'
import type { Area } from '../../../../src/video/picture/output-size.ts'

const size = { width: 160, height: 90 }
const area = { x: 0, y: 0, ...size }

/** A picture by the brightness or colour of its places; the sky is above a row. */
function still(seen: (x: number, y: number) => number | [number, number, number], skyRows: number) {
  const rgb = new Uint8Array(size.width * size.height * 3)
  const sky = new Float32Array(size.width * size.height)
  for (let i = 0; i < sky.length; i++) {
    const [x, y] = [i % size.width, Math.floor(i / size.width)]
    const colour = seen(x, y)
    rgb.set(typeof colour === 'number' ? [colour, colour, colour] : colour, i * 3)
    sky[i] = y < skyRows ? 1 : 0
  }
  const analysis: PictureAnalysis = {
    ...size,
    rgb,
    subject: null,
    heads: [],
    marks: null,
    depth: null,
    sky: skyRows > 0 ? { data: sky, ...size } : null,
  }
  return { pixels: { rgb, ...size }, area, analysis }
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

test('a sky that grows bright and warm downwards has its sun at the horizon', () => {
  const low = (y: number) => Math.min(1, y / 50)
  const dusk = still(
    (x, y) => [90 + (130 + (x > 100 && x < 120 ? 25 : 0)) * low(y), 110 + 60 * low(y), 160 - 60 * low(y)],
    50,
  )
  const { x, y, unseen, shown } = sunPlace(dusk, area)
  assert.ok(Math.abs(x - 0.69) < 0.03 && y > 0.4 && y < 0.56, `${x}, ${y}`)
  assert.deepEqual({ unseen, shown }, { unseen: false, shown: false })
})

test('a sky that only grows brighter downwards, as by day, does not', () => {
  const day = still((_, y) => [90 + 2 * y, 120 + 2 * y, 170 + y], 50)
  assert.ok(sunPlace(day, area).y < 0)
})

test('without a sky, light between things comes from above, and light on things from the side', () => {
  const forest = still((x, y) => (y < 30 && x % 20 < 4 ? 240 : 50), 0)
  assert.equal(sunPlace(forest, area).unseen, false)
  const table = still((x, y) => (Math.hypot(x - 60, y - 65) < 20 ? 240 : 90), 0)
  const { x, unseen } = sunPlace(table, area)
  assert.equal(unseen, true)
  assert.ok(x < 0 || x > 1)
})

/** A picture with things, and heads. */
function things(boxes: Area[], heads: Area[]) {
  const mask = new Uint8Array(size.width * size.height)
  for (const { x, y, width, height } of boxes) {
    for (let row = y; row < y + height; row++) mask.fill(255, row * size.width + x, row * size.width + x + width)
  }
  const seen = still(() => 120, 0)
  const subject = { mask, ...size } as unknown as Subject
  return { ...seen, analysis: { ...seen.analysis, subject, heads } }
}

test('each of several cups steams, and a body does not', () => {
  const cups = [10, 70, 120].map((x) => ({ x, y: 40, width: 30, height: 20 }))
  const origins = plumeOrigins(things(cups, []), area, 'steam')
  assert.deepEqual(
    origins.map(({ x }) => Math.round(x * size.width)),
    [25, 85, 135],
  )
  const person = things([{ x: 60, y: 10, width: 40, height: 80 }], [{ x: 0.45, y: 0.1, width: 0.1, height: 0.2 }])
  assert.deepEqual(plumeOrigins(person, area, 'steam'), [])
  const [smoke] = plumeOrigins(person, area, 'smoke')
  assert.ok(smoke!.foot > 0.9 && (smoke!.x < 0.35 || smoke!.x > 0.65), 'smoke rises beside it, from the ground')
})

test('a person before a plain backdrop is told from one before a window', () => {
  const person = [{ x: 60, y: 20, width: 40, height: 70 }]
  const head = [{ x: 0.42, y: 0.2, width: 0.16, height: 0.3 }]
  const plain = things(person, head).analysis
  assert.equal(hasBackdrop(plain), true)
  assert.equal(hasBackdrop({ ...plain, heads: [] }), false)
  const window = plain.rgb.map((level, i) => (Math.floor(i / 3) % size.width < 40 ? 250 : level >> 1))
  assert.equal(hasBackdrop({ ...plain, rgb: window }), false)
})
