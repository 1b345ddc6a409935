// Makes the samples of the documentation with the project's own renderer. Source pictures are painted, or photographs whose
// origin NOTICE.md names; clips are rendered by the studio as a task would be, previews and contact sheets cut from them.
//
//   npm run samples                       the clips of the documentation
//   npm run samples -- coffee portrait    only these
//   npm run samples -- --effects          each effect on a photograph, into effects/, which is not committed
//   npm run samples -- --effects rain     only this one
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import type { Plan } from '../../src/engines/engine.ts'
import { effects } from '../../src/engines/studio/effects/all.ts'
import { createStudio } from '../../src/engines/studio/studio.ts'
import { readVideo } from '../../src/video/av/media-reader.ts'
import { yuvToRgb } from '../../src/video/picture/yuv.ts'
import { paintScene } from './paint.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const previewWidths = [600, 520, 440, 380]
/** Every second frame of 24 a second. */
const previewStep = 2
const previewBytesMax = 980_000
const sheetColumns = 6

const lake = { width: 1600, height: 900, shift: 0, boat: 1 }
const pictures: Record<string, Parameters<typeof paintScene>[0]> = {
  'lake.jpg': { ...lake, dusk: 0.75 },
  'lake-noon.jpg': { ...lake, dusk: 0 },
  'lake-dusk.jpg': { ...lake, dusk: 1, shift: 0.02 },
}

const image = (file: string) => ({ file, kind: 'image' as const })

const base: Plan = {
  model: 'videomodel-3.0-omni/image-to-video',
  prompt: '',
  negativePrompt: '',
  guidance: 0.5,
  seconds: 4,
  size: { shortSide: 720, ratio: 'auto' },
  firstFrame: image('lake.jpg'),
  lastFrame: null,
  shots: [],
  planShots: false,
  elements: [],
  audio: false,
}

const clips: Record<string, Partial<Plan>> = {
  'push-in': { prompt: 'A slow push in on the sailing boat' },
  morph: { prompt: 'The day ends', firstFrame: image('lake-noon.jpg'), lastFrame: image('lake-dusk.jpg') },
  'three-shots': {
    seconds: 6,
    shots: [
      { prompt: 'Wide shot of the lake, pan right', seconds: 2 },
      { prompt: 'Close-up of the boat, push in', seconds: 2 },
      { prompt: 'The mountains, tilt up', seconds: 2 },
    ],
  },
  orbit: { prompt: 'The camera arcs around the boat' },
  coffee: { seconds: 3, prompt: 'Slow orbit right, steam rises from the cup', firstFrame: image('coffee.jpg') },
  weather: { seconds: 3, prompt: 'Slow push in, heavy rain and lightning', firstFrame: image('rocket.jpg') },
  portrait: {
    seconds: 3,
    prompt: 'Slow push in, shallow depth of field, bokeh',
    firstFrame: image('portrait.jpg'),
    size: { shortSide: 720, ratio: '1:1' },
  },
}

/** The clips of the contact sheet. */
const sheetClips = ['push-in', 'morph', 'three-shots', 'orbit']

/** A prompt for each effect, on the picture that suits it. */
const effectSamples = Object.values(effects).map(({ sample }) => sample)

async function framesOf(videoPath: string, width: number | null): Promise<Buffer[]> {
  const frames: Buffer[] = []
  let at = 0
  const scaled = (size: { width: number; height: number }) =>
    width === null ? size : { width, height: Math.round(((size.height / size.width) * width) / 2) * 2 }
  for await (const picture of readVideo(videoPath, 0, scaled)) {
    if (at++ % previewStep !== 0) continue
    const { width, height, y, u, v } = picture
    frames.push(
      await sharp(yuvToRgb(y, u, v, width, height), { raw: { width, height, channels: 3 } })
        .png()
        .toBuffer(),
    )
  }
  return frames
}

