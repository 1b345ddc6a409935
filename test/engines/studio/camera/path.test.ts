import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Camera } from '../../../../src/engines/studio/camera/camera.ts'
import type { Slack } from '../../../../src/engines/studio/camera/goals.ts'
import { cameraPath, ease, maxZoom, type PathOptions, sourcePoint } from '../../../../src/engines/studio/camera/path.ts'
import type { Moves } from '../../../../src/engines/studio/prompt/moves/moves.ts'
import { readMoves, readPrompt } from '../../../../src/engines/studio/prompt/read-prompt.ts'

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
const anySlack = fc.record({ left: slackSide(), right: slackSide(), top: slackSide(), bottom: slackSide() })

function slackSide() {
  return fc.oneof(fc.constant(0), fc.double({ min: 0, max: 2, noNaN: true }))
}

/** How far beyond the picture a corner of the frame looks. */
function outside(camera: Camera, aspect: number, slack: Slack): number {
  let most = 0
  for (const u of [-1, 0, 1]) {
    for (const v of [-1, 0, 1]) {
      const { x, y } = sourcePoint(camera, u, v, aspect)
      most = Math.max(most, x - 1 - slack.right, -1 - slack.left - x, y - 1 - slack.bottom, -1 - slack.top - y)
    }
  }
  return most
}

test('the frame never leaves the picture, except for the margin of a pull-out', () => {
  const aspects = fc.double({ min: 0.4, max: 2.5, noNaN: true })
  fc.assert(
    fc.property(anyMoves, anyOptions, anyAnchor, aspects, anySlack, (moves, options, anchor, aspect, slack) => {
      const path = cameraPath(moves, { ...options, ...(anchor && { anchor }), aspect, slack })
      const pulls = moves.zoom < 0 && anchor !== 'end'
      for (let i = 0; i <= 40; i++) {
        const camera = path(i / 40)
        assert.ok(camera.zoom < 6 && camera.zoom > 0.3, `zoom ${camera.zoom}`)
        const out = outside(camera, aspect, slack)
        assert.ok(out < (pulls ? 0.18 : 1e-9), `${out} beyond the picture at ${i / 40}`)
      }
    }),
    { numRuns: 400 },
  )
})

test('every path is exactly the picture at its start, or at its end where it is anchored there', () => {
  fc.assert(
    fc.property(anyMoves, anyOptions, anyAnchor, anySlack, (moves, options, anchor, slack) => {
      const path = cameraPath(moves, { ...options, ...(anchor && { anchor }), slack, target: { x: 0.4, y: -0.6 } })
      const camera = path(anchor === 'end' ? 1 : 0)
      for (const [u, v] of [
        [-1, -1],
        [1, -1],
        [-1, 1],
        [1, 1],
      ] as const) {
        const { x, y } = sourcePoint(camera, u, v, 16 / 9)
        assert.ok(Math.abs(x - u) < 1e-9 && Math.abs(y - v) < 1e-9, `${u},${v} shows ${x},${y}`)
      }
      for (const part of [camera.shiftX, camera.shiftY, camera.dolly]) assert.ok(Math.abs(part) < 1e-12)
    }),
  )
})

test('each move goes its way', () => {
  const end = (prompt: string) => play(prompt)(1)
  const still = 0.002
  const pushed = end('push in')
  assert.ok(pushed.zoom > 1.2 && Math.abs(pushed.x) < still && Math.abs(pushed.y) < still && pushed.dolly > 0.05)
  const pulled = end('pull out')
  assert.ok(pulled.zoom < 1 && pulled.dolly < -0.05)
  const left = end('pan left')
  assert.ok(left.x < -0.1 && left.shiftX < -0.02 && Math.abs(left.y) < still)
  const up = end('tilt up')
  assert.ok(up.y < -0.1 && up.shiftY < -0.01)
  const orbit = end('orbit around her')
  assert.ok(orbit.yaw > 0.5 && orbit.shiftX > 0.07 && orbit.shiftX < 0.1)
  assert.ok(end('the camera rolls left').roll < -0.05)
  const both = end('push in while panning right')
  assert.ok(both.zoom > 1.2 && both.x > 0.05)
})

