// Drifting clouds as viewers see them: one image that moves steadily, on which the ground and the frame do not move, also
// across the join of a video and its extension.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import type { Plan } from '../../../../src/engines/engine.ts'
import { seededRandom } from '../../../../src/video/random.ts'
import { ssim, stepBetween } from '../support/likeness.ts'
import { displacementAt } from '../support/motion.ts'
import { type StudioRun, startStudio } from '../support/studio-run.ts'
import { picturesOf } from '../support/video-facts.ts'

const size = { width: 640, height: 360 }
const horizon = 250
let run: StudioRun

before(async () => {
  run = await startStudio({ depth: true })
  await run.put('sky', await paintSky())
})
after(() => run.close())

/** Small soft clouds in a blue sky, over dark ground. */
async function paintSky(): Promise<Buffer> {
  const random = seededRandom(7)
  const cells = Buffer.from(Array.from({ length: 80 * 45 }, () => 128 + 26 * (random() + random() - 1)))
  const clouds = await sharp(cells, { raw: { width: 80, height: 45, channels: 1 } })
    .resize(size.width, size.height, { kernel: 'cubic' })
    .raw()
    .toBuffer()
  const rgb = new Uint8Array(size.width * size.height * 3)
  for (let i = 0; i < size.width * size.height; i++) {
    const [row, cloud] = [Math.floor(i / size.width), clouds[i * (clouds.length / size.width / size.height)]! - 128]
    const ground = 40 + ((i * 7919) % 23)
    rgb.set(row < horizon ? [100 + cloud, 140 + cloud, 205 + cloud / 2] : [ground, ground - 8, ground - 20], i * 3)
  }
  return sharp(rgb, { raw: { ...size, channels: 3 } })
    .png()
    .toBuffer()
}

async function clip(plan: Partial<Plan>) {
  const firstFrame = { file: 'sky', kind: 'image' as const }
  const result = await run.run({ prompt: 'static shot, clouds drift', size, seconds: 5, firstFrame, ...plan })
  return { result, frames: (await picturesOf(result.videoPath)).map(({ y }) => y) }
}

/** The mean difference of neighbouring pixels in the rows of the sky. */
function fineLevels(luma: Uint8Array): number {
  const sky = luma.subarray(0, horizon * size.width)
  return stepBetween(sky.subarray(1), sky.subarray(0, -1))
}

const gray = (data: Uint8Array) => ({ data, ...size })
/** How far clouds move over the ground from one frame to another, in pixels: the camera itself is never quite still. */
function movedBetween(one: Uint8Array, other: Uint8Array): number {
  const movedAt = (y: number, guess: number) =>
    displacementAt(gray(one), gray(other), { x: size.width / 2, y }, 24, { x: guess, y: 0 }).x
  return movedAt(90, -4) - movedAt(310, 0)
}

test('clouds drift steadily, and no frame shows them twice', async () => {
  const { frames } = await clip({})
  // Two images of a cloud side by side have less detail than one.
  const levels = frames.slice(6).map(fineLevels)
  assert.ok(Math.min(...levels) > 0.93 * Math.max(...levels), `${Math.min(...levels)} to ${Math.max(...levels)} levels`)
  const moves = [0, 24, 48, 72].map((from) => movedBetween(frames[from + 12]!, frames[from + 24]!))
  assert.ok(Math.max(...moves) < -2, `${moves} pixels per half second`)
  assert.ok(Math.min(...moves) > 1.2 * Math.max(...moves), `${moves} pixels per half second`)
  const ground = (frame: Uint8Array) => frame.subarray((horizon + 8) * size.width)
  assert.ok(stepBetween(ground(frames[6]!), ground(frames.at(-1)!)) < 1.5, 'the ground moves')
})

for (const [prompt, next, alone = false] of [
  ['static shot, clouds drift', 'static shot, clouds drift'],
  ['static shot, clouds drift', 'static shot, clouds drift', true],
  ['static shot, clouds drift', 'static shot'],
  ['push in, clouds drift', 'push in, clouds drift'],
] as const) {
  test(`after "${prompt}" the clouds of an extension${alone ? ' of its last frame' : ''}, "${next}", drift on at their pace`, async () => {
    const parent = await clip({ prompt, seconds: 3 })
    const { momentum, wideFrame, lastFramePath } = parent.result
    const put = async (file: string, path: string) => {
      await run.put(file, await readFile(path))
      return { file, kind: 'image' as const }
    }
    const wide = !alone && { wideFrame: { image: await put('wide', wideFrame!.path), area: wideFrame!.area } }
    const firstFrame = await put('end', lastFramePath)
    const child = await clip({ prompt: next, seconds: 3, momentum, firstFrame, ...wide })
    const likeness = ssim(child.frames[0]!, parent.frames.at(-1)!, size)
    assert.ok(likeness > 0.95, `SSIM ${likeness}`)
    const [before, after] = [
      movedBetween(parent.frames.at(-13)!, parent.frames.at(-1)!),
      movedBetween(child.frames[0]!, child.frames[12]!),
    ]
    assert.ok(after / before > 0.85 && after / before < 1.15, `${before} pixels before the join, ${after} after it`)
    // In its first second the frame as it was encoded gives way to the picture. Enlarged clouds have less detail.
    if (prompt.startsWith('push in')) return
    const levels = child.frames.slice(6, 30).map(fineLevels)
    assert.ok(
      Math.min(...levels) > 0.93 * Math.max(...levels),
      `${Math.min(...levels)} to ${Math.max(...levels)} levels`,
    )
  })
}
