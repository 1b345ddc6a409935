// What the inspection accepts, every later step can open: the preview, moderation, the conversion for generators, and
// the studio.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createInputImages } from '../../src/engines/remote/input-images.ts'
import { createMediaChildren, type MediaChildren } from '../../src/media/media-children.ts'
import { createModerationChildren } from '../../src/moderation/moderation-children.ts'
import { openPicture } from '../../src/video/picture/decode-picture.ts'
import { lyingJpeg } from '../support/files/image-files.ts'
import { tester } from '../support/files/inspectors.ts'

let folder: string
let path: string
let children: MediaChildren
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'accepted-'))
  path = join(folder, 'flawed.jpg')
  await writeFile(path, await lyingJpeg(640, 800))
  children = createMediaChildren({ slots: 1 })
})
after(async () => {
  await children.close()
  await rm(folder, { recursive: true })
})

describe('a JPEG of which a decoder only warns', () => {
  test('is accepted', async () => {
    const { width, height } = await children.inspectImage(path, { bytesMax: 1e7 }, tester)
    assert.deepEqual({ width, height }, { width: 640, height: 800 })
  })

  test('has a preview', async () => {
    await children.writePreview(path, join(folder, 'preview.webp'), { bytesMax: 1e7 }, tester)
  })

  test('is scored by moderation', async () => {
    const moderation = createModerationChildren({ slots: 1 })
    try {
      assert.ok((await moderation.scoreImage(path, tester)).porn < 0.6)
    } finally {
      await moderation.close()
    }
  })

  test('is converted for generators', async () => {
    const images = createInputImages()
    try {
      const context = { workDir: folder, signal: new AbortController().signal }
      assert.ok((await images.convert(path, { width: 320, height: 400 }, context)).length > 0)
    } finally {
      await images.close()
    }
  })

  test('is opened by the studio', async () => {
    const { width, height } = await openPicture(await readFile(path), { width: 320, height: 400 })
    assert.deepEqual({ width, height }, { width: 320, height: 400 })
  })
})
