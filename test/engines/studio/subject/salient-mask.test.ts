import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSubject, judgeSaliency } from '../../../../src/engines/studio/subject/salient-mask.ts'
import { loadKernel } from '../../../../src/video/kernel/load-kernel.ts'
import { resizeLuma } from '../../../../src/video/picture/luma.ts'
import { seededRandom } from '../../../../src/video/random.ts'

const kernel = await loadKernel()

/** A shaded ball over a soft two-tone background, and where it truly is. */
function ballPicture(width: number, height: number, centreX: number, centreY: number, radius: number) {
  const rgb = new Uint8Array(width * height * 3)
  const truth = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      const [dx, dy] = [(x - centreX) / radius, (y - centreY) / radius]
      const inside = dx * dx + dy * dy < 1
      const light = inside ? Math.max(0.25, (0.9 - 0.5 * dx - 0.6 * dy) / 1.4) : 0
      truth[at] = inside ? 1 : 0
      const background = y > height * 0.7 ? [150, 140, 125] : [185, 205, 225]
      const colour = inside ? [230 * light + 20, 60 * light + 10, 40 * light + 10] : background
      rgb.set(colour, at * 3)
    }
  }
  return { rgb, truth }
}

function overlap(mask: Uint8Array, truth: Uint8Array): number {
  let both = 0
  let either = 0
  for (let i = 0; i < mask.length; i++) {
    const found = mask[i]! > 127
    if (found && truth[i]) both++
    if (found || truth[i]) either++
  }
  return both / either
}

test('finds a clear subject, in wide and in tall pictures', async () => {
  for (const [width, height] of [
    [480, 270],
    [270, 480],
  ] as const) {
    const { rgb, truth } = ballPicture(width, height, width * 0.45, height * 0.55, 80)
    for (const detail of ['fine', 'coarse'] as const) {
      const mask = await findSubject(kernel, { rgb, width, height }, { width, height }, detail)
      assert.equal(mask?.length, width * height)
      const share = overlap(mask, truth)
      assert.ok(share > 0.85, `overlap ${share}, ${detail}`)
    }
  }
})

test('says so when there is no clear subject', async () => {
  const random = seededRandom(5)
  const gradient = new Uint8Array(320 * 180 * 3).map((_, i) => Math.floor(i / 3 / 320) + 40 + random() * 8)
  const noise = new Uint8Array(320 * 180 * 3).map(() => random() * 256)
  for (const rgb of [gradient, noise, new Uint8Array(320 * 180 * 3)]) {
    assert.equal(await findSubject(kernel, { rgb, width: 320, height: 180 }, { width: 320, height: 180 }), null)
  }
})

test('callers at the same time share one session and get the same answer', async () => {
  const { rgb } = ballPicture(320, 180, 160, 90, 50)
  const picture = { rgb, width: 320, height: 180 }
  const [one, two] = await Promise.all([findSubject(kernel, picture, picture), findSubject(kernel, picture, picture)])
  assert.ok(one)
  assert.deepEqual(one, two)
})

test('judges raw answers by their peak, their area and their undecided part', () => {
  const field = (share: number, inside: number, outside: number) =>
    new Float32Array(1000).map((_, i) => (i < share * 1000 ? inside : outside))
  assert.equal(judgeSaliency(field(0.3, 0.98, 0.01)).clean, true)
  assert.equal(judgeSaliency(field(0.3, 0.5, 0.01)).clean, false)
  assert.ok(judgeSaliency(field(0.3, 0.5, 0.01)).stretched.every((value) => value === 0))
  assert.equal(judgeSaliency(field(0.005, 0.98, 0.01)).clean, false)
  assert.equal(judgeSaliency(field(0.9, 0.98, 0.01)).clean, false)
  const undecided = field(0.3, 0.98, 0.01).map((value, i) => (i >= 300 && i < 500 ? 0.45 : value))
  assert.equal(judgeSaliency(undecided).clean, false)
  const { stretched } = judgeSaliency(field(0.3, 0.9, 0.1))
  assert.ok(Math.abs(stretched[0]! - 1) < 1e-6 && Math.abs(stretched[999]!) < 1e-6)
})

test('enlarging keeps flat areas and slopes', () => {
  const even = { data: new Float32Array(50 * 40).fill(77), width: 50, height: 40 }
  assert.ok(resizeLuma(even, { width: 130, height: 91 }).data.every((value) => value === 77))
  const slope = Float32Array.from({ length: 40 }, (_, i) => 10 * (i % 10))
  const { data: wide } = resizeLuma({ data: slope, width: 10, height: 4 }, { width: 40, height: 4 })
  for (let x = 2; x < 38; x++) assert.ok(Math.abs(wide[x]! - 10 * ((x + 0.5) / 4 - 0.5)) < 1e-4)
  assert.deepEqual([wide[0], wide[39]], [0, 90])
})