/** As wide as a page can carry. */
async function writePreview(frames: Buffer[], path: string): Promise<void> {
  const delay = Math.round((1000 / 24) * previewStep)
  for (const width of previewWidths) {
    const narrowed = await Promise.all(frames.map((frame) => sharp(frame).resize({ width }).png().toBuffer()))
    const { size } = await sharp(narrowed, { join: { animated: true } })
      // Below 90, pixels that changed by a few levels are kept from the frame before: skies and walls break into blocks.
      .webp({ quality: 90, effort: 4, loop: 0, delay })
      .toFile(path)
    if (size < previewBytesMax) return
  }
  throw new Error(`${path} is too large`)
}

/** One row a clip, from its first frame to its last. */
async function writeContactSheet(rows: Buffer[][], path: string): Promise<void> {
  const tile = { width: 320, height: 180, gap: 6 }
  const tiles = rows.flatMap((frames, row) =>
    Array.from({ length: sheetColumns }, async (_, column) => ({
      input: await sharp(frames[Math.round((column / (sheetColumns - 1)) * (frames.length - 1))]!)
        .resize(tile.width, tile.height, { fit: 'contain', background: '#141210' })
        .toBuffer(),
      left: tile.gap + column * (tile.width + tile.gap),
      top: tile.gap + row * (tile.height + tile.gap),
    })),
  )
  await sharp({
    create: {
      width: tile.gap + sheetColumns * (tile.width + tile.gap),
      height: tile.gap + rows.length * (tile.height + tile.gap),
      channels: 3,
      background: '#141210',
    },
  })
    .composite(await Promise.all(tiles))
    .jpeg({ quality: 86 })
    .toFile(path)
}

const work = await mkdtemp(join(tmpdir(), 'dailies-samples-'))
const studio = createStudio({ slots: 1 })

/** Every second frame of a clip, at the preview's width or, where that is null, as they are. */
async function clipOf(
  name: string,
  changes: Partial<Plan>,
  width: number | null = previewWidths[0]!,
): Promise<Buffer[]> {
  const workDir = join(work, name)
  await mkdir(workDir)
  const context = {
    workDir,
    localPath: async (file: string) => join(here, file),
    signal: AbortSignal.timeout(600_000),
    progress: () => {},
    submission: name,
    keep: async () => {},
  }
  const { videoPath } = await studio.follow({}, { ...base, ...changes }, context)
  return framesOf(videoPath, width)
}

async function makeEffects(asked: string[]): Promise<void> {
  const folder = join(here, 'effects')
  await mkdir(folder, { recursive: true })
  const rows: Buffer[][] = []
  for (const { prompt, picture } of effectSamples) {
    if (asked.length > 0 && !asked.includes(prompt)) continue
    const frames = await clipOf(prompt, { prompt, seconds: 2, firstFrame: image(`${picture}.jpg`) }, null)
    await writeFile(join(folder, `${prompt}.png`), frames.at(-2)!)
    rows.push(frames)
  }
  await writeContactSheet(rows, join(folder, 'contact-sheet.jpg'))
}

try {
  const asked = process.argv.slice(2)
  if (asked.includes('--effects')) await makeEffects(asked.filter((own) => own !== '--effects'))
  else {
    for (const [name, scene] of Object.entries(pictures)) await writeFile(join(here, name), await paintScene(scene))
    const rows = new Map<string, Buffer[]>()
    for (const [name, changes] of Object.entries(clips)) {
      if (asked.length > 0 && !asked.includes(name)) continue
      const frames = await clipOf(name, changes)
      rows.set(name, frames)
      await writePreview(frames, join(here, `${name}.webp`))
    }
    const sheet = sheetClips.flatMap((name) => (rows.has(name) ? [rows.get(name)!] : []))
    if (sheet.length === sheetClips.length) await writeContactSheet(sheet, join(here, 'contact-sheet.jpg'))
  }
} finally {
  await studio.close()
  await rm(work, { recursive: true, force: true })
}