test('a pull-out goes back from what it aims at, which stays in its place', () => {
  const target = { x: 0.1, y: -0.55 }
  const options = { guidance: 0.5, seed: 1, seconds: 5, aspect: 16 / 9, target }
  const { zoom, x, y } = cameraPath(readMoves('pull out', ''), options)(1)
  assert.ok(zoom < 0.9, `zoom ${zoom}`)
  const seen = { x: (target.x - x) * zoom, y: (target.y - y) * zoom }
  assert.ok(Math.hypot(seen.x - target.x, seen.y - target.y) < 0.04, `at ${seen.x}, ${seen.y}`)
  // Where there is more picture around, the camera stays in it.
  const slack = { left: 0.4, right: 0.4, top: 0.4, bottom: 0.4 }
  const inside = cameraPath(readMoves('pull out', ''), { ...options, slack })(1)
  assert.ok(inside.zoom < 0.9 && Math.hypot(inside.x, inside.y) < 0.01, JSON.stringify(inside))
})

test('a pull-out stays one beside other moves, and they still go their way', () => {
  for (const seconds of [5, 10]) {
    const end = (prompt: string) => play(prompt, { seconds })(1)
    const panned = end('pull out and pan left')
    assert.ok(panned.zoom < 0.98 && panned.x < -0.02, `zoom ${panned.zoom} x ${panned.x}`)
    const risen = end('drone shot pulls back and rises')
    assert.ok(risen.zoom < 0.98 && risen.y < -0.02, `zoom ${risen.zoom} y ${risen.y}`)
    const circled = end('zoom out and orbit right')
    assert.ok(circled.zoom < 0.98 && circled.yaw > 0.1, `zoom ${circled.zoom} yaw ${circled.yaw}`)
  }
})

test('a pan uses the picture beyond the frame before it zooms, and a push-in aims at its target', () => {
  const slack = { left: 0, right: 1.5, top: 0, bottom: 0 }
  const panned = play('pan right', { slack })(1)
  assert.ok(panned.x > 0.6 && panned.zoom < 1.15, `x ${panned.x} zoom ${panned.zoom}`)
  const unnamed = play('a quiet street', { slack })(1)
  assert.ok(unnamed.x > 0.5, 'a crop that loses much is panned over what it loses')
  const target = { x: 0.5, y: -0.4 }
  const aimed = play('push in', { target })(1)
  assert.ok(aimed.x > 0.08 && aimed.y < -0.05)
  assert.ok(play('push in', { zoomMax: 1.1 })(1).zoom < 1.25)
  assert.ok(play('a face', { closeZoom: 1.8 })(1).zoom > 1.7)
})

test('phases are played one after another, and the camera never stops between them', () => {
  const path = cameraPath([readMoves('zoom in', ''), readMoves('pan left', '')], { ...usual, aspect: 16 / 9 })
  const [middle, end] = [path(0.45), path(1)]
  assert.ok(middle.zoom > 1.15 && middle.x > -0.03, `zoom ${middle.zoom} x ${middle.x}`)
  assert.ok(end.x < -0.1)
  for (let i = 1; i < 120; i++) {
    const [a, b] = [path((i - 1) / 119), path(i / 119)]
    assert.ok(Math.abs(a.zoom - b.zoom) + Math.abs(a.x - b.x) > 1e-5, `frame ${i}`)
  }
})

test('a pull-out after a push-in goes back to the whole picture', () => {
  for (const seconds of [5, 10]) {
    const { phases } = readPrompt('push in, then pull out', '')
    const path = cameraPath(phases, { ...usual, seconds, aspect: 16 / 9 })
    const [middle, end] = [path(0.5), path(1)]
    assert.ok(middle.zoom > 1.2 && Math.abs(end.zoom - 1) < 0.02, `zoom ${middle.zoom}, then ${end.zoom}`)
  }
})

test('a close shot is reached once, also where another move follows', () => {
  const { phases } = readPrompt('zoom in on her face, then orbit left', '')
  const path = cameraPath(phases, { ...usual, aspect: 16 / 9, closeZoom: 1.8 })
  const [middle, end] = [path(0.5), path(1)]
  assert.ok(middle.zoom > 1.6 && end.zoom < 2.3, `zoom ${middle.zoom}, then ${end.zoom}`)
})

test('a camera at yaw 1 shows the near side larger', () => {
  const camera = { zoom: 1.2, x: 0, y: 0, roll: 0, yaw: 1, shiftX: 0, shiftY: 0, dolly: 0 }
  const right = sourcePoint(camera, 1, 0, 1).x - sourcePoint(camera, 0.9, 0, 1).x
  const left = sourcePoint(camera, -0.9, 0, 1).x - sourcePoint(camera, -1, 0, 1).x
  assert.ok(right < left)
})

