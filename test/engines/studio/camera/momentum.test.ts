// Extensions: the camera goes on at the speed at which it left the last frame, whatever its next move is.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Camera } from '../../../../src/engines/studio/camera/camera.ts'
import { readMoves } from '../../../../src/engines/studio/camera/grammar.ts'
import { type Momentum, momentumAtEnd } from '../../../../src/engines/studio/camera/momentum.ts'
import { cameraPath, frameStep, type PathOptions, sourcePoint } from '../../../../src/engines/studio/camera/path.ts'
import { breathReach } from '../../../../src/engines/studio/camera/sway.ts'
import { framesPerSecond } from '../../../../src/video/av/timing.ts'

const aspect = 16 / 9
const moves = ['push in', 'pull out', 'pan left', 'tilt up', 'orbit right', 'truck right', 'roll clockwise']
const places = [-0.8, -0.3, 0.3, 0.8].flatMap((u) => [-0.7, 0.2, 0.7].map((v) => ({ u, v })))

type Path = (t: number) => Camera

const play = (prompt: string, seconds: number, options: Partial<PathOptions>): Path =>
  cameraPath(readMoves(prompt, ''), { guidance: 0.5, seed: 1, seconds, aspect, ...options })

const endOf = (path: Path, seconds: number): Momentum =>
  momentumAtEnd(path, { aspect, step: frameStep(seconds), framesPerSecond })

/** How far the places of a frame travel within it from one moment to another, in pixels at 1280 × 720. */
function travel(path: Path, from: number, to: number) {
  const [a, b] = [path(from), path(to)]
  return places.map(({ u, v }) => {
    const [p, q] = [sourcePoint(a, u, v, aspect), sourcePoint(b, u, v, aspect)]
    const [right, down] = [(q.x - p.x) * aspect, q.y - p.y]
    const [cos, sin] = [Math.cos(a.roll), Math.sin(a.roll)]
    return {
      x: 360 * a.zoom * (cos * right + sin * down),
      y: 360 * a.zoom * (cos * down - sin * right),
    }
  })
}

const size = (all: { x: number; y: number }[]) => all.reduce((sum, { x, y }) => sum + Math.hypot(x, y), 0)

for (const prompt of moves) {
  for (const next of [prompt, 'push in', 'pan right', 'static shot']) {
    test(`"${prompt}" goes on into "${next}" without a jolt, and on from there`, () => {
      const target = { x: 0.3, y: -0.4 }
      let [before, seconds] = [play(prompt, 5, { target }), 5]
      for (const [i, ownSeconds] of [3, 10].entries()) {
        const after = play(next, ownSeconds, { seed: 7 + i, target, momentum: endOf(before, seconds) })
        const [step, ownStep] = [frameStep(seconds), frameStep(ownSeconds)]
        const [old, start] = [travel(before, 1 - step, 1), travel(after, 0, ownStep)]
        const change = size(start.map(({ x, y }, at) => ({ x: x - old[at]!.x, y: y - old[at]!.y })))
        // 12 % of its speed, or what nobody sees: a twentieth of a pixel.
        assert.ok(change < Math.max(0.12 * size(old), 0.05 * places.length), `${change} of ${size(old)}`)
        // Then it turns into its own move bit by bit.
        const speeds = Array.from({ length: ownSeconds * 24 - 1 }, (_, f) =>
          size(travel(after, f * ownStep, (f + 1) * ownStep)),
        )
        for (const [f, speed] of speeds.slice(1).entries()) {
          assert.ok(Math.abs(speed - speeds[f]!) < 0.12 * Math.max(...speeds) + 0.05 * places.length, `frame ${f}`)
        }
        ;[before, seconds] = [after, ownSeconds]
      }
    })
  }
}

test('whatever the speed, the first frame is the picture and no frame leaves it further than a pull-out', () => {
  const speed = (most: number) => fc.double({ min: -most, max: most, noNaN: true })
  const anyMomentum = fc.record({
    ...{ zoom: speed(0.4), x: speed(0.5), y: speed(0.5), roll: speed(0.3), yaw: speed(1) },
    ...{ shiftX: speed(0.1), shiftY: speed(0.1), dolly: speed(0.3) },
  })
  fc.assert(
    fc.property(
      anyMomentum,
      fc.constantFrom(...moves, 'handheld'),
      fc.integer({ min: 1, max: 15 }),
      (momentum, prompt, seconds) => {
        const path = play(prompt, seconds, { momentum })
        const start = path(0)
        assert.ok(
          Math.abs(start.zoom - 1) < 1e-9 && Math.abs(start.x) + Math.abs(start.y) + Math.abs(start.roll) < 1e-9,
        )
        const most = momentum.zoom < 0 || prompt === 'pull out' ? 0.13 : breathReach
        for (let i = 0; i <= 40; i++) {
          for (const { u, v } of [-1, 1].flatMap((u) => [-1, 1].map((v) => ({ u, v })))) {
            const { x, y } = sourcePoint(path(i / 40), u, v, aspect)
            assert.ok(Math.max(Math.abs(x), Math.abs(y)) - 1 < most, `${x}, ${y} at ${i / 40}`)
          }
        }
      },
    ),
    { numRuns: 300 },
  )
})
