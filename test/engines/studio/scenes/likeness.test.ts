// What bench/pictures.ts measures over many photographs, on one: the first frame is the picture whatever moves or falls in
// it, the last one is the tail image, an extension plays on, no frame is repeated and none jumps.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { rgbToYuv } from '../../../../src/video/picture/yuv.ts'
import { ssim, stepBetween } from '../support/likeness.ts'
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

async function clip(prompt: string, firstFrame: string, lastFrame?: string) {
  const result = await run.run({
    ...{ prompt, size, seconds: 1, firstFrame: image(firstFrame) },
    lastFrame: lastFrame ? image(lastFrame) : null,
  })
  return { result, frames: (await picturesOf(result.videoPath)).map(({ y }) => y) }
}

for (const prompt of ['pull out', 'orbit right', 'handheld', 'heavy rain', 'shallow depth of field']) {
  test(`"${prompt}" begins with the picture, repeats no frame and does not jump`, async () => {
    const { frames } = await clip(prompt, 'coffee')
    const likeness = ssim(frames[0]!, await lumaOf(coffee), size)
    assert.ok(likeness >= 0.97, `SSIM ${likeness}`)
    const steps = frames.slice(1).map((frame, i) => stepBetween(frames[i]!, frame))
    assert.ok(
      steps.every((step) => step > 0),
      'a frame is repeated',
    )
    const usual = steps.toSorted((a, b) => a - b)[steps.length >> 1]!
    assert.ok(Math.max(...steps) <= 3 * usual, `${Math.max(...steps)} levels, ${usual} as a rule`)
  })
}

test('a clip with a tail image ends with it', async () => {
  const { frames } = await clip('push in', 'coffee', 'rocket')
  const likeness = ssim(frames.at(-1)!, await lumaOf(rocket), size)
  assert.ok(likeness >= 0.97, `SSIM ${likeness}`)
})

test('an extension begins where its parent ends, and keeps its pace', async () => {
  const parent = await clip('pan left', 'coffee')
  await run.put('end', await readFile(parent.result.lastFramePath))
  const child = await clip('pan left', 'end')
  const likeness = ssim(child.frames[0]!, parent.frames.at(-1)!, size)
  assert.ok(likeness >= 0.95, `SSIM ${likeness}`)
  const pace = (frames: Uint8Array[]) => stepBetween(frames[0]!, frames[4]!) / 4
  const ratio = pace(child.frames.slice(0, 5)) / pace(parent.frames.slice(-5))
  assert.ok(ratio > 0.4 && ratio < 2.5, `the pace changes ${ratio} times`)
})
