// Depth: a subject that stands out travels farther than its background.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { decideMask, growMask } from '../../../../src/engines/studio/subject/decide-mask.ts'
import type { VideoImage } from '../../../../src/video/av/media-reader.ts'
import { drawTexture } from '../support/pictures.ts'
import { type StudioRun, startStudio } from '../support/studio-run.ts'
import { picturesOf } from '../support/video-facts.ts'

test('a mask keeps what is connected to its core and drops separate pieces', () => {
  const size = { width: 12, height: 1 }
  const soft = Uint8Array.from([0, 0, 255, 255, 200, 40, 40, 40, 40, 60, 0, 100])
  const decided = decideMask(soft, size)
  assert.deepEqual([...decided.slice(0, 5)], [0, 0, 255, 255, 255])
  assert.ok(decided[9]! > 200, 'an unsure part that touches the subject belongs to it')
  assert.equal(decided[11], 0, 'an island without a core does not')
  assert.deepEqual([...growMask(Uint8Array.from([0, 0, 0, 9, 0, 0]), { width: 6, height: 1 }, 2)], [0, 9, 9, 9, 9, 9])
})

let run: StudioRun

before(async () => {
  run = await startStudio({ depth: true })
})
after(() => run.close())

/** Where the red subject and a blue mark of the background are, in chroma pixels. */
function centresOf(picture: VideoImage): { subject: number; mark: number } {
  const width = picture.width / 2
  const centre = (plane: Uint8Array) => {
    let sum = 0
    let weighted = 0
    plane.forEach((level, i) => {
      const weight = Math.max(0, level - 170)
      sum += weight
      weighted += weight * (i % width)
    })
    return weighted / sum
  }
  return { subject: centre(picture.v), mark: centre(picture.u) }
}

test('in a pan the subject travels farther than what lies behind it', async () => {
  const [width, height] = [960, 540]
  const scene = await sharp(drawTexture(width, height, 4), { raw: { width, height, channels: 3 } })
    .composite([
      {
        input: Buffer.from(
          `<svg width="${width}" height="${height}"><circle cx="480" cy="290" r="120" fill="#e01818"/>` +
            '<rect x="760" y="60" width="40" height="40" fill="#1a2cff"/></svg>',
        ),
      },
    ])
    .png()
    .toBuffer()
  await run.put('first.png', scene)
  const travel = async (depth: boolean) => {
    const studio = depth ? run : await startStudio()
    if (!depth) await studio.put('first.png', scene)
    const { videoPath } = await studio.run({ prompt: 'pan right', size: { width: 480, height: 270 } })
    const pictures = await picturesOf(videoPath)
    if (!depth) await studio.close()
    const [start, end] = [centresOf(pictures[0]!), centresOf(pictures.at(-1)!)]
    return { subject: start.subject - end.subject, mark: start.mark - end.mark }
  }
  const flat = await travel(false)
  const deep = await travel(true)
  const [flatLead, deepLead] = [flat.subject - flat.mark, deep.subject - deep.mark]
  assert.ok(deepLead > flatLead + 0.5, `the subject leads by ${deepLead} instead of ${flatLead}`)
})
