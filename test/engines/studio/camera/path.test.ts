import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Moves, readMoves } from '../../../../src/engines/studio/camera/grammar.ts'
import {
  type Camera,
  cameraPath,
  ease,
  maxZoom,
  type PathOptions,
  sourcePoint,
} from '../../../../src/engines/studio/camera/path.ts'

const usual: PathOptions = { guidance: 0.5, seed: 1, seconds: 5 }
const play = (prompt: string, options: Partial<PathOptions> = {}) =>
  cameraPath(readMoves(prompt, ''), { ...usual, ...options })

const signed = fc.oneof(fc.constant(0), fc.double({ min: -1, max: 1, noNaN: true }))
const anyMoves: fc.Arbitrary<Moves> = fc.record({
  zoom: signed,
  pan: signed,
  tilt: signed,
  orbit: signed,
  roll: signed,
  handheld: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
  still: fc.constant(false),
  speed: fc.double({ min: 0.5, max: 2, noNaN: true }),
  named: fc.boolean(),
})
const anyOptions = fc.record({
  guidance: fc.double({ min: 0, max: 1, noNaN: true }),
  seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  seconds: fc.double({ min: 1, max: 15, noNaN: true }),
})
const anyAnchor = fc.constantFrom(undefined, 'start', 'end') as fc.Arbitrary<'start' | 'end' | undefined>

function assertInside(camera: Camera, aspect: number) {
  assert.ok(camera.zoom >= 1 && camera.zoom < 5, `zoom ${camera.zoom}`)
  for (const value of [camera.x, camera.y, camera.yaw, camera.pitch]) assert.ok(Math.abs(value) <= 1, String(value))
  for (const u of [-1, 0, 1]) {
    for (const v of [-1, 0, 1]) {
      const { x, y } = sourcePoint(camera, u, v, aspect)
      assert.ok(Math.abs(x) <= 1 + 1e-9 && Math.abs(y) <= 1 + 1e-9, `${u},${v} shows ${x},${y}`)
    }
  }
}

test('the frame never leaves the picture, whatever the moves and the aspect', () => {
  const aspects = fc.double({ min: 0.4, max: 2.5, noNaN: true })
  fc.assert(
    fc.property(anyMoves, anyOptions, anyAnchor, aspects, fc.boolean(), (moves, options, anchor, aspect, known) => {
      const path = cameraPath(moves, { ...options, ...(anchor && { anchor }), ...(known && { aspect }) })
      for (let i = 0; i <= 40; i++) assertInside(path(i / 40), aspect)
    }),
    { numRuns: 400 },
  )
})

test('an anchored path is on the whole picture at that end', () => {
  fc.assert(
    fc.property(anyMoves, anyOptions, fc.constantFrom('start', 'end'), (moves, options, anchor) => {
      const camera = cameraPath(moves, { ...options, anchor: anchor as 'start' })(anchor === 'start' ? 0 : 1)
      for (const [u, v] of [
        [-1, -1],
        [1, -1],
        [-1, 1],
        [1, 1],
      ] as const) {
        const { x, y } = sourcePoint(camera, u, v, 16 / 9)
        assert.ok(Math.abs(x - u) < 1e-9 && Math.abs(y - v) < 1e-9, `${u},${v} shows ${x},${y}`)
      }
    }),
  )
})

test('each move goes its way', () => {
  const ends = (prompt: string) => [play(prompt)(0), play(prompt)(1)] as const
  const [inFrom, inTo] = ends('push in')
  assert.ok(inFrom.zoom === 1 && inTo.zoom > 1.2 && inTo.x === 0 && inTo.y === 0)
  const [outFrom, outTo] = ends('pull out')
  assert.ok(outFrom.zoom > 1.2 && Math.abs(outTo.zoom - 1) < 1e-12)
  const [leftFrom, leftTo] = ends('pan left')
  assert.ok(leftFrom.x > 0.8 && leftTo.x < -0.8 && leftTo.y === 0)
  const [upFrom, upTo] = ends('tilt up')
  assert.ok(upFrom.y > 0.8 && upTo.y < -0.8)
  const [orbitFrom, orbitTo] = ends('orbit around her')
  assert.ok(orbitFrom.yaw < -0.5 && orbitTo.yaw > 0.5)
  const [rollFrom, rollTo] = ends('the camera rolls left')
  assert.ok(rollFrom.roll === 0 && rollTo.roll < -0.05)
  const [bothFrom, bothTo] = ends('push in while panning right')
  assert.ok(bothTo.zoom > bothFrom.zoom * 1.2 && bothFrom.x < 0 && bothTo.x > 0)
})

test('a camera at yaw 1 shows the near side larger', () => {
  const camera = { zoom: 1.2, x: 0, y: 0, roll: 0, yaw: 1, pitch: 0 }
  const right = sourcePoint(camera, 1, 0, 1).x - sourcePoint(camera, 0.9, 0, 1).x
  const left = sourcePoint(camera, -0.9, 0, 1).x - sourcePoint(camera, -1, 0, 1).x
  assert.ok(right < left)
})

