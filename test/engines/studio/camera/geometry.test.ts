// Sizes, cuts and views as tables: which part of a picture fills the frame, and that the camera never leaves it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Camera } from '../../../../src/engines/studio/camera/camera.ts'
import { cameraPath, sourcePoint } from '../../../../src/engines/studio/camera/path.ts'
import { cameraView } from '../../../../src/engines/studio/camera/view.ts'
import { readMoves } from '../../../../src/engines/studio/prompt/read-prompt.ts'
import { calls } from '../../../../src/models/subject-names.ts'
import { framesOfShots } from '../../../../src/video/av/timing.ts'
import { loadKernel } from '../../../../src/video/kernel/load-kernel.ts'
import { allocateGrid, fillGrid, framePosition, homographyWarp } from '../../../../src/video/picture/grid.ts'
import {
  attentionOf,
  coverArea,
  croppedRatio,
  detailSize,
  outputSize,
} from '../../../../src/video/picture/output-size.ts'
import { allocatePicture, lumaPad } from '../../../../src/video/picture/picture-planes.ts'
import { invert } from '../support/motion.ts'

test('the short side is as asked, the ratio as named or as the picture has it', () => {
  const table: [Parameters<typeof outputSize>[0], [number, number], [number, number]][] = [
    [{ shortSide: 720, ratio: 'auto' }, [1920, 1080], [1280, 720]],
    [{ shortSide: 720, ratio: 'auto' }, [1080, 1920], [720, 1280]],
    [{ shortSide: 720, ratio: 'auto' }, [1000, 1000], [720, 720]],
    [{ shortSide: 720, ratio: 'auto' }, [1001, 667], [1080, 720]],
    [{ shortSide: 720, ratio: 'auto' }, [4000, 1000], [1728, 720]],
    [{ shortSide: 1080, ratio: 'auto' }, [400, 4000], [1080, 2592]],
    [{ shortSide: 1080, ratio: '16:9' }, [500, 900], [1920, 1080]],
    [{ shortSide: 2160, ratio: '9:16' }, [500, 900], [2160, 3840]],
    [{ shortSide: 720, ratio: '1:1' }, [1920, 1080], [720, 720]],
    [{ width: 854, height: 480 }, [1000, 1000], [854, 480]],
  ]
  for (const [wanted, [width, height], [outWidth, outHeight]] of table) {
    assert.deepEqual(outputSize(wanted, { width, height }), { width: outWidth, height: outHeight })
  }
})

test('a picture that is too wide or too tall for a video of its shape is cropped', () => {
  const auto = { shortSide: 720, ratio: 'auto' } as const
  assert.equal(croppedRatio(auto, size(4000, 1000)), '2.4:1')
  assert.equal(croppedRatio(auto, size(400, 4000)), '1:2.4')
  for (const [width, height] of [
    [2400, 1000],
    [1000, 2400],
    [1920, 1080],
  ] as const) {
    assert.equal(croppedRatio(auto, size(width, height)), null)
  }
  // Another shape that was asked for is no surprise.
  assert.equal(croppedRatio({ shortSide: 720, ratio: '1:1' }, size(4000, 1000)), null)
  assert.equal(croppedRatio({ width: 854, height: 480 }, size(4000, 1000)), null)
})

test('the cut keeps to the attention point and inside the picture', () => {
  const wide = { width: 2000, height: 1000 }
  assert.deepEqual(coverArea(wide, { width: 500, height: 500 }, { x: 0.5, y: 0.5 }), area(500, 0, 1000, 1000))
  assert.deepEqual(coverArea(wide, { width: 500, height: 500 }, { x: 0.95, y: 0.5 }), area(1000, 0, 1000, 1000))
  assert.deepEqual(coverArea(wide, { width: 90, height: 160 }, { x: 0.3, y: 0.9 }), area(319, 0, 563, 1000))
  assert.deepEqual(detailSize({ width: 4000, height: 2250 }, { width: 1280, height: 720 }, 1.5), size(1920, 1080))
  assert.deepEqual(detailSize({ width: 800, height: 450 }, { width: 1280, height: 720 }, 1.25), size(1280, 720))
})

test('a subject is framed whole where it fits, else from its head down', () => {
  const [tall, wide] = [size(900, 1600), size(1600, 900)]
  const standing = area(0.3, 0.2, 0.4, 0.8)
  const { x, y } = attentionOf(standing, tall, wide)
  const cut = coverArea(tall, wide, { x, y })
  assert.ok(cut.y < 0.2 * 1600 && cut.y > 0.1 * 1600, `cut from ${cut.y}`)
  assert.deepEqual(attentionOf(area(0.6, 0.4, 0.2, 0.2), wide, tall), { x: 0.7, y: 0.5 })
})

