// Shots and elements: cuts fall on the right frames, and a subject shows in the shots that name it, beside the others.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { type Element, EngineError } from '../../../../src/engines/engine.ts'
import type { VideoImage } from '../../../../src/video/av/media-reader.ts'
import { psnr } from '../support/motion.ts'
import { drawTexture, plain, pngOf } from '../support/pictures.ts'
import { type StudioRun, startStudio } from '../support/studio-run.ts'
import { picturesOf, streamsOf } from '../support/video-facts.ts'

let run: StudioRun

before(async () => {
  run = await startStudio()
  await run.put('first.png', await pngOf(drawTexture(640, 360, 1), 640, 360))
  await run.put('grey.png', await plain('#777', 640, 360))
  await run.put('red.png', await plain('#f00', 300, 300))
  await run.put('blue.png', await plain('#00f', 200, 300))
})
after(() => run.close())

function element(name: string, file: string, window: { startMs?: number; endMs?: number } = {}): Element {
  const kind = file.endsWith('.mp4') ? 'video' : 'image'
  return { name, description: '', material: [{ file, kind, ...window }], audio: [] }
}

/** Frames before which the picture jumps. */
function cutsIn(pictures: VideoImage[]): number[] {
  const changes = pictures.slice(1).map((picture, i) => psnr(picture.y, pictures[i]!.y))
  return changes.flatMap((quality, i) => (quality < 20 ? [i + 1] : []))
}

/** Centre and number of strongly red or blue chroma pixels. */
function spotOf(picture: VideoImage, plane: 'u' | 'v') {
  const width = picture.width / 2
  let count = 0
  let x = 0
  let left = width
  let right = 0
  picture[plane].forEach((level, i) => {
    if (level < 190) return
    count++
    x += i % width
    left = Math.min(left, i % width)
    right = Math.max(right, i % width)
  })
  return { count, x: x / count, left, right }
}

test('given shots are cut at their times', async () => {
  const shots = [
    { prompt: 'static camera, wide', seconds: 1 },
    { prompt: 'static close-up', seconds: 0.5 },
    { prompt: 'static camera, a detail', seconds: 1.5 },
  ]
  const { videoPath } = await run.run({ seconds: 3, shots })
  const pictures = await picturesOf(videoPath)
  assert.equal(pictures.length, 72)
  assert.deepEqual(cutsIn(pictures), [24, 36])
})

test('planned shots are two to four', async () => {
  const { videoPath } = await run.run({ prompt: 'a forest, then a lake, then the sky', planShots: true, seconds: 6 })
  const cuts = cutsIn(await picturesOf(videoPath))
  assert.ok(cuts.length >= 1 && cuts.length <= 3, `cuts at ${cuts}`)
})

test('an element shows in the shot that names it, and only there', async () => {
  const { videoPath } = await run.run({
    seconds: 2,
    firstFrame: { file: 'grey.png', kind: 'image' },
    shots: [
      { prompt: 'an empty place', seconds: 1 },
      { prompt: '@ball lies there', seconds: 1 },
    ],
    elements: [element('ball', 'red.png')],
  })
  const reds = (await picturesOf(videoPath)).map((picture) => spotOf(picture, 'v').count)
  assert.ok(reds.slice(0, 24).every((count) => count === 0))
  assert.ok(
    reds.slice(40).every((count) => count > 200),
    `${reds}`,
  )
})

test('two elements share the picture without covering each other', async () => {
  const { videoPath } = await run.run({
    prompt: '@red meets @blue',
    firstFrame: { file: 'grey.png', kind: 'image' },
    elements: [element('red', 'red.png'), element('blue', 'blue.png')],
  })
  const pictures = (await picturesOf(videoPath)).slice(16)
  assert.ok(pictures.length > 0)
  for (const picture of pictures) {
    const red = spotOf(picture, 'v')
    const blue = spotOf(picture, 'u')
    assert.ok(red.count > 200 && blue.count > 200)
    assert.ok(red.right < blue.left || blue.right < red.left, `${red.left}–${red.right} and ${blue.left}–${blue.right}`)
  }
})

test('a video element plays its captured window, again when it ends', async () => {
  // A clip that is grey for a second, then red for one, then grey again.
  const clip = await run.run({
    seconds: 3,
    firstFrame: { file: 'grey.png', kind: 'image' },
    shots: ['nothing', '@red @red2 @red3', 'nothing'].map((prompt) => ({ prompt: `static, ${prompt}`, seconds: 1 })),
    elements: ['red', 'red2', 'red3'].map((name) => element(name, 'red.png')),
  })
  await run.put('clip.mp4', await readFile(clip.videoPath))
  const { videoPath } = await run.run({
    prompt: 'static, @film plays',
    seconds: 2,
    firstFrame: { file: 'grey.png', kind: 'image' },
    elements: [element('film', 'clip.mp4', { startMs: 1500, endMs: 2500 })],
  })
  const reds = (await picturesOf(videoPath)).map((picture) => spotOf(picture, 'v').count > 40)
  // Half a second red, half a second grey, and the same from the start of the window; the first frames fade in.
  assert.ok(reds[9] && reds[11], 'red at the start of the window')
  assert.ok(!reds[14] && !reds[22], 'grey towards its end')
  assert.ok(reds[27] && reds[34], 'red when it starts again')
  assert.ok(!reds[39] && !reds[46], 'and grey again')
})

test('a window that begins while the last picture shows plays that picture', async () => {
  const clip = await run.run({ seconds: 1, prompt: 'static', firstFrame: { file: 'red.png', kind: 'image' } })
  await run.put('red-clip.mp4', await readFile(clip.videoPath))
  const { videoPath } = await run.run({
    prompt: 'static, @film plays',
    seconds: 1,
    firstFrame: { file: 'grey.png', kind: 'image' },
    // The last picture shows from 958 to 1000 ms.
    elements: [element('film', 'red-clip.mp4', { startMs: 990, endMs: 1000 })],
  })
  const reds = (await picturesOf(videoPath)).map((picture) => spotOf(picture, 'v').count > 200)
  assert.ok(reds[12] && reds[23])
})

test("the elements' sound is the video's", async () => {
  const tone = await run.run({ seconds: 1, audio: true })
  await run.put('tone.mp4', await readFile(tone.videoPath))
  const withTone = await run.run({
    prompt: '@red sings',
    seconds: 2,
    audio: true,
    firstFrame: { file: 'grey.png', kind: 'image' },
    elements: [{ ...element('red', 'red.png'), audio: [{ file: 'tone.mp4', kind: 'audio' }] }],
  })
  const [, sound] = await streamsOf(withTone.videoPath)
  assert.equal(sound?.codec, 'aac')
  assert.ok(Math.abs(sound!.seconds - 2) < 0.001)
})

test('a playlist in disguise opens nothing', async () => {
  const red = await run.run({ seconds: 1, firstFrame: { file: 'red.png', kind: 'image' } })
  const disguises = {
    'concat.mp4': `ffconcat version 1.0\nfile '${red.videoPath}'\n`,
    'hls.mp4': `#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nfile://${red.videoPath}\n#EXT-X-ENDLIST\n`,
    'svg.mp4': '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="9" height="9"/></svg>',
  }
  for (const [file, text] of Object.entries(disguises)) {
    await run.put(file, Buffer.from(text))
    await assert.rejects(
      run.run({ prompt: '@film plays', elements: [element('film', file)] }),
      (error) =>
        error instanceof EngineError && !error.retryable && /the element film cannot be read/.test(error.message),
      file,
    )
  }
})
