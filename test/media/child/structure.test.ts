// Files whose structure alone is an attack are refused at once, and odd but legal files are not.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { FileCursor } from '../../../src/media/child/file-cursor.ts'
import { excessInJpeg } from '../../../src/media/child/jpeg-structure.ts'
import { excessInMp4 } from '../../../src/media/child/mp4-structure.ts'
import { structureOfPng } from '../../../src/media/child/png-structure.ts'
import { makeAudio, makeVideo } from '../../support/files/av-files.ts'
import { indexBombMp4, scanBombJpeg } from '../../support/files/bombs.ts'
import { animatedPng, chunk, jpeg, lyingJpeg, picture, png } from '../../support/files/image-files.ts'
import { type Inspectors, openInspectors, tester } from '../../support/files/inspectors.ts'

let folder: string
let inspectors: Inspectors
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'structure-'))
  inspectors = openInspectors()
})
after(async () => {
  await inspectors.close()
  await rm(folder, { recursive: true })
})

async function look<T>(bytes: Buffer, structure: (file: FileCursor) => T): Promise<T> {
  const path = join(folder, 'file')
  await writeFile(path, bytes)
  using file = new FileCursor(path)
  return structure(file)
}

describe('JPEG', () => {
  test('ordinary, progressive, CMYK and large ones are fine', async () => {
    const large = sharp({ create: { width: 7000, height: 7000, channels: 3, background: '#345' } })
    const files = [
      await jpeg(600, 400),
      await (await picture(600, 400)).jpeg({ progressive: true }).toBuffer(),
      await (await picture(600, 400)).jpeg({ mozjpeg: true }).toBuffer(),
      await (await picture(600, 400)).toColourspace('cmyk').jpeg({ progressive: true }).toBuffer(),
      await large.jpeg({ progressive: true }).toBuffer(),
      // A second image behind the first, as phones append it.
      Buffer.concat([await jpeg(60, 40), await scanBombJpeg(100, { width: 64, height: 64 })]),
    ]
    for (const bytes of files) assert.equal(await look(bytes, excessInJpeg), null)
  })

  test('too many scans, or too many for the size', async () => {
    assert.equal(await look(await scanBombJpeg(20, { width: 640, height: 480 }), excessInJpeg), null)
    assert.equal(await look(await scanBombJpeg(100, { width: 64, height: 64 }), excessInJpeg), 'more than 64 scans')
    assert.match(String(await look(await scanBombJpeg(40, { width: 7000, height: 7000 }), excessInJpeg)), /scans of 49/)
  })

  test('one that is too large is refused for its size, however it is stored', async () => {
    for (const progressive of [false, true]) {
      const path = join(folder, 'large.jpg')
      // In one pass, more pixels than those of 20 scans of the largest image.
      await writeFile(path, await lyingJpeg(33_000, 33_000, { progressive }))
      await assert.rejects(inspectors.children.inspectImage(path, { bytesMax: 1e7 }, tester), {
        reason: 'unsupported_dimensions',
        message: 'The image is 33000×33000 (1089 megapixels); at most 50 megapixels are accepted.',
      })
    }
  })

  test('any bytes are survived', async () => {
    const bytes = await scanBombJpeg(5, { width: 64, height: 64 })
    for (let length = 0; length < 200; length++) await look(bytes.subarray(0, length), excessInJpeg)
    await look(Buffer.concat([bytes.subarray(0, 20), Buffer.alloc(300_000, 0xff)]), excessInJpeg)
  })

  test('a bomb is refused with a clear reason, long before it could be decoded', async () => {
    const path = join(folder, 'bomb.jpg')
    await writeFile(path, await scanBombJpeg(1000))
    const startedAt = performance.now()
    await assert.rejects(inspectors.children.inspectImage(path, { bytesMax: 1e7 }, tester), {
      reason: 'image_format',
      message: /^The image has \d+ scans of 16 megapixels, which is not supported; save it again/,
    })
    // Decoding it takes 10 s and more.
    assert.ok(performance.now() - startedAt < 5000)
  })
})

describe('PNG', () => {
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const many = (type: string, count: number) => Buffer.concat(new Array(count).fill(chunk(type, Buffer.alloc(0))))

  test('still and animated ones are distinguished', async () => {
    assert.deepEqual(await look(await png(600, 400), structureOfPng), { isAnimated: false, excess: null })
    assert.deepEqual(await look(await animatedPng(60, 40), structureOfPng), { isAnimated: true, excess: null })
  })

  test('floods of chunks', async () => {
    assert.match(String((await look(Buffer.concat([signature, many('tEXt', 1001)]), structureOfPng)).excess), /other/)
    assert.match(String((await look(Buffer.concat([signature, many('IDAT', 10_001)]), structureOfPng)).excess), /image/)
    assert.equal((await look(Buffer.concat([signature, many('IDAT', 9_000)]), structureOfPng)).excess, null)
    const texts = (type: string, flags: string, bytes: number, count: number) =>
      Buffer.concat(Array(count).fill(chunk(type, Buffer.from(`key\0${flags}`.padEnd(bytes, 'a')))))
    for (const [bytes, isTaken] of [
      [texts('zTXt', '\0', 8000, 8), true],
      [texts('zTXt', '\0', 8000, 9), false],
      [texts('iTXt', '\x01\0\0\0', 8000, 9), false],
      [texts('zTXt', '\0', 60, 900), true],
      [texts('iTXt', '\0\0\0\0', 10_000, 900), true],
      [texts('tEXt', '', 10_000, 900), true],
    ] as const) {
      const { excess } = await look(Buffer.concat([signature, bytes]), structureOfPng)
      assert.equal(excess, isTaken ? null : 'more than 64 MB of compressed texts')
    }
  })
})

describe('MP4 and QuickTime', () => {
  test('ordinary videos and audio are fine', async () => {
    const paths = [
      await makeVideo(join(folder, 'a.mp4'), { seconds: 2 }),
      await makeVideo(join(folder, 'a.mov'), { seconds: 2 }),
      await makeAudio(join(folder, 'a.m4a'), 5),
    ]
    for (const path of paths) assert.equal(await look(await readFile(path), excessInMp4), null)
  })

  test('an index that claims millions of samples, whole or in fragments', async () => {
    assert.equal(await look(indexBombMp4(1000), excessInMp4), null)
    assert.equal(await look(indexBombMp4(80_000_000), excessInMp4), 'an index of 80000000 samples')
    assert.equal(
      await look(indexBombMp4(80_000_000, { fragmented: true }), excessInMp4),
      'an index of 80000000 samples',
    )
  })

  test('any bytes are survived', async () => {
    const bytes = indexBombMp4(1000)
    for (let length = 0; length < bytes.length; length++) await look(bytes.subarray(0, length), excessInMp4)
    for (let place = 0; place < bytes.length; place++) {
      const changed = Buffer.from(bytes)
      changed[place] = 0xff
      await look(changed, excessInMp4)
    }
  })

  test('a bomb is refused at once', async () => {
    const path = join(folder, 'bomb.mp4')
    await writeFile(path, indexBombMp4(80_000_000))
    const startedAt = performance.now()
    await assert.rejects(inspectors.inspectVideo(path), { reason: 'image_format', message: /not supported/ })
    // FFmpeg takes 6 s and 2.9 GB for it.
    assert.ok(performance.now() - startedAt < 5000)
  })
})
