// Whatever a generator gives becomes a video of our own form: container, codec, rate, size, length, sound and images.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { EngineError } from '../../../src/engines/engine.ts'
import { createNormaliser, type Normaliser } from '../../../src/engines/remote/normaliser.ts'
import type { ClipFile, NormalisePlan } from '../../../src/video/normalise/normalise-plan.ts'
import { makeVideo } from '../../support/files/av-files.ts'
import { bombPng } from '../../support/files/image-files.ts'
import { boxesOf, picturesOf, streamsOf } from '../studio/support/video-facts.ts'

describe('the normaliser', { timeout: 120_000 }, () => {
  let folder: string
  let normaliser: Normaliser
  let orders = 0
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'normaliser-'))
    normaliser = createNormaliser({ slots: 1 })
  })
  after(async () => {
    await normaliser?.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function run(clips: Partial<ClipFile>[], changes: Partial<NormalisePlan> = {}) {
    const workDir = join(folder, `plan-${++orders}`)
    await mkdir(workDir)
    const plan: NormalisePlan = {
      workDir,
      clips: clips.map((clip) => ({ paths: [], fps: 8, seconds: 1, ...clip })),
      prompt: 'a boat',
      size: { width: 96, height: 54 },
      picture: null,
      audio: false,
      keepsEnd: false,
      soundPaths: [],
      mode: 'encode',
      ...changes,
    }
    return normaliser.run('remote', plan, { signal: AbortSignal.timeout(60_000), progress: () => {} })
  }
  const video = (name: string, seconds: number, size = {}) => makeVideo(join(folder, name), { seconds, ...size })

  async function animation(name: string): Promise<string> {
    const frame = (level: number) => Buffer.alloc(40 * 30 * 3, level)
    const pixels = Buffer.concat([0, 1, 2, 3, 4, 5, 6, 7].map((i) => frame(30 * i)))
    const image = sharp(pixels, { raw: { width: 40, height: 240, channels: 3, pageHeight: 30 } })
    const delay = Array.from({ length: 8 }, () => 125)
    const bytes = name.endsWith('gif')
      ? await image.gif({ delay }).toBuffer()
      : await image.webp({ delay, lossless: true }).toBuffer()
    await writeFile(join(folder, name), bytes)
    return join(folder, name)
  }

  async function slides(): Promise<string> {
    const frame = (level: number) => Buffer.alloc(40 * 30 * 3, level)
    const image = sharp(Buffer.concat([frame(0), frame(200)]), {
      raw: { width: 40, height: 60, channels: 3, pageHeight: 30 },
    })
    await image.gif({ delay: [1000, 1000] }).toFile(join(folder, 'slides.gif'))
    return join(folder, 'slides.gif')
  }

  async function images(count: number): Promise<string[]> {
    const paths = Array.from({ length: count }, (_, i) => join(folder, `frame-${i}.png`))
    for (const [i, path] of paths.entries()) {
      const background = { r: 30 * i, g: 30 * i, b: 30 * i }
      await sharp({ create: { width: 40, height: 30, channels: 3, background } })
        .png()
        .toFile(path)
    }
    return paths
  }

  const sources: [string, () => Promise<string[]>][] = [
    ['mp4', async () => [await video('a.mp4', 1)]],
    ['webm', async () => [await video('a.webm', 1)]],
    ['avi', async () => [await video('a.avi', 1)]],
    ['animated WebP', async () => [await animation('a.webp')]],
    ['GIF', async () => [await animation('a.gif')]],
    ['animated PNG', async () => [await video('a.apng', 1)]],
    ['single images', () => images(8)],
  ]
  for (const [name, make] of sources) {
    test(`takes ${name}`, async () => {
      const result = await run([{ paths: await make() }])
      const { video: stream } = await factsOf(result.videoPath)
      assert.deepEqual([stream.codec, stream.width, stream.height, stream.frames], ['h264', 96, 54, 24])
      assert.deepEqual((await boxesOf(result.videoPath)).slice(0, 2), ['ftyp', 'moov'])
      assert.deepEqual([result.width, result.height, result.seconds], [96, 54, 1])
      const last = await sharp(result.lastFramePath).metadata()
      assert.deepEqual([last.width, last.height], [96, 54])
      assert.ok((await readFile(result.thumbnailPath)).length > 100)
    })
  }

  test('shows each picture in its time', async () => {
    const { videoPath } = await run([{ paths: await images(8) }])
    const levels = (await picturesOf(videoPath)).map(({ y }) => y[0]!)
    // Eight pictures in a second become three frames each, brighter every time.
    for (let i = 0; i < 8; i++) {
      const third = levels.slice(3 * i, 3 * i + 3)
      assert.ok(Math.max(...third) - Math.min(...third) <= 3, `${i}: ${third}`)
      if (i > 0) assert.ok(third[0]! > levels[3 * i - 1]! + 10, `${i}: ${levels}`)
    }
  })

  test('cuts what is too long, plays faster what must end in its last picture, and joins clips', async () => {
    const long = await video('long.mp4', 2)
    assert.equal((await run([{ paths: [long], seconds: 1 }])).seconds, 1)
    assert.equal((await run([{ paths: [long], seconds: 1 }], { keepsEnd: true })).seconds, 1)
    const joined = await run([
      { paths: [long], seconds: 1 },
      { paths: [await animation('b.webp')], seconds: 1 },
    ])
    assert.equal((await factsOf(joined.videoPath)).video.frames, 48)
    assert.deepEqual(joined.adjusted, [
      'joined from 2 clips',
      'scaled from 64x48',
      'frame rate changed from 10',
      'cut from 2 s',
      'scaled from 40x30',
      'frame rate changed from 8',
    ])
  })

  const refused: [string, () => Promise<string[]>, RegExp][] = [
    ['a clip that is too short', async () => [await video('short.mp4', 0.8)], /it lasts 0\.8 s instead of 1 s/],
    ['a single image', async () => (await images(1)).slice(0, 1), /a still image/],
    ['a slide show', async () => [await slides()], /only 2 pictures in 2 s/],
  ]
  for (const [name, make, message] of refused) {
    test(`refuses ${name}, also where files are copied`, async () => {
      const paths = await make()
      for (const mode of ['encode', 'copy'] as const) {
        await assert.rejects(run([{ paths }], { mode }), (error) => {
          assert.ok(error instanceof EngineError && error.blame === 'engine')
          assert.match(error.message, message)
          return true
        })
      }
    })
  }

  test('refuses pictures that never change, except from a service, which may have been asked for them', async () => {
    await images(1)
    const paths = Array.from({ length: 8 }, () => join(folder, 'frame-0.png'))
    await assert.rejects(run([{ paths }], { mode: 'encode' }), /it is frozen/)
    assert.equal((await run([{ paths }], { mode: 'copy' })).seconds, 1)
  })

  test('a clip that lacks less than a tenth is played slower', async () => {
    const result = await run([{ paths: [await video('nearly.mp4', 0.9)], seconds: 1 }])
    assert.equal(result.seconds, 1)
    assert.ok(result.adjusted!.includes('scaled from 64x48'))
  })

  test('adds a sound track where one was ordered and none came', async () => {
    const { videoPath } = await run([{ paths: await images(8) }], { audio: true })
    const { audio } = await factsOf(videoPath)
    assert.equal(audio?.codec, 'aac')
  })

  test('leaves an H.264 file alone where it may, and makes its images', async () => {
    const path = await video('plain.mp4', 1, { width: 80, height: 60 })
    const result = await run([{ paths: [path] }], { mode: 'copy' })
    assert.equal(result.videoPath, path)
    assert.deepEqual([result.width, result.height], [80, 60])
    assert.equal((await sharp(result.lastFramePath).metadata()).width, 80)
    const foreign = await run([{ paths: [await video('foreign.webm', 1)] }], { mode: 'copy' })
    assert.equal((await factsOf(foreign.videoPath)).video.codec, 'h264')
  })

  test('follows the shape of the first frame, or of the clip where that is not known', async () => {
    const path = await video('shape.mp4', 0.5, { width: 64, height: 64 })
    const size = { shortSide: 720, ratio: 'auto' } as const
    const followed = await run([{ paths: [path], seconds: 0.5 }], { size, picture: { width: 300, height: 200 } })
    assert.deepEqual([followed.width, followed.height], [1080, 720])
    const own = await run([{ paths: [path], seconds: 0.5 }], { size })
    assert.deepEqual([own.width, own.height], [720, 720])
  })

  const bad: [string, () => Promise<Buffer> | Buffer, RegExp][] = [
    ['words', () => Buffer.from('no video, just words'), /not a video/],
    ['nothing', () => Buffer.alloc(0), /an empty file/],
    ['a page', () => Buffer.from('<!doctype html><p>'), /an HTML page/],
    ['half a file', async () => (await readFile(await video('whole.mp4', 1))).subarray(0, 600), /cannot be read/],
    ['a bomb of an image', () => bombPng(), /too large|cannot be read/],
    ['a playlist', () => Buffer.from('#EXTM3U\nhttp://127.0.0.1/a.ts\n'), /a playlist/],
  ]
  for (const [name, make, words] of bad) {
    test(`refuses ${name} with a reason, and blames the engine`, async () => {
      const path = join(folder, `bad-${orders}`)
      await writeFile(path, await make())
      await assert.rejects(run([{ paths: [path] }]), (error) => {
        assert.ok(error instanceof EngineError)
        assert.match(error.message, words)
        assert.deepEqual([error.retryable, error.blame], [true, 'engine'])
        return true
      })
    })
  }
})

async function factsOf(path: string) {
  const streams = await streamsOf(path)
  const video = streams.find(({ kind }) => kind === 'video')!
  return {
    video: { codec: video.codec, width: video.width, height: video.height, frames: video.packets },
    audio: streams.find(({ kind }) => kind === 'audio'),
  }
}
