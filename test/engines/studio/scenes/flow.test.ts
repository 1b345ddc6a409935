import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Flow, measureFlow } from '../../../../src/engines/studio/scenes/flow.ts'
import { findSimilarity, inverseOf } from '../../../../src/engines/studio/scenes/flow-similarity.ts'
import type { Luma } from '../../../../src/video/picture/luma.ts'
import { seededRandom } from '../../../../src/video/random.ts'

const width = 320
const height = 180
type Picture = (x: number, y: number) => number
type Motion = (x: number, y: number) => [number, number]

/** A cloudy texture that can be looked up anywhere, so that moved pictures are exact. */
function texture(seed: number): Picture {
  const side = 64
  const random = seededRandom(seed)
  const layers = [40, 14, 6].map((size) => ({ size, grid: Array.from({ length: side * side }, random) }))
  const soft = (t: number) => t * t * (3 - 2 * t)
  const look = (grid: number[], x: number, y: number) => {
    const [x0, y0] = [Math.floor(x), Math.floor(y)]
    const at = (i: number, j: number) => grid[(j & (side - 1)) * side + (i & (side - 1))]!
    const [sx, sy] = [soft(x - x0), soft(y - y0)]
    const top = at(x0, y0) + sx * (at(x0 + 1, y0) - at(x0, y0))
    const bottom = at(x0, y0 + 1) + sx * (at(x0 + 1, y0 + 1) - at(x0, y0 + 1))
    return top + sy * (bottom - top)
  }
  return (x, y) =>
    layers.reduce((sum, { size, grid }, i) => sum + [120, 80, 50][i]! * look(grid, x / size, y / size), 0)
}

function draw(picture: Picture): Luma {
  const data = Float32Array.from({ length: width * height }, (_, i) => picture(i % width, Math.floor(i / width)))
  return { data, width, height }
}

function similarity(scale: number, radians: number, shiftX: number, shiftY: number): [there: Motion, back: Motion] {
  const [mx, my] = [(width - 1) / 2, (height - 1) / 2]
  const [cos, sin] = [scale * Math.cos(radians), scale * Math.sin(radians)]
  const there: Motion = (x, y) => [
    cos * (x - mx) - sin * (y - my) + mx + shiftX,
    sin * (x - mx) + cos * (y - my) + my + shiftY,
  ]
  const back: Motion = (x, y) => {
    const [px, py] = [x - mx - shiftX, y - my - shiftY]
    return [(cos * px + sin * py) / scale ** 2 + mx, (-sin * px + cos * py) / scale ** 2 + my]
  }
  return [there, back]
}

/** The mean distance between found and true end points, over pixels that stay inside. */
function endpointError(flow: Float32Array, truth: Motion, counts: (x: number, y: number) => boolean = () => true) {
  let total = 0
  let count = 0
  for (let y = 4; y < height - 4; y++) {
    for (let x = 4; x < width - 4; x++) {
      const [tx, ty] = truth(x, y)
      if (tx < 4 || ty < 4 || tx > width - 5 || ty > height - 5 || !counts(x, y)) continue
      const i = 2 * (y * width + x)
      total += Math.hypot(x + flow[i]! - tx, y + flow[i + 1]! - ty)
      count++
    }
  }
  return total / count
}

function assertShape(flow: Flow) {
  assert.deepEqual([flow.width, flow.height], [width, height])
  assert.deepEqual([flow.forward.length, flow.backward.length], [2 * width * height, 2 * width * height])
  assert.ok(flow.forward.every(Number.isFinite) && flow.backward.every(Number.isFinite))
}

const motions: [name: string, motion: [Motion, Motion], errorMax: number, agreementMin: number][] = [
  ['none', similarity(1, 0, 0, 0), 0.02, 0.95],
  ['a small shift', similarity(1, 0, 5, -3), 0.15, 0.85],
  ['a shift of a fifth of the picture', similarity(1, 0, 60, -30), 0.2, 0.5],
  ['a zoom in', similarity(1.25, 0, 0, 0), 0.5, 0.5],
  ['a zoom out', similarity(0.78, 0, 4, 2), 0.7, 0.45],
  ['a rotation', similarity(1, 0.2, 0, 0), 0.3, 0.7],
  ['all at once', similarity(1.2, 0.4, 10, -5), 0.6, 0.45],
]

for (const [name, [there, back], errorMax, agreementMin] of motions) {
  test(`finds the motion: ${name}`, () => {
    const picture = texture(1)
    const flow = measureFlow(
      draw(picture),
      draw((x, y) => picture(...back(x, y))),
    )
    assertShape(flow)
    const forward = endpointError(flow.forward, there)
    const backward = endpointError(flow.backward, back)
    assert.ok(forward < errorMax && backward < errorMax, `errors ${forward}, ${backward} px`)
    assert.ok(flow.agreement > agreementMin, `agreement ${flow.agreement}`)
  })
}

