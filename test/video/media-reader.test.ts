// Clients' videos as they are meant to be seen.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readVideo } from '../../src/video/av/media-reader.ts'
import { makeVideo, turnMp4 } from '../support/files/av-files.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'media-reader-'))
})
after(() => rm(folder, { recursive: true }))

/** The size that a player gives the video. */
async function shownSize(path: string) {
  let shown: { width: number; height: number } | null = null
  const pictures = readVideo(path, 0, (own) => {
    shown = own
    return { width: 16, height: 16 }
  })
  assert.ok(!(await pictures.next()).done)
  await pictures.return()
  return shown
}

describe('the shape of a video', () => {
  for (const extension of ['mp4', 'mkv']) {
    test(`pixels that are not square, in ${extension}`, async () => {
      const path = join(folder, `wide.${extension}`)
      await makeVideo(path, { seconds: 1, width: 64, height: 48, pixelAspect: 1.5 })
      assert.deepEqual(await shownSize(path), { width: 96, height: 48 })
    })
  }

  test('such pixels in a video that is turned', async () => {
    const path = join(folder, 'turned.mp4')
    await makeVideo(path, { seconds: 1, width: 64, height: 48, pixelAspect: 1.5 })
    await writeFile(path, turnMp4(await readFile(path)))
    assert.deepEqual(await shownSize(path), { width: 48, height: 96 })
  })

  test('a shape of pixels that no camera has is ignored', async () => {
    const path = join(folder, 'absurd.mp4')
    await makeVideo(path, { seconds: 1, width: 64, height: 48, pixelAspect: 100 })
    assert.deepEqual(await shownSize(path), { width: 64, height: 48 })
  })
})
