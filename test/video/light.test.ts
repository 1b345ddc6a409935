// The kernel's light: the same bytes with and without SIMD, nothing where there is nothing, and sums in linear light.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kernel, loadKernel, readPlane } from '../../src/video/kernel/kernel.ts'
import { allocatePicture } from '../../src/video/picture/picture-planes.ts'
import { seededRandom } from '../../src/video/random.ts'

const size = { width: 40, height: 20 }

interface Light {
  colours: number[]
  air(random: () => number): number
  even?: boolean
}

function lightOnce(kernel: Kernel, { colours, air, even = false }: Light) {
  const random = seededRandom(7)
  const frame = allocatePicture(kernel, size.width, size.height)
  const veil = kernel.plane(size.width, size.height, 0)
  const glow = kernel.plane(size.width, size.height, 0)
  const table = kernel.allocate(36)
  const fill = (plane: typeof veil, level: () => number) => {
    const bytes = kernel.bytes(plane.at, plane.stride * plane.height)
    for (let i = 0; i < bytes.length; i++) bytes[i] = level()
  }
  fill(frame.y, () => 16 + Math.floor(random() * 220))
  fill(frame.u, () => 90 + Math.floor(random() * 76))
  fill(frame.v, () => 90 + Math.floor(random() * 76))
  fill(veil, () => air(random))
  fill(glow, () => air(random))
  kernel.floats(table, 9).set(colours)
  const before = (['y', 'u', 'v'] as const).map((plane) => readPlane(kernel, frame[plane]))
  const { y, u, v } = frame
  kernel.light(
    y.at,
    y.stride,
    u.at,
    v.at,
    u.stride,
    size.width,
    size.height,
    veil.at,
    glow.at,
    veil.stride,
    table,
    even ? 1 : 0,
  )
  return { before, after: (['y', 'u', 'v'] as const).map((plane) => readPlane(kernel, frame[plane])) }
}

const strong = [0.8, 0.7, 0.9, 0.6, 0.7, 0.8, 2, 1, 0.3]

test('SIMD and the fallback give the same bytes', async () => {
  for (const even of [false, true]) {
    const given = {
      colours: strong,
      air: (random: () => number) => (random() < 0.5 ? 0 : Math.floor(random() * 256)),
      even,
    }
    const simd = lightOnce(await loadKernel(), given)
    const plain = lightOnce(await loadKernel({ simd: false }), given)
    assert.deepEqual(simd.after, plain.after)
    assert.notDeepEqual(simd.after, simd.before)
  }
})

test('without veil and glow an even light changes nothing', async () => {
  const { before, after } = lightOnce(await loadKernel(), { colours: strong, air: () => 0, even: true })
  assert.deepEqual(after, before)
})

test('a full veil shows its own colour, and half the light is about seven tenths of the level', async () => {
  const kernel = await loadKernel()
  const white = lightOnce(kernel, { colours: [1, 1, 1, 1, 1, 1, 0, 0, 0], air: () => 255 })
  assert.ok(white.after[0]!.every((level) => level === 235))
  const dimmed = lightOnce(kernel, { colours: [0.5, 0.5, 0.5, 0, 0, 0, 0, 0, 0], air: () => 0 })
  const neutral = dimmed.before[0]!.findIndex((level) => level > 120 && level < 200)
  const share = (dimmed.after[0]![neutral]! - 16) / (dimmed.before[0]![neutral]! - 16)
  assert.ok(Math.abs(share - Math.SQRT1_2) < 0.08, `${share}`)
})
