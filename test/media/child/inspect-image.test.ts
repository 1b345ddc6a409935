// Images as they come: which are taken, upright and with their true size, and which are refused with what sentence.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import sharp, { type Sharp } from 'sharp'
import type { FailReason } from '../../../src/contract/tasks/fail-reasons.ts'
import { InputFailure } from '../../../src/media/input-failure.ts'
import type { ImageLimits, InspectedImage } from '../../../src/media/inspect-job.ts'
import { animatedPng, bombPng, jpeg, noisePng, picture, png, SVG } from '../../support/files/image-files.ts'
import { type Inspectors, openInspectors, tester } from '../../support/files/inspectors.ts'

const MB = 2 ** 20
const LIMITS: ImageLimits = { bytesMax: 10 * MB }
const RATIO = { min: 0.4, max: 2.5 }
let folder: string
let inspectors: Inspectors

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'images-'))
  inspectors = openInspectors()
})
after(async () => {
  await inspectors.close()
  await rm(folder, { recursive: true })
})

async function inspect(bytes: Buffer, limits: ImageLimits = LIMITS): Promise<InspectedImage> {
  const path = join(folder, 'image')
  await writeFile(path, bytes)
  return await inspectors.children.inspectImage(path, limits, tester)
}

async function refused(bytes: Buffer, reason: FailReason, message: RegExp | string, limits = LIMITS): Promise<void> {
  await assert.rejects(inspect(bytes, limits), (error: unknown) => {
    assert.ok(error instanceof InputFailure, String(error))
    assert.equal(error.reason, reason)
    if (typeof message === 'string') assert.equal(error.message, message)
    else assert.match(error.message, message)
    return true
  })
}

describe('taken', () => {
  const KINDS: readonly (readonly [string, 'jpeg' | 'png', (image: Sharp) => Sharp])[] = [
    ['an ordinary JPEG', 'jpeg', (image) => image.jpeg()],
    ['a progressive JPEG', 'jpeg', (image) => image.jpeg({ progressive: true })],
    ['a greyscale JPEG', 'jpeg', (image) => image.greyscale().jpeg()],
    ['a CMYK JPEG', 'jpeg', (image) => image.toColourspace('cmyk').jpeg()],
    ['an ordinary PNG', 'png', (image) => image.png()],
    ['an interlaced PNG', 'png', (image) => image.png({ progressive: true })],
    ['a PNG with a palette', 'png', (image) => image.png({ palette: true })],
    ['a PNG with 16 bits', 'png', (image) => image.toColourspace('rgb16').png()],
    ['a greyscale PNG', 'png', (image) => image.greyscale().png()],
    ['a transparent PNG', 'png', (image) => image.ensureAlpha(0.5).png()],
  ]
  for (const [name, format, encode] of KINDS) {
    test(name, async () => {
      const bytes = await encode(await picture(60, 40)).toBuffer()
      assert.deepEqual(await inspect(bytes), { mime: `image/${format}`, width: 60, height: 40, bytes: bytes.length })
    })
  }

  test('the files of the table are what their names say', async () => {
    const made = async (at: number) => await KINDS[at]![2](await picture(60, 40)).toBuffer()
    const PNG_COLOUR_TYPE_AT = 25
    assert.equal((await sharp(await made(1)).metadata()).isProgressive, true)
    assert.equal((await sharp(await made(3)).metadata()).space, 'cmyk')
    assert.equal((await made(6))[PNG_COLOUR_TYPE_AT], 3, 'palette')
    assert.equal((await sharp(await made(7)).metadata()).depth, 'ushort')
  })

  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    test(`a JPEG with EXIF orientation ${orientation}, measured as it is shown`, async () => {
      const bytes = await (await picture(60, 40)).withMetadata({ orientation }).jpeg().toBuffer()
      const { width, height } = await inspect(bytes)
      assert.deepEqual([width, height], orientation < 5 ? [60, 40] : [40, 60])
    })
  }

  test('the ratio of a turned image is that of the image as shown', async () => {
    const bytes = await (await picture(100, 240)).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const { width, height } = await inspect(bytes, { ...LIMITS, ratio: { min: 2, max: 2.5 } })
    assert.deepEqual([width, height], [240, 100])
  })

  test('a single pixel', async () => {
    assert.equal((await inspect(await png(1, 1))).width, 1)
    assert.equal((await inspect(await jpeg(1, 1), { ...LIMITS, ratio: RATIO })).height, 1)
  })

  test('exactly as many bytes as allowed, and not one more', async () => {
    const bytes = await jpeg(60, 40)
    assert.equal((await inspect(bytes, { bytesMax: bytes.length })).bytes, bytes.length)
    await refused(bytes, 'image_too_large', /^The image has/, { bytesMax: bytes.length - 1 })
  })

  test('both bounds of the ratio themselves', async () => {
    for (const [width, height] of [
      [2, 5],
      [5, 2],
      [200, 500],
      [1000, 400],
      [1234, 3085],
      [3085, 1234],
    ] as const) {
      assert.equal((await inspect(await png(width, height), { ...LIMITS, ratio: RATIO })).width, width)
    }
  })

  test('a JPEG with a few bytes behind its end', async () => {
    const bytes = Buffer.concat([await jpeg(60, 40), Buffer.from('camera notes')])
    assert.equal((await inspect(bytes)).bytes, bytes.length)
  })
})

