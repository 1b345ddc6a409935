// What bench/pictures.ts measures over many photographs, on one: the first frame is the picture whatever moves or falls in
// it, the last one is the tail image, an extension plays on, no frame is repeated and none jumps.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import type { Plan } from '../../../../src/engines/engine.ts'
import { rgbToYuv } from '../../../../src/video/picture/yuv.ts'
import { ssim, stepBetween } from '../support/likeness.ts'
import { displacementAt } from '../support/motion.ts'
import { paceAcross } from '../support/pace.ts'
import { type StudioRun, startStudio } from '../support/studio-run.ts'
import { picturesOf } from '../support/video-facts.ts'

const size = { width: 480, height: 320 }
let run: StudioRun
let coffee: Buffer
let rocket: Buffer

before(async () => {
  run = await startStudio({ depth: true })
  const photograph = (name: string) => readFile(new URL(`../../../../docs/samples/${name}`, import.meta.url))
  ;[coffee, rocket] = await Promise.all([photograph('coffee.jpg'), photograph('rocket.jpg')])
  await run.put('coffee', coffee)
  await run.put('rocket', rocket)
})
after(() => run.close())

async function lumaOf(bytes: Buffer): Promise<Uint8Array> {
  const rgb = await sharp(bytes).resize(size.width, size.height, { kernel: 'lanczos3' }).raw().toBuffer()
  return rgbToYuv(rgb).y
}

const image = (file: string) => ({ file, kind: 'image' as const })

async function clip(prompt: string, plan: Partial<Plan>) {
  const result = await run.run({ prompt, size, seconds: 1, ...plan })
  return { result, frames: (await picturesOf(result.videoPath)).map(({ y }) => y) }
}

type Clip = Awaited<ReturnType<typeof clip>>

async function extension({ result }: Clip, prompt: string, { alone = false } = {}): Promise<Clip> {
  const { momentum, wideFrame, lastFramePath } = result
  await run.put('end', await readFile(lastFramePath))
  const plan = { firstFrame: image('end'), seconds: 3, momentum }
  if (alone) return clip(prompt, plan)
  assert.ok(wideFrame, 'the video has no wide frame')
  await run.put('wide', await readFile(wideFrame.path))
  return clip(prompt, { ...plan, wideFrame: { image: image('wide'), area: wideFrame.area } })
}

const stepsOf = (frames: Uint8Array[]) => frames.slice(1).map((frame, i) => stepBetween(frames[i]!, frame))
const usualOf = (steps: number[]) => steps.toSorted((a, b) => a - b)[steps.length >> 1]!

for (const prompt of ['pull out', 'orbit right', 'handheld', 'heavy rain', 'shallow depth of field']) {
  test(`"${prompt}" begins with the picture, repeats no frame and does not jump`, async () => {
    const { frames } = await clip(prompt, { firstFrame: image('coffee') })
    const likeness = ssim(frames[0]!, await lumaOf(coffee), size)
    assert.ok(likeness >= 0.97, `SSIM ${likeness}`)
    const steps = stepsOf(frames)
    assert.ok(
      steps.every((step) => step > 0),
      'a frame is repeated',
    )
    assert.ok(Math.max(...steps) <= 3 * usualOf(steps), `${Math.max(...steps)} levels, ${usualOf(steps)} as a rule`)
  })
}

test('a pull-out that also pans shows what is in the middle smaller', async () => {
  const { frames } = await clip('pull out and pan left', { firstFrame: image('coffee'), seconds: 3 })
  const hops = frames.filter((_, i) => i % 6 === 0).map((data) => ({ data, ...size }))
  const travel = (x: number) => {
    let sum = 0
    for (let i = 1; i < hops.length; i++) {
      sum += displacementAt(hops[i - 1]!, hops[i]!, { x, y: size.height / 2 }, 20, { x: 0, y: 0 }).x
    }
    return sum
  }
  const [left, right] = [travel(size.width * 0.3), travel(size.width * 0.7)]
  assert.ok(right < left - 1, `${left} px on the left, ${right} px on the right`)
  assert.ok(left + right > 2, 'what is seen goes right')
})

