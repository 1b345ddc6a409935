// The kernel's light: the same bytes with and without SIMD, nothing where there is nothing, and sums in linear light.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kernel, readPlane } from '../../src/video/kernel/kernel.ts'
import { loadKernel } from '../../src/video/kernel/load-kernel.ts'
import { allocatePicture } from '../../src/video/picture/picture-planes.ts'
import { seededRandom } from '../../src/video/random.ts'
import { plainKernel } from './oracle/plain-kernel.ts'

const size = { width: 40, height: 20 }

interface Light {
  colours: number[]
  air(random: () => number): number
  even?: boolean
  /** Which planes are there; both by default. */
  has?: { veil: boolean; glow: boolean }
}

function lightOnce(kernel: Kernel, { colours, air, even = false, has = { veil: true, glow: true } }: Light) {
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
    has.veil ? veil.at : 0,
    has.glow ? glow.at : 0,
    veil.stride,
    table,
    even ? 1 : 0,
  )
  return { before, after: (['y', 'u', 'v'] as const).map((plane) => readPlane(kernel, frame[plane])) }
}

const strong = [0.8, 0.7, 0.9, 0.6, 0.7, 0.8, 2, 1, 0.3]

test('the kernel lights as plain JavaScript does', async () => {
  const air = (random: () => number) => (random() < 0.5 ? 0 : Math.floor(random() * 256))
  for (const [veil, glow] of [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ] as const) {
    for (const even of [false, true]) {
      const given = { colours: strong, air, even, has: { veil, glow } }
      const simd = lightOnce(await loadKernel(), given)
      const plain = lightOnce(await plainKernel(), given)
      assert.deepEqual(simd.after, plain.after, `${veil} ${glow} ${even}`)
      if (veil || glow || !even) assert.notDeepEqual(simd.after, simd.before)
      else assert.deepEqual(simd.after, simd.before)
    }
  }
})

test('a plane that is not there counts as an empty one', async () => {
  const kernel = await loadKernel()
  const dark = { colours: strong, air: () => 0 }
  const none = lightOnce(kernel, { ...dark, has: { veil: false, glow: false } })
  assert.deepEqual(none.after, lightOnce(kernel, dark).after)
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
