// The encoder's own last frame is what a player shows, wherever B-frames stand at the end.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createVideoFile } from '../../src/video/av/encoder.ts'
import { fillPlane, readPlane } from '../../src/video/kernel/kernel.ts'
import { loadKernel } from '../../src/video/kernel/load-kernel.ts'
import { allocatePicture } from '../../src/video/picture/picture-planes.ts'
import { picturesOf } from '../engines/studio/support/video-facts.ts'

const [width, height] = [320, 180]

test('the last frame is the last that is shown, not the last that was encoded', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dailies-encoder-'))
  const kernel = await loadKernel()
  const picture = allocatePicture(kernel, width, height)
  try {
    for (let count = 20; count < 32; count++) {
      const path = join(folder, `${count}.mp4`)
      const file = await createVideoFile({ path, width, height, threads: 2, sound: null })
      for (let i = 0; i < count; i++) {
        // Waves that travel slowly, so that some frames are encoded after those that follow them.
        const level = (x: number, y: number) => 128 + 60 * Math.sin((x + i) / 9) * Math.cos((y + i / 2) / 7)
        const luma = Uint8Array.from({ length: width * height }, (_, at) => level(at % width, Math.floor(at / width)))
        fillPlane(kernel, picture.y, luma)
        for (const plane of [picture.u, picture.v]) {
          fillPlane(kernel, plane, new Uint8Array((width * height) / 4).fill(128))
        }
        await file.write(kernel, picture)
      }
      await file.finish()
      file.showLast(kernel, picture)
      const shown = (await picturesOf(path)).at(-1)!
      for (const plane of ['y', 'u', 'v'] as const) {
        assert.ok(Buffer.from(readPlane(kernel, picture[plane])).equals(shown[plane]), `${plane} of ${count} frames`)
      }
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})