test('a static camera breathes below a pixel; one on a tripod does not', () => {
  const static_ = play('static shot')
  const points = Array.from({ length: 120 }, (_, i) => sourcePoint(static_(i / 119), 0, 0, 16 / 9))
  assert.ok(points.every(({ x, y }) => Math.abs(x) < 1 / 640 && Math.abs(y) < 1 / 360))
  for (let i = 25; i < 120; i++) assert.notDeepEqual(points[i], points[i - 1])
  const locked = play('locked-off shot')
  for (const t of [0, 0.5, 1]) assert.deepEqual(sourcePoint(locked(t), 1, -1, 1), { x: 1, y: -1 })
})

test('the ease begins and ends at part of its speed, so that an extension plays on, and is even in the middle', () => {
  assert.equal(ease(0), 0)
  assert.ok(Math.abs(ease(1) - 1) < 1e-12)
  const h = 1e-3
  const speed = (t: number) => (ease(t + h) - ease(t)) / h
  const cruise = speed(0.5)
  assert.ok(speed(0) > 0.3 * cruise && speed(0) < 0.4 * cruise)
  assert.ok(Math.abs(speed(1 - h) - speed(0)) < 1e-3)
  for (const t of [0.3, 0.45, 0.55, 0.65]) assert.ok(Math.abs(speed(t) - cruise) < 1e-9)
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

test('guidance and pace widen a named move; a longer clip moves slower per second', () => {
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
    assert.ok(maxZoom(path) < 1.45)
    const moved = Math.abs(from.zoom - to.zoom) + Math.abs(from.x - to.x) + Math.abs(from.yaw - to.yaw)
    assert.ok(moved > 0.1, `seed ${seed} does not move`)
    kinds.add([to.dolly, to.shiftX, to.shiftY].map((part) => Math.sign(Math.round(part * 200))).join(' '))
  }
  assert.ok(kinds.size >= 5, [...kinds].join())
  const calm = readMoves('a quiet lake', 'zoom, orbit')
  for (let seed = 0; seed < 40; seed++) {
    const path = cameraPath(calm, { ...usual, seed })
    assert.ok(path(1).dolly === 0 && path(1).yaw < 0.2)
  }
})

test('the hand sways within its reach, by the seed, and slowly', () => {
  const path = play('handheld', { seconds: 10 })
  const xs = Array.from({ length: 240 }, (_, i) => sourcePoint(path(i / 239), 0, 0, 1).x)
  const spread = Math.max(...xs) - Math.min(...xs)
  assert.ok(spread > 0.004 && spread < 0.03, String(spread))
  for (let i = 1; i < xs.length; i++) assert.ok(Math.abs(xs[i]! - xs[i - 1]!) < spread / 3)
  assert.notDeepEqual(path(0.4), play('handheld', { seconds: 10, seed: 2 })(0.4))
  // After the first second, which begins on the picture, the zoom does not breathe.
  const zooms = Array.from({ length: 20 }, (_, i) => path(0.11 + (0.89 * i) / 19).zoom)
  assert.ok(Math.max(...zooms) - Math.min(...zooms) < 1e-9)
})

test('the largest zoom is that of the path', () => {
  assert.ok(Math.abs(maxZoom(play('push in')) - play('push in')(1).zoom) < 1e-3)
  assert.equal(maxZoom(play('tripod')), 1)
})

test('a roll turns further alone than beside other moves', () => {
  const rolled = (prompt: string) =>
    cameraPath(readMoves(prompt, ''), { guidance: 0.5, seed: 3, seconds: 5, aspect: 16 / 9 })(1).roll
  assert.ok(rolled('roll clockwise') > (9 * Math.PI) / 180, `${rolled('roll clockwise')}`)
  assert.ok(rolled('zoom in, roll clockwise') < rolled('roll clockwise'))
})

test('another take of a move goes a little further or less far', () => {
  const options = { guidance: 0.5, seed: 3, seconds: 5, aspect: 16 / 9 }
  const zooms = [undefined, 1, 2, 3, 4].map(
    (take) => cameraPath(readMoves('push in', ''), { ...options, take })(1).zoom,
  )
  assert.equal(new Set(zooms).size, zooms.length)
  for (const zoom of zooms) assert.ok(Math.abs(zoom / zooms[0]! - 1) < 0.08, `${zooms}`)
  assert.ok(Math.max(...zooms) - Math.min(...zooms) > 0.03, `${zooms}`)
})
