// From the first frame to the last: begins on one, ends on the other, and between related pictures follows the motion.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { rgbToYuv } from '../../../../src/video/picture/yuv.ts'
import { psnr } from '../support/motion.ts'
import { drawTexture, pngOf, type View } from '../support/pictures.ts'
import { type StudioRun, startStudio } from '../support/studio-run.ts'
import { picturesOf } from '../support/video-facts.ts'

const size = { width: 320, height: 180 }
const lumaOf = (seed: number, view: View) => rgbToYuv(drawTexture(size.width, size.height, seed, view)).y

let run: StudioRun

before(async () => {
  run = await startStudio()
})
after(() => run.close())

async function transition(
  first: { seed: number; view: View },
  last: { seed: number; view: View },
  prompt = 'the scene changes',
) {
  for (const [name, { seed, view }] of Object.entries({ 'from.png': first, 'to.png': last })) {
    await run.put(name, await pngOf(drawTexture(640, 360, seed, view), 640, 360))
  }
  // An odd number of frames has one in the very middle.
  const { videoPath } = await run.run({
    prompt,
    seconds: 25 / 24,
    size,
    firstFrame: { file: 'from.png', kind: 'image' },
    lastFrame: { file: 'to.png', kind: 'image' },
  })
  const pictures = await picturesOf(videoPath)
  assert.equal(pictures.length, 25)
  return pictures
}

test('a morph follows a known motion where a dissolve would show both pictures', async () => {
  const from = { x: -12, y: 5, zoom: 1 }
  const to = { x: 12, y: -5, zoom: 1 }
  const pictures = await transition({ seed: 21, view: from }, { seed: 21, view: to })
  const [first, middle, last] = [lumaOf(21, from), lumaOf(21, {}), lumaOf(21, to)]
  const dissolve = first.map((level, i) => (level + last[i]!) / 2)
  const morphed = psnr(inner(pictures[12]!.y), inner(middle))
  const dissolved = psnr(inner(dissolve), inner(middle))
  assert.ok(morphed >= dissolved + 6, `${morphed.toFixed(1)} dB against ${dissolved.toFixed(1)} dB`)
  assertEnds(pictures, first, last)
})

test('unrelated pictures dissolve, and still begin and end exactly', async () => {
  const pictures = await transition({ seed: 31, view: {} }, { seed: 77, view: {} })
  const [first, last] = [lumaOf(31, {}), lumaOf(77, {})]
  assertEnds(pictures, first, last)
  const weak = (picture: { y: Uint8Array }) => deviation(picture.y)
  assert.ok(weak(pictures[12]!) < 0.9 * weak(pictures[0]!), 'the middle is no mixture')
})

test('the last picture is reached exactly, whatever was over the way to it', async () => {
  const [first, last] = [lumaOf(31, {}), lumaOf(77, {})]
  for (const prompt of ['night falls, heavy rain', 'fog, vignette, letterbox', 'sunset, then fade to black']) {
    const pictures = await transition({ seed: 31, view: {} }, { seed: 77, view: {} }, prompt)
    assertEnds(pictures, first, last)
    const [before, end] = pictures.slice(-2).map(({ y }) => y)
    assert.ok(psnr(before!, end!) > 30, `${prompt}: it arrives without a jump`)
  }
})

function assertEnds(pictures: { y: Uint8Array }[], first: Uint8Array, last: Uint8Array): void {
  for (const [name, picture, wanted] of [
    ['first', pictures[0]!, first],
    ['last', pictures.at(-1)!, last],
  ] as const) {
    const quality = psnr(picture.y, wanted)
    assert.ok(quality > 33, `the ${name} frame is ${quality.toFixed(1)} dB from its picture`)
  }
}

/** Without the rim, whose content one of the pictures cannot know. */
function inner(luma: ArrayLike<number>): number[] {
  const rim = 16
  const kept: number[] = []
  for (let row = rim; row < size.height - rim; row++) {
    for (let column = rim; column < size.width - rim; column++) kept.push(luma[row * size.width + column]!)
  }
  return kept
}

function deviation(levels: Uint8Array): number {
  const mean = levels.reduce((sum, level) => sum + level, 0) / levels.length
  return Math.sqrt(levels.reduce((sum, level) => sum + (level - mean) ** 2, 0) / levels.length)
}
