// Which outlines are good enough to cut an element out by.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCleanMatte, keyedMatte } from '../../../../src/engines/studio/elements/matte.ts'

const size = { width: 240, height: 180 }

function maskOf(inside: (x: number, y: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: size.width * size.height }, (_, i) =>
    inside(i % size.width, Math.floor(i / size.width)) ? 255 : 0,
  )
}

const disc = (x: number, y: number) => Math.hypot(x - 120, y - 90) < 50

test('a whole thing is cut out; specks, whole pictures and ragged outlines are not', () => {
  assert.ok(isCleanMatte(maskOf(disc), size))
  assert.ok(
    !isCleanMatte(
      maskOf((x, y) => Math.hypot(x - 120, y - 90) < 5),
      size,
    ),
  )
  assert.ok(
    !isCleanMatte(
      maskOf(() => true),
      size,
    ),
  )
  assert.ok(
    !isCleanMatte(
      maskOf((x, y) => disc(x, y) && (x >> 2) % 2 === 0),
      size,
    ),
  )
  assert.ok(!isCleanMatte(new Uint8Array(size.width * size.height), size))
})

test('a thing on a background of one colour is cut out along its edge, with what is white inside of it', () => {
  const rgb = new Uint8Array(size.width * size.height * 3).fill(250)
  for (let i = 0; i < rgb.length / 3; i++) {
    const [x, y] = [i % size.width, Math.floor(i / size.width)]
    const away = Math.hypot(x - 120, y - 90)
    if (away < 50 && away > 20) rgb.fill(60, i * 3, i * 3 + 3)
  }
  const mask = keyedMatte({ rgb, ...size })!
  assert.ok(mask[90 * 240 + 120] === 255 && mask[90 * 240 + 160] === 255 && mask[0] === 0)
  assert.ok(isCleanMatte(mask, size))
  for (let i = 0; i < rgb.length; i += 6) rgb[i] = 30
  assert.equal(keyedMatte({ rgb, ...size }), null)
})