test('a smooth sky is not repeated where the camera pulls out or pushes in slowly', async () => {
  // Soft clouds of a few cells over a gradient, without grain: nothing in it has an edge.
  const cells = Buffer.from(
    Array.from({ length: 12 * 8 * 3 }, (_, i) => 110 + 8 * Math.floor(i / 36) + ((i * 37) % 23)),
  )
  const sky = sharp(cells, { raw: { width: 12, height: 8, channels: 3 } }).resize(1280, 800, { kernel: 'cubic' })
  await run.put('sky', await sky.png().toBuffer())
  for (const prompt of ['pull out', 'slow push in']) {
    const { frames } = await clip(prompt, { firstFrame: image('sky'), size: { width: 1280, height: 800 }, seconds: 2 })
    const steps = stepsOf(frames)
    assert.equal(steps.filter((step) => step === 0).length, 0, `${prompt}: frames are repeated`)
    assert.ok(Math.max(...steps) <= 3 * usualOf(steps), `${Math.max(...steps)} levels, ${usualOf(steps)} as a rule`)
  }
})

test('a clip with a tail image ends with it', async () => {
  const { frames } = await clip('push in', { firstFrame: image('coffee'), lastFrame: image('rocket') })
  const likeness = ssim(frames.at(-1)!, await lumaOf(rocket), size)
  assert.ok(likeness >= 0.97, `SSIM ${likeness}`)
})

for (const [prompt, next, alone = false] of [
  ['push in', 'push in'],
  ['push in', 'push in', true],
  ['pan left', 'pan left'],
  ['orbit right', 'orbit right'],
  ['roll clockwise', 'roll clockwise'],
  ['pan left', 'tilt up'],
] as const) {
  test(`after "${prompt}" an extension${alone ? ' of its last frame' : ''}, "${next}", begins where its parent ends and at its pace`, async () => {
    let before = await clip(prompt, { firstFrame: image('coffee'), seconds: 3 })
    for (let i = 0; i < 2; i++) {
      // Videos of other releases and engines have a last frame alone.
      const after = await extension(before, next, { alone })
      const likeness = ssim(after.frames[0]!, before.frames.at(-1)!, size)
      assert.ok(likeness >= 0.95, `SSIM ${likeness}`)
      const pace = paceAcross(before.frames, after.frames, size)
      if (next === prompt) assert.ok(pace > 0.85 && pace < 1.15, `the pace changes ${pace} times`)
      const around = [...before.frames.slice(-24), ...after.frames.slice(0, 24)]
      const steps = stepsOf(around)
      assert.ok(Math.min(...steps) > 0, 'a frame is repeated')
      assert.ok(Math.max(...steps) <= 3 * usualOf(steps), `${Math.max(...steps)} levels, ${usualOf(steps)} as a rule`)
      before = after
    }
  })
}

test('extensions keep the detail of the picture', async () => {
  const levelsOf = async (alone: boolean) => {
    let last = await clip('push in', { firstFrame: image('rocket'), seconds: 3 })
    for (let i = 0; i < 2; i++) last = await extension(last, 'push in', { alone })
    return fineLevels(last.frames.at(-1)!)
  }
  const [kept, lost] = [await levelsOf(false), await levelsOf(true)]
  assert.ok(kept > 1.03 * lost, `${kept} levels of fine detail, ${lost} from last frames alone`)
})

/** The mean difference of neighbouring pixels in a row. */
const fineLevels = (luma: Uint8Array) => stepBetween(luma.subarray(1), luma.subarray(0, -1))

test('a pull-out after a push-in shows again what that left behind', async () => {
  const shareSeen = async ({ result: { wideFrame } }: Clip) => {
    const { width } = await sharp(wideFrame!.path).metadata()
    return wideFrame!.area.width / width
  }
  const pushIn = await clip('push in', { firstFrame: image('coffee'), seconds: 3 })
  const pullOut = await extension(pushIn, 'pull out')
  const [before, after] = [await shareSeen(pushIn), await shareSeen(pullOut)]
  assert.ok(before < 0.87 && after > 1.04 * before, `${after} of the width of the picture after ${before}`)
})

test('a fade reaches black with the last frame', async () => {
  const { frames } = await clip('fade out', { firstFrame: image('coffee'), seconds: 2 })
  assert.ok(frames.at(-1)!.every((level) => level <= 17))
  assert.ok(Math.min(...stepsOf(frames.slice(-12))) > 0.5, 'it is black before')
})
