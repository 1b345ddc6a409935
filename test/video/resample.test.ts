// The resampler: nothing shifts, whatever the sizes, and the plain sums give the same bytes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadKernel } from '../../src/video/kernel/load-kernel.ts'
import { type Raster, resample } from '../../src/video/picture/resample.ts'
import { seededRandom } from '../../src/video/random.ts'
import { plainKernel } from './oracle/plain-kernel.ts'

/** A slope that every filter draws exactly, far from the edges: what a place shows says where it was taken from. */
function slope(width: number, height: number, channels: 1 | 3): Raster {
  const bytes = new Uint8Array(width * height * channels)
  for (let i = 0; i < bytes.length; i++) {
    const pixel = Math.floor(i / channels)
    const [x, y] = [(pixel % width) / width, Math.floor(pixel / width) / height]
    bytes[i] = Math.round(20 + (i % channels) * 10 + 120 * x + 60 * y)
  }
  return { bytes, width, height, channels }
}

function noise(width: number, height: number, channels: 1 | 3): Raster {
  const random = seededRandom(width)
  const bytes = Uint8Array.from({ length: width * height * channels }, () => Math.floor(random() * 256))
  return { bytes, width, height, channels }
}

const sizes = [
  { from: [64, 48], to: [128, 96] },
  { from: [100, 75], to: [333, 200] },
  { from: [640, 360], to: [213, 121] },
  { from: [1001, 77], to: [97, 300] },
] as const

test('every place of the result shows the same place of the source', async () => {
  const kernel = await loadKernel()
  for (const { from, to } of sizes) {
    for (const channels of [1, 3] as const) {
      const [width, height] = to
      const source = slope(from[0], from[1], channels)
      // Part of the source, not in whole pixels.
      const area = { x: 0.1 * source.width, y: 0.2 * source.height, width: source.width / 2, height: source.height / 2 }
      const drawn = resample(kernel, source, area, { width, height })
      let [sum, most] = [0, 0]
      for (let i = 0; i < drawn.length; i++) {
        const pixel = Math.floor(i / channels)
        const x = (area.x + (((pixel % width) + 0.5) / width) * area.width - 0.5) / source.width
        const y = (area.y + ((Math.floor(pixel / width) + 0.5) / height) * area.height - 0.5) / source.height
        const off = drawn[i]! - (20 + (i % channels) * 10 + 120 * x + 60 * y)
        sum += off
        most = Math.max(most, Math.abs(off))
      }
      assert.ok(most < 1.5, `${from} to ${to}: ${most}`)
      assert.ok(Math.abs(sum / drawn.length) < 0.12, `${from} to ${to}: ${sum / drawn.length} levels brighter`)
    }
  }
})

test('a mirrored picture gives the mirrored result', async () => {
  const kernel = await loadKernel()
  for (const { from, to } of sizes) {
    const [width, height] = to
    const source = noise(from[0], from[1], 1)
    const whole = { x: 0, y: 0, width: source.width, height: source.height }
    const turned = { ...source, bytes: source.bytes.toReversed() }
    const drawn = resample(kernel, source, whole, { width, height })
    const back = resample(kernel, turned, whole, { width, height }).toReversed()
    const most = Math.max(...drawn.map((level, i) => Math.abs(level - back[i]!)))
    assert.ok(most <= 1, `${from} to ${to}: ${most} levels`)
  }
})

test('with SIMD and without, the bytes are the same, in one strip and in many', async () => {
  const [fast, plain] = [await loadKernel(), await plainKernel()]
  for (const [from, to] of [
    [noise(101, 83, 3), { width: 50, height: 200 }],
    [noise(7, 5, 1), { width: 40, height: 3 }],
    [noise(3000, 600, 3), { width: 80, height: 60 }],
  ] as const) {
    const area = { x: 0, y: 0.5, width: from.width, height: from.height - 1 }
    assert.deepEqual(resample(fast, from, area, to), resample(plain, from, area, to))
  }
})
