// The rules of each use: capture windows and audio lengths as tables, then whole files of each kind.
import assert from 'node:assert/strict'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { mebibytes } from '../../src/contract/limits.ts'
import type { FailReason } from '../../src/contract/tasks/fail-reasons.ts'
import { InputFailure } from '../../src/media/input-failure.ts'
import { bytesMaxOf, captureWindow, type InputUse, refuseAudioLength } from '../../src/media/inspect-input.ts'
import { makeAudio, makeVideo } from '../support/files/av-files.ts'
import { animatedPng, jpeg, noisePng, png, SVG } from '../support/files/image-files.ts'
import { type Inspectors, openInspectors } from '../support/files/inspectors.ts'

describe('the capture window', () => {
  const TABLE: readonly (readonly [string, number, number | null, number, [number, number] | RegExp])[] = [
    ['all of a short video', 0, null, 5, [0, 5000]],
    ['eight seconds of a long one', 0, null, 20, [0, 8000]],
    ['eight seconds from a start', 2000, null, 20, [2000, 10_000]],
    ['from a start to the end', 18_000, null, 20, [18_000, 20_000]],
    ['a window as asked', 1000, 5000, 20, [1000, 5000]],
    ['a window up to the very end', 2000, 10_000, 10, [2000, 10_000]],
    ['a window a frame beyond the end, cut to it', 2000, 10_000, 9.97, [2000, 9970]],
    [
      'a window beyond the end',
      2000,
      9000,
      6.04,
      /^The capture window is 2000 to 9000 ms, but the video lasts 6040 ms; the window must lie inside it\.$/,
    ],
    ['a window wholly behind the end', 10_000, 14_000, 6, /lasts 6000 ms; the window must lie inside it/],
    ['a start at the end', 6000, null, 6, /^The capture begins at 6000 ms, but the video lasts 6000 ms/],
    ['a start behind the end', 9000, null, 6, /it must begin before the video ends\.$/],
  ]
  for (const [what, startMs, endMs, seconds, expected] of TABLE) {
    test(what, () => {
      if (expected instanceof RegExp) {
        assert.throws(() => captureWindow({ startMs, endMs }, seconds), { reason: 'capture_window', message: expected })
      } else {
        assert.deepEqual(captureWindow({ startMs, endMs }, seconds), { startMs: expected[0], endMs: expected[1] })
      }
    })
  }
})

describe('the length of audio', () => {
  test('one second is named as one', () => {
    const message = 'The audio lasts 1 second; it must last 5 to 30 seconds.'
    assert.throws(() => refuseAudioLength(1), { reason: 'audio_length', message })
  })
  for (const seconds of [4.95, 5, 17.3, 30, 30.05]) {
    test(`${seconds} seconds are taken`, () => refuseAudioLength(seconds))
  }
  for (const seconds of [0.1, 4.9, 30.1, 3600]) {
    test(`${seconds} seconds are refused`, () => {
      const message = `The audio lasts ${seconds} seconds; it must last 5 to 30 seconds.`
      assert.throws(() => refuseAudioLength(seconds), { reason: 'audio_length', message })
    })
  }
})

test('how much of a file is taken follows from its use and, for elements, its first bytes', async () => {
  const element = bytesMaxOf({ kind: 'element', startMs: 0, endMs: null })
  assert.ok(typeof element === 'function')
  assert.equal(element(await png(9, 9)), mebibytes(10))
  assert.equal(element(Buffer.from('\0\0\0\x18ftypisom\0\0\0\0')), mebibytes(100))
  assert.equal(element(Buffer.from('<html>')), mebibytes(10))
  assert.equal(bytesMaxOf({ kind: 'element_audio' }), mebibytes(50))
  assert.equal(bytesMaxOf({ kind: 'frame', bytesMax: 7 }), 7)
})