test('shots fill the video to the frame, each in proportion', () => {
  assert.deepEqual(framesOfShots([5], 120), [120])
  assert.deepEqual(framesOfShots([2, 3], 120), [48, 72])
  assert.deepEqual(framesOfShots([1, 1, 1], 100), [33, 34, 33])
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0.1, max: 15, noNaN: true }), { minLength: 1, maxLength: 6 }), (seconds) => {
      const frames = Math.round(seconds.reduce((sum, value) => sum + value, 0) * 24) + 6
      const counts = framesOfShots(seconds, frames)
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        frames,
      )
      assert.ok(counts.every((count) => count >= 1))
    }),
  )
})

test('a prompt calls an element by its whole name only', () => {
  const table: [string, string, boolean][] = [
    ['@dog runs', 'dog', true],
    ['the @Dog, running', 'dog', true],
    ['a dog runs', 'dog', false],
    ['@doghouse', 'dog', false],
    ['@doghouse and @dog', 'dog', true],
    ['@dog_2', 'dog', false],
    ['(@dog)', 'dog', true],
    ['@小狗在跑', '小狗', true],
  ]
  for (const [prompt, name, called] of table) assert.equal(calls(prompt, name), called, prompt)
})

const cameras = fc.record({
  zoom: fc.double({ min: 1, max: 2, noNaN: true }),
  x: fc.double({ min: -1, max: 1, noNaN: true }),
  y: fc.double({ min: -1, max: 1, noNaN: true }),
  roll: fc.double({ min: -0.3, max: 0.3, noNaN: true }),
  yaw: fc.double({ min: -1, max: 1, noNaN: true }),
  shiftX: fc.constant(0),
  shiftY: fc.constant(0),
  dolly: fc.constant(0),
})

test('the view is the one that the camera describes, and its inverse leads back', () => {
  const frame = size(640, 360)
  const source = size(1600, 900)
  fc.assert(
    fc.property(
      cameras,
      fc.double({ min: -1, max: 1, noNaN: true }),
      fc.double({ min: -1, max: 1, noNaN: true }),
      (camera: Camera, u, v) => {
        const view = cameraView(camera, frame, source)
        const x = ((u + 1) / 2) * frame.width
        const y = ((v + 1) / 2) * frame.height
        const to = new Float64Array(2)
        homographyWarp(view)(x, y, to)
        const wanted = sourcePoint(camera, u, v, frame.width / frame.height)
        assert.ok(Math.abs(to[0]! - ((wanted.x + 1) / 2) * source.width) < 1e-6)
        assert.ok(Math.abs(to[1]! - ((wanted.y + 1) / 2) * source.height) < 1e-6)
        homographyWarp(invert(view))(to[0]!, to[1]!, to)
        assert.ok(Math.hypot(to[0]! - x, to[1]! - y) < 1e-6)
      },
    ),
  )
})

test('no move shows anything beyond the picture', () => {
  const frame = size(1280, 720)
  for (const prompt of ['push in fast', 'pan right and tilt down', 'orbit', 'roll', 'handheld', 'a quiet lake']) {
    const path = cameraPath(readMoves(prompt, ''), { guidance: 1, seed: 3, seconds: 10, aspect: 16 / 9 })
    for (let i = 0; i <= 48; i++) {
      const warp = homographyWarp(cameraView(path(i / 48), frame, frame))
      for (const [x, y] of [
        [0, 0],
        [1280, 0],
        [0, 720],
        [1280, 720],
      ] as const) {
        const to = new Float64Array(2)
        warp(x, y, to)
        assert.ok(to[0]! > -0.01 && to[0]! < 1280.01 && to[1]! > -0.01 && to[1]! < 720.01, `${prompt} at ${i}: ${to}`)
      }
    }
  }
})

function area(x: number, y: number, width: number, height: number) {
  return { x, y, width, height }
}

function size(width: number, height: number) {
  return { width, height }
}

test('a grid knows where in the frame it shows a place of the source', async () => {
  const kernel = await loadKernel()
  const frame = { width: 320, height: 192 }
  const source = allocatePicture(kernel, 400, 240, lumaPad)
  const grid = allocateGrid(kernel, frame)
  const warp = homographyWarp([1.1, 0.05, 10, -0.04, 1.05, 14, 0.0002, 0, 1])
  fillGrid(kernel, grid, source, warp)
  const place = new Float64Array(2)
  for (const [x, y] of [
    [0.5, 0.5],
    [87.3, 41.9],
    [160, 96],
    [311, 180],
    // Beyond the frame.
    [150, -8],
  ] as const) {
    warp(x, y, place)
    const found = framePosition(kernel, grid, place[0]!, place[1]!)
    assert.ok(Math.hypot(found.x - x, found.y - y) < 0.2, `${x}, ${y}: ${found.x}, ${found.y}`)
  }
})
