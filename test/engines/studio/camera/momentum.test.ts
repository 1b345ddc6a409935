// Extensions: the camera goes on at the speed at which it left the last frame, whatever its next move is.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Camera } from '../../../../src/engines/studio/camera/camera.ts'
import { type Speed, speedAtEnd } from '../../../../src/engines/studio/camera/momentum.ts'
import { cameraPath, frameStep, type PathOptions, sourcePoint } from '../../../../src/engines/studio/camera/path.ts'
import { breathReach } from '../../../../src/engines/studio/camera/sway.ts'
import { readMoves } from '../../../../src/engines/studio/prompt/read-prompt.ts'
import { framesPerSecond } from '../../../../src/video/av/timing.ts'

const aspect = 16 / 9
const moves = ['push in', 'pull out', 'pan left', 'tilt up', 'orbit right', 'truck right', 'roll clockwise']
const places = [-0.8, -0.3, 0.3, 0.8].flatMap((u) => [-0.7, 0.2, 0.7].map((v) => ({ u, v })))

type Path = (t: number) => Camera

const play = (prompt: string, seconds: number, options: Partial<PathOptions>): Path =>
  cameraPath(readMoves(prompt, ''), { guidance: 0.5, seed: 1, seconds, aspect, ...options })

const endOf = (path: Path, seconds: number): Speed =>
  speedAtEnd(path, { aspect, step: frameStep(seconds), framesPerSecond })

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

type Travel = ReturnType<typeof travel>

/** How far each place goes from each frame to the next. */
const steps = (path: Path, seconds: number): Travel[] => {
  const step = frameStep(seconds)
  return Array.from({ length: seconds * framesPerSecond - 1 }, (_, f) => travel(path, f * step, (f + 1) * step))
}

/** The furthest of one place. */
const furthest = (all: Travel) => Math.max(...all.map(({ x, y }) => Math.hypot(x, y)))

const combine = (all: Travel[], weights: number[]): Travel =>
  places.map((_, at) => {
    const sum = (axis: 'x' | 'y') => all.reduce((total, own, i) => total + weights[i]! * own[at]![axis], 0)
    return { x: sum('x'), y: sum('y') }
  })

const targets = [
  { x: 0.3, y: -0.4 },
  { x: -0.8, y: 0.5 },
]

for (const prompt of moves) {
  for (const next of new Set([prompt, 'push in', 'pull out', 'pan right', 'static shot'])) {
    // A pull-out also turns towards what it goes back from.
    const most = [prompt, next].includes('pull out') ? { change: 0.1, jerk: 0.22 } : { change: 0.07, jerk: 0.11 }
    test(`"${prompt}" goes on into "${next}" without a jolt, and on from there`, () => {
      for (const target of targets) {
        let [before, seconds] = [play(prompt, 5, { target }), 5]
        for (const [i, ownSeconds] of [3, 10].entries()) {
          const after = play(next, ownSeconds, { seed: 7 + i, target, speedBefore: endOf(before, seconds) })
          const [old, own] = [steps(before, seconds), steps(after, ownSeconds)]
          const change = furthest(combine([old.at(-1)!, own[0]!], [-1, 1]))
          // Too little to be seen; it is most where a camera needs more room than it came with.
          assert.ok(change < most.change, `${change} px of ${furthest(old.at(-1)!)}`)
          // Then it turns into its own move bit by bit: a change of pace never sets in or ends with a jerk.
          const all = [...old.slice(-3), ...own]
          for (let f = 2; f < all.length; f++) {
            const jerk = furthest(combine(all.slice(f - 2, f + 1), [1, -2, 1]))
            assert.ok(jerk < most.jerk, `${jerk} px at frame ${f - 3}`)
          }
          ;[before, seconds] = [after, ownSeconds]
        }
      }
    })
  }
}

test('whatever the speed, the first frame is the picture and no frame leaves it further than a pull-out', () => {
  const speed = (most: number) => fc.double({ min: -most, max: most, noNaN: true })
  const anySpeed = fc.record({
    zoom: speed(0.4),
    x: speed(0.5),
    y: speed(0.5),
    roll: speed(0.3),
    yaw: speed(1),
    shiftX: speed(0.1),
    shiftY: speed(0.1),
    dolly: speed(0.3),
  })
  fc.assert(
    fc.property(
      anySpeed,
      fc.constantFrom(...moves, 'handheld'),
      fc.integer({ min: 1, max: 15 }),
      (speedBefore, prompt, seconds) => {
        const path = play(prompt, seconds, { speedBefore })
        const start = path(0)
        assert.ok(
          Math.abs(start.zoom - 1) < 1e-9 && Math.abs(start.x) + Math.abs(start.y) + Math.abs(start.roll) < 1e-9,
        )
        const most = speedBefore.zoom < 0 || prompt === 'pull out' ? 0.19 : breathReach
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
