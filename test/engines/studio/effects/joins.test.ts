// Effects across the join of a video and its extension: what plays on the last frame plays on from there, once, and nothing
// of it stays in the picture.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { EngineResult, Plan } from '../../../../src/engines/engine.ts'
import { stepBetween } from '../support/likeness.ts'
import { drawTexture, pngOf } from '../support/pictures.ts'
import { type StudioRun, startStudio } from '../support/studio-run.ts'
import { picturesOf } from '../support/video-facts.ts'

const size = { width: 320, height: 180 }
const image = (file: string) => ({ file, kind: 'image' as const })
let run: StudioRun

before(async () => {
  run = await startStudio()
  await run.put('picture', await pngOf(drawTexture(640, 360, 5), 640, 360))
})
after(() => run.close())

interface Clip {
  result: EngineResult
  frames: Uint8Array[]
}

async function clip(prompt: string, plan: Partial<Plan> = {}): Promise<Clip> {
  const result = await run.run({ prompt, size, seconds: 2, firstFrame: image('picture'), ...plan })
  return { result, frames: (await picturesOf(result.videoPath)).map(({ y }) => y) }
}

async function extend({ result: { momentum, wideFrame, lastFramePath } }: Clip, prompt: string): Promise<Clip> {
  assert.ok(wideFrame, 'the video has no picture without its effects')
  await run.put('end', await readFile(lastFramePath))
  await run.put('wide', await readFile(wideFrame.path))
  return clip(prompt, { firstFrame: image('end'), momentum, wideFrame: { image: image('wide'), area: wideFrame.area } })
}

/** What stands still in frames: the middle of the levels that each pixel has in them. */
function standing(frames: Uint8Array[]): Uint8Array {
  return frames[0]!.map((_, i) => {
    const levels = frames.map((frame) => frame[i]!).toSorted((a, b) => a - b)
    return levels[levels.length >> 1]!
  })
}

const stepsOf = (frames: Uint8Array[]) => frames.slice(1).map((frame, i) => stepBetween(frames[i]!, frame))

for (const [effect, next] of [
  ['heavy rain', 'heavy rain'],
  ['heavy rain', 'nothing else happens'],
  ['snow falls', 'snow falls'],
  ['confetti', 'confetti'],
  ['film grain and vignette', 'film grain and vignette'],
  ['black and white', 'nothing else happens'],
  ['letterbox', 'letterbox'],
] as const) {
  test(`"${effect}" plays on in an extension, "${next}", and nothing of it stands still in the picture`, async () => {
    const parent = await clip(`locked camera, ${effect}`)
    const child = await extend(parent, `locked camera, ${next}`)
    const join = stepBetween(parent.frames.at(-1)!, child.frames[0]!)
    assert.ok(join < 1.5, `the join changes ${join} levels`)
    // Drops that stay in the picture, a light or a look that is laid over it twice: both would stand still.
    const [old, own] = [standing(parent.frames.slice(-16)), standing(child.frames.slice(-32))]
    const difference = stepBetween(old, own)
    assert.ok(difference < 2.2, `${difference} levels differ`)
    const [before, after] = [parent.frames.slice(-12), child.frames.slice(4, 16)].map((frames) => {
      return stepsOf(frames).reduce((sum, step) => sum + step, 0)
    })
    assert.ok(after! > 0.7 * before! - 1 && after! < 1.4 * before! + 1, `${before} levels of motion, then ${after}`)
  })
}

test('a night that fell in a video does not fall again, and stays where an extension does not mention it', async () => {
  const parent = await clip('locked camera, day turns to night')
  for (const next of ['day turns to night', 'nothing else happens']) {
    const child = await extend(parent, `locked camera, ${next}`)
    const difference = stepBetween(parent.frames.at(-1)!, child.frames.at(-1)!)
    assert.ok(difference < 1.5, `${difference} levels differ after "${next}"`)
  }
})

test('rain goes where an extension says that it stops', async () => {
  const parent = await clip('locked camera, heavy rain')
  const child = await extend(parent, 'locked camera, the rain stops')
  const difference = stepBetween(child.frames.at(-1)!, parent.frames[0]!)
  assert.ok(difference < 2.2, `${difference} levels differ from the dry picture`)
  assert.equal((child.result.momentum as { rain?: number }).rain, undefined)
  assert.ok(Math.max(...stepsOf(child.frames)) < 2 * Math.max(...stepsOf(parent.frames)), 'it goes with a jump')
})

test('a video that pulls out, or stands still, has a picture without its effects too', async () => {
  for (const prompt of ['pull out, snow falls', 'static shot, snow falls']) {
    const { result } = await clip(prompt)
    assert.ok(result.wideFrame && (result.momentum as { snow?: number }).snow! > 1.9, prompt)
  }
})