test('finds what moves on its own before a background that moves otherwise', () => {
  const [front, behind] = [texture(2), texture(3)]
  const inside = (x: number, y: number) => (x - 140) ** 2 + (y - 90) ** 2 < 45 ** 2
  const a = draw((x, y) => (inside(x, y) ? front(x, y) : behind(x, y)))
  const b = draw((x, y) => (inside(x - 12, y - 4) ? front(x - 12, y - 4) : behind(x + 4, y)))
  const flow = measureFlow(a, b)
  const deepInside = (x: number, y: number) => (x - 140) ** 2 + (y - 90) ** 2 < 35 ** 2
  const farOutside = (x: number, y: number) => (x - 145) ** 2 + (y - 90) ** 2 > 75 ** 2
  const subject = endpointError(flow.forward, (x, y) => [x + 12, y + 4], deepInside)
  const background = endpointError(flow.forward, (x, y) => [x - 4, y], farOutside)
  assert.ok(subject < 1 && background < 0.4, `errors ${subject}, ${background} px`)
  assert.ok(flow.agreement > 0.6, `agreement ${flow.agreement}`)
})

test('a change of light does not hide the motion', () => {
  const picture = texture(4)
  const flow = measureFlow(
    draw(picture),
    draw((x, y) => 0.7 * picture(x - 6, y + 2) + 30 + x / 8),
  )
  assert.ok(endpointError(flow.forward, (x, y) => [x + 6, y - 2]) < 0.4)
  assert.ok(flow.agreement > 0.7)
})

test('flat areas move with what is around them', () => {
  const picture = texture(5)
  const withHole: Picture = (x, y) => (Math.abs(x - 160) < 40 && Math.abs(y - 90) < 30 ? 100 : picture(x, y))
  const flow = measureFlow(
    draw(withHole),
    draw((x, y) => withHole(x - 7, y - 3)),
  )
  const middle = (x: number, y: number) => Math.abs(x - 160) < 35 && Math.abs(y - 90) < 25
  const error = endpointError(flow.forward, (x, y) => [x + 7, y + 3], middle)
  assert.ok(error < 0.8, `error ${error} px`)
})

test('unrelated pictures do not agree', () => {
  for (let seed = 10; seed < 14; seed++) {
    const { agreement } = measureFlow(draw(texture(seed)), draw(texture(seed + 50)))
    assert.ok(agreement < 0.15, `agreement ${agreement}`)
  }
})

test('pictures with nothing in them agree on nothing, and break nothing', () => {
  const flow = measureFlow(
    draw(() => 50),
    draw(() => 200),
  )
  assertShape(flow)
  assert.equal(flow.agreement, 0)
  assert.throws(
    () =>
      measureFlow(
        draw(() => 0),
        { data: new Float32Array(4), width: 2, height: 2 },
      ),
    RangeError,
  )
})

test('other sizes work too, tall and small', () => {
  for (const [w, h] of [
    [180, 320],
    [203, 203],
    [64, 36],
  ] as const) {
    const picture = texture(6)
    const at = (dx: number): Luma => ({
      data: Float32Array.from({ length: w * h }, (_, i) => picture((i % w) - dx, Math.floor(i / w))),
      width: w,
      height: h,
    })
    const { forward, agreement } = measureFlow(at(0), at(4))
    const centre = 2 * (Math.floor(h / 2) * w + Math.floor(w / 2))
    assert.ok(Math.abs(forward[centre]! - 4) < 0.3 && Math.abs(forward[centre + 1]!) < 0.3)
    assert.ok(agreement > 0.7)
  }
})

test('the similarity and its inverse undo each other', () => {
  const picture = texture(7)
  const [, back] = similarity(1.3, -0.3, 20, 10)
  const found = findSimilarity(
    draw(picture),
    draw((x, y) => picture(...back(x, y))),
  )
  assert.ok(Math.abs(1 + found.a - 1.3 * Math.cos(-0.3)) < 0.02 && Math.abs(found.b - 1.3 * Math.sin(-0.3)) < 0.02)
  assert.ok(Math.abs(found.x - 20 / width) < 0.005 && Math.abs(found.y - 10 / width) < 0.005)
  const twice = inverseOf(inverseOf(found))
  for (const key of ['a', 'b', 'x', 'y'] as const) assert.ok(Math.abs(twice[key] - found[key]) < 1e-9)
})
