// The video file itself: exact length, codec, colour tags, index first, sound only when asked, and the same every time.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { AV_PROFILE_H264_HIGH } from 'node-av/constants'
import sharp from 'sharp'
import { EngineError } from '../../../src/engines/engine.ts'
import { readSound } from '../../../src/video/av/media-reader.ts'
import { rgbToYuv } from '../../../src/video/picture/yuv.ts'
import { stepBetween } from './support/likeness.ts'
import { psnr, rms } from './support/motion.ts'
import { drawTexture, plain, pngOf } from './support/pictures.ts'
import { type StudioRun, startStudio } from './support/studio-run.ts'
import { boxesOf, picturesOf, streamsOf } from './support/video-facts.ts'

let run: StudioRun

before(async () => {
  run = await startStudio()
  await run.put('first.png', await pngOf(drawTexture(640, 360, 1), 640, 360))
})
after(() => run.close())

test('a silent video is H.264 High, tagged BT.709, of exact length, with its index first', async () => {
  const percents: number[] = []
  const result = await run.run({ seconds: 3 }, { progress: (percent) => percents.push(percent) })
  assert.deepEqual([result.width, result.height, result.seconds], [320, 180, 3])
  const streams = await streamsOf(result.videoPath)
  assert.equal(streams.length, 1)
  const { packets, seconds, rate, codec, profile, pixelFormat, width, height, colour } = streams[0]!
  assert.deepEqual(
    { packets, seconds, rate, codec, profile: Number(profile), pixelFormat, width, height },
    {
      packets: 72,
      seconds: 3,
      rate: 24,
      codec: 'h264',
      profile: Number(AV_PROFILE_H264_HIGH),
      pixelFormat: 'yuv420p',
      width: 320,
      height: 180,
    },
  )
  // Limited range; primaries, transfer and matrix BT.709: 1 is what the standard calls each of them.
  assert.deepEqual(colour, [1, 1, 1, 1])
  const boxes = await boxesOf(result.videoPath)
  assert.ok(boxes.indexOf('moov') < boxes.indexOf('mdat'), boxes.join())
  assert.deepEqual(
    percents,
    percents.toSorted((a, b) => a - b),
  )
  assert.ok(percents.length > 20 && percents.at(-1)! <= 100)
  const thumbnail = await sharp(result.thumbnailPath).metadata()
  assert.deepEqual([thumbnail.format, thumbnail.width, thumbnail.height], ['jpeg', 320, 180])
})

test('a first frame that is too wide is cropped, and the result says so', async () => {
  await run.put('wide.png', await pngOf(drawTexture(720, 180, 1), 720, 180))
  const firstFrame = { file: 'wide.png', kind: 'image' } as const
  const result = await run.run({ firstFrame, seconds: 1, size: { shortSide: 720, ratio: 'auto' } })
  assert.deepEqual([result.width, result.height, result.adjusted], [1728, 720, ['cropped to 2.4:1']])
  assert.deepEqual((await run.run({ seconds: 1 })).adjusted, [])
})

test('the same request gives the same bytes, another prompt does not', async () => {
  const bytesOf = async (prompt: string) => readFile((await run.run({ prompt, audio: true })).videoPath)
  const once = await bytesOf('a quiet lake')
  assert.ok(once.equals(await bytesOf('a quiet lake')))
  assert.ok(!once.equals(await bytesOf('a loud lake')))
})

test('sound is AAC, 48 kHz, stereo, as long as the video', async () => {
  const { videoPath } = await run.run({ seconds: 2, audio: true })
  const [video, sound, ...rest] = await streamsOf(videoPath)
  assert.equal(rest.length, 0)
  assert.equal(video?.packets, 48)
  assert.deepEqual([sound?.codec, sound?.sampleRate, sound?.channels], ['aac', 48_000, 2])
  assert.ok(Math.abs(sound!.seconds - 2) < 0.001, `${sound!.seconds} s of sound`)
  const channels = await readSound(videoPath, 2)
  for (const samples of channels) {
    const inner = samples.subarray(24_000, 72_000)
    const loudness = rms([...inner])
    assert.ok(loudness > 0.0005 && loudness < 0.3, `loudness ${loudness}`)
  }
})

test('colours arrive as they were', async () => {
  for (const [colour, expected] of [
    ['#ff0000', [63, 102, 240]],
    ['#00ff00', [173, 42, 26]],
    ['#0000ff', [32, 240, 118]],
    ['#808080', [126, 128, 128]],
  ] as const) {
    await run.put('plain.png', await plain(colour))
    const { videoPath } = await run.run({ firstFrame: { file: 'plain.png', kind: 'image' } })
    const [picture] = await picturesOf(videoPath)
    const middle = [picture!.y[160 * 100], picture!.u[80 * 50], picture!.v[80 * 50]]
    for (const [i, level] of expected.entries()) assert.ok(Math.abs(middle[i]! - level) <= 2, `${colour}: ${middle}`)
  }
})