describe('whole files', () => {
  let folder: string
  let inspector: Inspectors
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'material-'))
    inspector = openInspectors()
  })
  after(async () => {
    await inspector.close()
    await rm(folder, { recursive: true })
  })

  const at = (name: string) => join(folder, name)
  const frameA: InputUse = { kind: 'frame', bytesMax: mebibytes(10) }
  const frameB: InputUse = { kind: 'frame', bytesMax: mebibytes(50), ratio: { min: 0.4, max: 2.5 } }
  const element: InputUse = { kind: 'element', startMs: 0, endMs: null }

  async function inspect(bytes: Buffer, use: InputUse) {
    await writeFile(at('file'), bytes)
    return await inspector.inspectInput(at('file'), use)
  }

  async function refused(work: Promise<unknown>, reason: FailReason, message: RegExp): Promise<void> {
    await assert.rejects(work, (error) => {
      assert.ok(error instanceof InputFailure, String(error))
      assert.deepEqual([error.reason, message.test(error.message)], [reason, true], error.message)
      return true
    })
  }

  test('frames keep their own limits', async () => {
    const wide = await png(1000, 300)
    const { kind } = await inspect(wide, frameA)
    assert.equal(kind, 'image')
    await refused(inspect(wide, frameB), 'unsupported_dimensions', /ratio 3\.33/)
    const heavy = await noisePng(11)
    await refused(inspect(heavy, frameA), 'image_too_large', /at most 10 MB/)
    assert.equal((await inspect(heavy, { ...frameB, ratio: undefined })).bytes, heavy.length)
  })

  test('a frame is an image, never a video', async () => {
    const video = await makeVideo(at('frame.mp4'), { seconds: 1 })
    await refused(inspector.inspectInput(video, frameA), 'image_format', /^The file is an MP4 file; it must be a still/)
  })

  test('an element is an image or a video as its bytes say', async () => {
    const image = await jpeg(500, 100)
    assert.deepEqual(await inspect(image, { kind: 'element', startMs: 9000, endMs: 12_000 }), {
      kind: 'image',
      mime: 'image/jpeg',
      width: 500,
      height: 100,
      bytes: image.length,
    })
    const path = await makeVideo(at('element.mp4'), { seconds: 4 })
    const { bytes, ...video } = await inspector.inspectInput(path, { kind: 'element', startMs: 500, endMs: 3500 })
    assert.ok(bytes > 1000)
    assert.deepEqual(video, {
      kind: 'video',
      mime: 'video/mp4',
      width: 64,
      height: 48,
      seconds: 4,
      capture: { startMs: 500, endMs: 3500 },
    })
    await refused(
      inspector.inspectInput(path, { kind: 'element', startMs: 0, endMs: 5000 }),
      'capture_window',
      /0 to 5000 ms, but the video lasts 4000 ms/,
    )
  })

  test('an element is nothing else', async () => {
    await refused(
      inspect(SVG, element),
      'image_format',
      /^The file is an SVG image; it must be a JPEG or PNG image or an MP4/,
    )
    await refused(inspect(await animatedPng(9, 9), element), 'image_format', /^The file is an animated PNG/)
    await refused(inspect(await noisePng(11), element), 'image_too_large', /at most 10 MB/)
    const audio = await makeAudio(at('element.mp3'), 1)
    await refused(inspector.inspectInput(audio, element), 'image_format', /without a picture/)
  })

  test('audio of the right length is taken, at its bounds too, and any other is refused', async () => {
    const use: InputUse = { kind: 'element_audio' }
    for (const [name, seconds] of [
      ['five.mp3', 5],
      ['thirty.m4a', 30],
      ['ten.ogg', 10],
    ] as const) {
      const inspected = await inspector.inspectInput(await makeAudio(at(name), seconds), use)
      assert.equal(inspected.kind, 'audio')
    }
    await refused(
      inspector.inspectInput(await makeAudio(at('short.wav'), 4), use),
      'audio_length',
      /^The audio lasts 4 seconds; it must last 5 to 30 seconds\.$/,
    )
    await refused(
      inspector.inspectInput(await makeAudio(at('long.flac'), 33.6), use),
      'audio_length',
      /lasts 33.6 seconds/,
    )
    await refused(inspect(await jpeg(9, 9), use), 'image_format', /^The file is a JPEG image; it must be audio/)
  })

  test('videos and audio have their own limits of size', async () => {
    const video = await makeVideo(at('big.mp4'), { seconds: 1 })
    await truncate(video, mebibytes(100) + 1)
    await refused(
      inspector.inspectInput(video, element),
      'image_too_large',
      /^The video has 100\.01 MB; at most 100 MB/,
    )
    const audio = await makeAudio(at('big.mp3'), 5)
    await truncate(audio, mebibytes(50) + 1)
    await refused(inspector.inspectInput(audio, { kind: 'element_audio' }), 'image_too_large', /at most 50 MB/)
  })
})
