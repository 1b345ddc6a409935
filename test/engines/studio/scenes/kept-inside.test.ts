// A view that reaches beyond its picture shows nothing beyond it, keeps its order, and is exact in the middle.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cameraPath } from '../../../../src/engines/studio/camera/path.ts'
import { cameraView } from '../../../../src/engines/studio/camera/view.ts'
import { readMoves } from '../../../../src/engines/studio/prompt/read-prompt.ts'
import { keptInside } from '../../../../src/engines/studio/scenes/kept-inside.ts'
import { homographyWarp } from '../../../../src/video/picture/grid.ts'

const frame = { width: 1280, height: 720 }
const aspect = 16 / 9

test('a pull-out ends on the edges of its picture, and every place stays between its neighbours', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('pull out', 'pull out, roll clockwise', 'pull out and pan left', 'push in', 'orbit right'),
      fc.integer({ min: 1, max: 15 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (prompt, seconds, guidance) => {
        const path = cameraPath(readMoves(prompt, ''), { guidance, seed: 5, seconds, aspect })
        for (const t of [0, 0.02, 0.5, 1]) {
          const plain = homographyWarp(cameraView(path(t), frame, frame))
          const warp = keptInside(plain, frame, frame)
          const [at, right, below] = [new Float64Array(2), new Float64Array(2), new Float64Array(2)]
          for (let y = 0; y <= frame.height; y += 48) {
            for (let x = 0; x <= frame.width; x += 64) {
              warp(x, y, at)
              assert.ok(at[0]! > -0.01 && at[0]! < frame.width + 0.01, `${prompt}: x ${at[0]}`)
              assert.ok(at[1]! > -0.01 && at[1]! < frame.height + 0.01, `${prompt}: y ${at[1]}`)
              warp(x + 1, y, right)
              warp(x, y + 1, below)
              assert.ok(right[0]! - at[0]! > 0.5 && below[1]! - at[1]! > 0.5, `${prompt}: squeezed at ${x}, ${y}`)
            }
          }
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('what stays inside is not touched, and a pull-out shrinks the middle as the camera says', () => {
  const inside = homographyWarp([0.9, 0, 60, 0, 0.9, 30, 0, 0, 1])
  assert.equal(keptInside(inside, frame, frame), inside)
  const zoom = 0.92
  const plain = homographyWarp([1 / zoom, 0, 640 - 640 / zoom, 0, 1 / zoom, 360 - 360 / zoom, 0, 0, 1])
  const warp = keptInside(plain, frame, frame)
  const [left, right] = [new Float64Array(2), new Float64Array(2)]
  warp(639, 360, left)
  warp(641, 360, right)
  assert.ok(Math.abs((right[0]! - left[0]!) / 2 - 1 / zoom) < 0.002)
  warp(0, 0, left)
  warp(1280, 720, right)
  assert.ok(Math.hypot(left[0]!, left[1]!) < 1e-6 && Math.hypot(right[0]! - 1280, right[1]! - 720) < 1e-6)
})