test('many at once do not get into each other’s way', async () => {
  const paths = await Promise.all(
    Array.from({ length: 40 }, async (_, i) => {
      const path = join(folder, `many${i}`)
      await writeFile(path, i % 2 === 0 ? await jpeg(300, 200) : await png(300, 200))
      return path
    }),
  )
  const inspected = await Promise.all(paths.map((path) => inspectors.children.inspectImage(path, LIMITS, tester)))
  assert.ok(inspected.every(({ width }) => width === 300))
})

describe('refused', () => {
  test('a ratio out of bounds, saying which it is and which are allowed', async () => {
    const limits = { ...LIMITS, ratio: RATIO }
    const allowed = 'the ratio must be between 0.4 and 2.5.'
    await refused(
      await png(1000, 300),
      'unsupported_dimensions',
      `The image is 1000×300 (ratio 3.33); ${allowed}`,
      limits,
    )
    await refused(
      await png(399, 1000),
      'unsupported_dimensions',
      `The image is 399×1000 (ratio 0.399); ${allowed}`,
      limits,
    )
    await refused(
      await png(2501, 1000),
      'unsupported_dimensions',
      `The image is 2501×1000 (ratio 2.501); ${allowed}`,
      limits,
    )
  })

  test('too many bytes', async () => {
    await refused(await noisePng(10.5), 'image_too_large', /^The image has 10\.\d+ MB; at most 10 MB are accepted\.$/)
  })

  test('256 megapixels in 31 kB, quickly and without decoding them', async () => {
    const bomb = bombPng()
    assert.ok(bomb.length < 33_000, `${bomb.length} bytes`)
    const startedAt = performance.now()
    const sentence = 'The image is 16000×16000 (256 megapixels); at most 50 megapixels are accepted.'
    await refused(bomb, 'unsupported_dimensions', sentence)
    assert.ok(performance.now() - startedAt < 2000)
  })

  test('an animated PNG', async () => {
    const animated = await animatedPng(60, 40)
    assert.equal((await sharp(animated).metadata()).width, 60, 'it is a readable PNG otherwise')
    const sentence = 'The file is an animated PNG; it must be a still JPEG or PNG image.'
    await refused(animated, 'image_format', sentence)
  })

  const wanted = 'it must be a still JPEG or PNG image.'
  const OTHERS: readonly (readonly [string, () => Promise<Buffer> | Buffer])[] = [
    ['an empty file', () => Buffer.alloc(0)],
    ['an SVG image', () => SVG],
    ['an SVG image', () => Buffer.from('<svg width="1" height="1"></svg>')],
    ['an HTML page', () => Buffer.from('\n<!DOCTYPE html><title>Sign in</title>')],
    ['a playlist', () => Buffer.from('#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:9,\nfile:///etc/passwd\n')],
    ['a text file', () => Buffer.from('{"error": "not found"}')],
    ['of an unknown type', () => Buffer.from('just some words')],
    ['a GIF image', () => Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')],
    ['a WebP image', async () => await (await picture(9, 9)).webp().toBuffer()],
    ['an AVIF image', async () => await (await picture(9, 9)).heif({ compression: 'av1' }).toBuffer()],
    ['a TIFF image', async () => await (await picture(9, 9)).tiff().toBuffer()],
    ['a PDF file', () => Buffer.from('%PDF-1.7\n1 0 obj')],
  ]
  for (const [name, make] of OTHERS) {
    test(`${name}`, async () => refused(await make(), 'image_format', `The file is ${name}; ${wanted}`))
  }

  test('an SVG that begins with the bytes of a PNG or a JPEG', async () => {
    for (const head of ['89504e470d0a1a0a', 'ffd8ffe0']) {
      await refused(Buffer.concat([Buffer.from(head, 'hex'), SVG]), 'image_format', /damaged or incomplete/)
    }
  })

  test('files that end early, also just before their end', async () => {
    const whole = [
      await jpeg(300, 200),
      await (await picture(300, 200)).jpeg({ progressive: true }).toBuffer(),
      await png(300, 200),
      await (await picture(300, 200)).png({ progressive: true }).toBuffer(),
    ]
    for (const bytes of whole) {
      for (const kept of [20, bytes.length >> 1, bytes.length - 40]) {
        await refused(
          bytes.subarray(0, kept),
          'image_format',
          /^The image is damaged or incomplete; it must be a whole/,
        )
      }
    }
  })

  test('a PNG with a wrong bit in its image data', async () => {
    const bytes = await png(300, 200)
    bytes[bytes.length >> 1]! ^= 0x10
    await refused(bytes, 'image_format', /damaged/)
  })
})
