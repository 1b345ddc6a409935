import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillBackground } from '../../../../src/engines/studio/subject/fill-background.ts'

const width = 320
const height = 180
type Colour = (x: number, y: number) => [number, number, number]

function paint(colour: Colour): Uint8Array {
  const rgb = new Uint8Array(width * height * 3)
  for (let i = 0; i < width * height; i++) rgb.set(colour(i % width, Math.floor(i / width)), i * 3)
  return rgb
}

/** A disc with a soft border: 255 inside, 0 outside. */
function disc(centreX: number, centreY: number, radius: number): Uint8Array {
  return Uint8Array.from({ length: width * height }, (_, i) => {
    const distance = Math.hypot((i % width) - centreX, Math.floor(i / width) - centreY)
    return 255 * Math.min(1, Math.max(0, (radius + 2 - distance) / 4))
  })
}

function withSubject(background: Colour, mask: Uint8Array): Uint8Array {
  return paint((x, y) => {
    const share = mask[y * width + x]! / 255
    return background(x, y).map((value, c) => share * [255, 0, 255][c]! + (1 - share) * value) as [
      number,
      number,
      number,
    ]
  })
}

const gradient: Colour = (x, y) => [40 + x / 2, 60 + y / 2, 200 - x / 4 - y / 4]

for (const [name, centreX, centreY, radius] of [
  ['in the middle', 160, 90, 50],
  ['at the lower edge', 160, 170, 60],
  ['in a corner', 10, 10, 70],
] as const) {
  test(`a subject ${name} gives way to its surroundings without a halo`, () => {
    const mask = disc(centreX, centreY, radius)
    const filled = fillBackground(withSubject(gradient, mask), width, height, mask)
    const truth = paint(gradient)
    let worst = 0
    let total = 0
    let count = 0
    for (let i = 0; i < mask.length; i++) {
      if (mask[i]! === 0) continue
      for (let c = 0; c < 3; c++) {
        const error = Math.abs(filled[i * 3 + c]! - truth[i * 3 + c]!)
        worst = Math.max(worst, error)
        total += error
        count++
      }
    }
    // The subject's magenta lies 100 and more away from the background; none of it may be left.
    assert.ok(total / count < 18, `mean error ${total / count}`)
    assert.ok(worst < 45, `worst error ${worst}`)
  })
}

test('what the subject does not reach stays as it was, and the input too', () => {
  const mask = disc(160, 90, 40)
  // Decoders hand over Buffers, whose slice() is no copy.
  const rgb = Buffer.from(withSubject((x, y) => [(x * 37 + y * 11) % 256, (x * 5) % 256, (y * 13) % 256], mask))
  const before = Buffer.from(rgb)
  const filled = fillBackground(rgb, width, height, mask)
  assert.deepEqual(rgb, before)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (Math.hypot(x - 160, y - 90) < 55) continue
      for (let c = 0; c < 3; c++) assert.equal(filled[(y * width + x) * 3 + c], before[(y * width + x) * 3 + c])
    }
  }
})

test('one colour around gives exactly that colour, with no step at the rim', () => {
  const mask = disc(160, 90, 50)
  const filled = fillBackground(
    withSubject(() => [90, 120, 150], mask),
    width,
    height,
    mask,
  )
  assert.deepEqual(
    filled,
    paint(() => [90, 120, 150]),
  )
})

test('the fill has no edges of its own', () => {
  const mask = disc(160, 90, 50)
  const filled = fillBackground(withSubject(gradient, mask), width, height, mask)
  let steepest = 0
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = (y * width + x) * 3
      steepest = Math.max(
        steepest,
        Math.abs(filled[at]! - filled[at - 3]!),
        Math.abs(filled[at]! - filled[at - width * 3]!),
      )
    }
  }
  assert.ok(steepest <= 8, `a step of ${steepest}`)
})

test('no subject and nothing but subject both leave the picture', () => {
  const rgb = paint(gradient)
  assert.deepEqual(fillBackground(rgb, width, height, new Uint8Array(width * height)), rgb)
  assert.deepEqual(fillBackground(rgb, width, height, new Uint8Array(width * height).fill(255)), rgb)
})
