// The eyes of one portrait travel to those of another, and nothing folds on the way.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faceFlow } from '../../../../src/engines/studio/scenes/face-flow.ts'

const size = { width: 320, height: 180 }
const eyes = (x: number, y: number, apart: number): [{ x: number; y: number }, { x: number; y: number }] => [
  { x: x - apart / 2, y },
  { x: x + apart / 2, y: y + 2 },
]

test('eyes meet eyes, both ways, and no place overtakes its neighbour', () => {
  const [first, last] = [eyes(150.5, 80.5, 24), eyes(168.5, 88.5, 30)]
  const flow = faceFlow(first, last, size)!
  for (const [field, from, to] of [
    [flow.forward, first, last],
    [flow.backward, last, first],
  ] as const) {
    for (const [i, eye] of from.entries()) {
      const at = 2 * (Math.floor(eye.y) * size.width + Math.floor(eye.x))
      const [x, y] = [eye.x + field[at]!, eye.y + field[at + 1]!]
      assert.ok(Math.hypot(x - to[i]!.x, y - to[i]!.y) < 1, `${x}, ${y}`)
    }
    assert.ok(field[0] === 0 && field.at(-1) === 0, 'the border rests')
    for (let at = 0; at + 2 < field.length; at += 2) {
      if ((at / 2 + 1) % size.width === 0) continue
      assert.ok(field[at + 2]! - field[at]! > -0.95)
    }
  }
})

test('faces at opposite ends of the frame, or of very different size, do not become each other', () => {
  assert.equal(faceFlow(eyes(40, 90, 20), eyes(280, 90, 20), size), null)
  assert.equal(faceFlow(eyes(150, 90, 12), eyes(150, 90, 60), size), null)
})