test('stillness is still', () => {
  const path = play('static shot')
  for (let i = 0; i <= 10; i++) assert.deepEqual(path(i / 10), { zoom: 1, x: 0, y: 0, roll: 0, yaw: 0, pitch: 0 })
})

test('the ease starts and stops softly, is even in the middle and has no jump in its second derivative', () => {
  assert.equal(ease(0), 0)
  assert.equal(ease(1), 1)
  const h = 1e-3
  const speed = (t: number) => (ease(t + h) - ease(t - h)) / (2 * h)
  assert.ok(speed(0.002) < 0.01 && speed(0.998) < 0.01)
  for (const t of [0.35, 0.45, 0.5, 0.55, 0.65]) assert.ok(Math.abs(speed(t) - 1 / 0.7) < 1e-9)
  const bend = (t: number) => (ease(t + h) - 2 * ease(t) + ease(t - h)) / h ** 2
  for (let t = 0.01; t < 0.99; t += h) assert.ok(Math.abs(bend(t + h) - bend(t)) < 0.1, `at ${t}`)
})

test('motion from frame to frame is smooth to a fraction of a pixel', () => {
  const prompts = [
    'push in',
    'fast pan left',
    'orbit around it',
    'roll clockwise',
    'handheld push in while panning left',
  ]
  for (const prompt of prompts) {
    for (const anchor of [undefined, 'start', 'end'] as const) {
      const path = play(prompt, { aspect: 16 / 9, ...(anchor && { anchor }) })
      const frames = Array.from({ length: 120 }, (_, i) => sourcePoint(path(i / 119), 1, -1, 16 / 9).x * 640)
      for (let i = 3; i < frames.length; i++) {
        const third = frames[i]! - 3 * frames[i - 1]! + 3 * frames[i - 2]! - frames[i - 3]!
        assert.ok(Math.abs(third) < 0.12, `${prompt} ${anchor}: frame ${i} jerks by ${third} px`)
      }
    }
  }
})

test('guidance and pace widen a named move; a longer clip moves slower a second', () => {
  const growth = (prompt: string, options: Partial<PathOptions>) => play(prompt, options)(1).zoom
  assert.ok(growth('zoom in', { guidance: 0 }) < growth('zoom in', { guidance: 0.5 }))
  assert.ok(growth('zoom in', { guidance: 0.5 }) < growth('zoom in', { guidance: 1 }))
  assert.ok(growth('slow zoom in', {}) < growth('zoom in', {}) && growth('zoom in', {}) < growth('fast zoom in', {}))
  const rate = (seconds: number) => Math.log(growth('zoom in', { seconds })) / seconds
  assert.ok(rate(3) > rate(5) && rate(5) > rate(10) && rate(10) > rate(15))
})

test('a prompt without a move gets a gentle one by the seed, the same whatever the guidance', () => {
  const moves = readMoves('a quiet lake', '')
  const kinds = new Set<string>()
  for (let seed = 0; seed < 60; seed++) {
    const path = cameraPath(moves, { ...usual, seed })
    const again = cameraPath(moves, { ...usual, seed, guidance: 1 })
    for (const t of [0, 0.3, 1]) assert.deepEqual(path(t), again(t))
    const [from, to] = [path(0), path(1)]
    assert.ok(maxZoom(path) < 1.4)
    const moved = Math.abs(from.zoom - to.zoom) + Math.abs(from.x - to.x) + Math.abs(from.yaw - to.yaw)
    assert.ok(moved > 0.1, `seed ${seed} does not move`)
    kinds.add(`${Math.sign(Math.round((to.zoom - from.zoom) * 100))} ${Math.sign(to.x - from.x)}`)
  }
  assert.ok(kinds.size >= 5, [...kinds].join())
  const calm = readMoves('a quiet lake', 'zoom, orbit')
  for (let seed = 0; seed < 40; seed++) {
    const path = cameraPath(calm, { ...usual, seed })
    assert.ok(Math.abs(path(0).zoom - path(1).zoom) < 1e-9)
  }
})

test('the hand sways within its reach, by the seed, and slowly', () => {
  const path = play('handheld', { seconds: 10 })
  const xs = Array.from({ length: 240 }, (_, i) => sourcePoint(path(i / 239), 0, 0, 1).x)
  const spread = Math.max(...xs) - Math.min(...xs)
  assert.ok(spread > 0.004 && spread < 0.03, String(spread))
  for (let i = 1; i < xs.length; i++) assert.ok(Math.abs(xs[i]! - xs[i - 1]!) < spread / 3)
  assert.notDeepEqual(path(0.4), play('handheld', { seconds: 10, seed: 2 })(0.4))
  const zooms = new Set(Array.from({ length: 20 }, (_, i) => path(i / 19).zoom))
  assert.equal(zooms.size, 1)
})

test('the largest zoom is that of the path', () => {
  assert.ok(Math.abs(maxZoom(play('push in')) - play('push in')(1).zoom) < 1e-9)
  assert.equal(maxZoom(play('static')), 1)
})