test('the image of the last frame is what the video shows, not what was drawn before encoding', async () => {
  // Fine grain over a gradient of colours: the encoder keeps little of the grain.
  const [width, height] = [320, 180]
  const rgb = Buffer.from(
    Array.from({ length: width * height * 3 }, (_, i) => {
      const column = Math.floor(i / 3) % width
      return 60 + ((column * (1 + (i % 3))) >> 3) + (Math.imul(i, 0x9e3779b1) >>> 29)
    }),
  )
  await run.put(
    'grain.png',
    await sharp(rgb, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer(),
  )
  const result = await run.run({ prompt: 'push in', firstFrame: { file: 'grain.png', kind: 'image' }, seconds: 1 })
  const last = (await picturesOf(result.videoPath)).at(-1)!
  const kept = rgbToYuv(await sharp(result.lastFramePath).raw().toBuffer())
  const halved = (plane: Uint8Array) =>
    last.u.map((_, i) => plane[Math.floor(i / (width / 2)) * 2 * width + (i % (width / 2)) * 2]!)
  const off = [stepBetween(kept.y, last.y), stepBetween(halved(kept.u), last.u), stepBetween(halved(kept.v), last.v)]
  assert.ok(Math.max(...off) < 0.6, `${off} levels off`)
})

test('pictures of every kind become colour pictures', async () => {
  const base = () =>
    sharp({ create: { width: 320, height: 180, channels: 4, background: { r: 200, g: 200, b: 200, alpha: 1 } } })
  const kinds = {
    'grey.png': await base().toColourspace('b-w').png().toBuffer(),
    'alpha.png': await base().png().toBuffer(),
    'deep.png': await base().toColourspace('rgb16').png().toBuffer(),
    'print.jpg': await base().removeAlpha().toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer(),
    'palette.png': await base().png({ palette: true }).toBuffer(),
  }
  // Ink has no exact match on a screen; the others do.
  for (const [file, bytes] of Object.entries(kinds)) {
    await run.put(file, bytes)
    const { videoPath } = await run.run({ seconds: 0.125, firstFrame: { file, kind: 'image' } })
    const [picture] = await picturesOf(videoPath)
    const levels = [picture!.y[5000]!, picture!.u[2000]!, picture!.v[2000]!]
    assert.ok(
      Math.abs(levels[0]! - 188) <= (file === 'print.jpg' ? 12 : 3) && Math.abs(levels[1]! - 128) < 4,
      `${file}: ${levels}`,
    )
  }
})

test('an orientation tag is honoured', async () => {
  const sideways = await sharp({ create: { width: 400, height: 200, channels: 3, background: '#000' } })
    .composite([{ input: { create: { width: 200, height: 200, channels: 3, background: '#fff' } }, left: 0, top: 0 }])
    .jpeg()
    .withMetadata({ orientation: 6 })
    .toBuffer()
  await run.put('sideways.jpg', sideways)
  const result = await run.run({
    prompt: 'static camera',
    size: { shortSide: 720, ratio: 'auto' },
    firstFrame: { file: 'sideways.jpg', kind: 'image' },
    seconds: 0.25,
  })
  assert.deepEqual([result.width, result.height], [720, 1440])
  const [picture] = await picturesOf(result.videoPath)
  // Turned clockwise, the white left half is on top.
  assert.ok(picture!.y[720 * 100 + 360]! > 200 && picture!.y[720 * 1340 + 360]! < 40)
})

test('a fixed ratio keeps what draws the eye', async () => {
  const spot = await sharp({ create: { width: 1200, height: 400, channels: 3, background: '#567' } })
    .composite([
      {
        input: Buffer.from('<svg width="160" height="160"><circle cx="80" cy="80" r="75" fill="#f31"/></svg>'),
        left: 980,
        top: 120,
      },
    ])
    .png()
    .toBuffer()
  await run.put('spot.png', spot)
  const { videoPath } = await run.run({
    prompt: 'static camera',
    seconds: 0.25,
    size: { width: 240, height: 240 },
    firstFrame: { file: 'spot.png', kind: 'image' },
  })
  const [picture] = await picturesOf(videoPath)
  const red = picture!.v.filter((level) => level > 200).length
  assert.ok(red > 0.8 * Math.PI * (75 * 0.3) ** 2, `${red} red pixels`)
})

test('the last frame of a video can be where it begins', async () => {
  const { videoPath } = await run.run({ prompt: 'pan right' })
  await run.put('parent.mp4', await readFile(videoPath))
  const next = await run.run({ prompt: 'static camera', firstFrame: { file: 'parent.mp4', kind: 'video' } })
  const parent = await picturesOf(videoPath)
  const [begin] = await picturesOf(next.videoPath)
  const toEnd = psnr(parent.at(-1)!.y, begin!.y)
  assert.ok(toEnd > 32, `${toEnd} dB`)
  assert.ok(toEnd > psnr(parent[0]!.y, begin!.y) + 10)
})

test('a file that is no picture is refused without a retry', async () => {
  await run.put('broken.png', Buffer.from('not a picture at all'))
  await assert.rejects(run.run({ firstFrame: { file: 'broken.png', kind: 'image' } }), (error) => {
    return error instanceof EngineError && !error.retryable
  })
})
