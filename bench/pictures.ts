// How the studio's videos look, in figures, over photographs that Debian's packages ship (python3-skimage, opencv-doc,
// plasma-workspace-wallpapers, mate-backgrounds): the first frame against the picture, repeated frames, steps between
// frames, and memory. Photographs are taken at run time; packages that are not installed are left out.
//
//   node bench/pictures.ts [--seconds=3]

import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AV_LOG_ERROR } from 'node-av/constants'
import { Log } from 'node-av/lib'
import sharp from 'sharp'
import { render } from '../src/engines/studio/render.ts'
import type { RenderPlan } from '../src/engines/studio/render-plan.ts'
import { look } from '../src/engines/studio/sight.ts'
import { openStill } from '../src/engines/studio/still.ts'
import { readVideo } from '../src/video/av/media-reader.ts'
import { outputSize, type Size } from '../src/video/picture/output-size.ts'
import { cutPixels, pictureSize } from '../src/video/picture/source-picture.ts'
import { rgbToYuv } from '../src/video/picture/yuv.ts'
import { median } from './support.ts'

const skimage = '/usr/lib/python3/dist-packages/skimage/data'
const opencv = '/usr/share/doc/opencv-doc/examples/data'
const wallpaper = (name: string) => `/usr/share/wallpapers/${name}/contents/images/2560x1600.jpg`
const photographs = [
  ...['astronaut.png', 'chelsea.png', 'coffee.png', 'rocket.jpg', 'motorcycle_left.png'].map((name) =>
    join(skimage, name),
  ),
  ...['building.jpg', 'home.jpg', 'fruits.jpg', 'messi5.jpg', 'leuvenA.jpg'].map((name) => join(opencv, name)),
  ...['EveningGlow', 'BytheWater', 'Path', 'FallenLeaf'].map(wallpaper),
  '/usr/share/backgrounds/mate/nature/Storm.jpg',
]
const prompts = [
  'slow push in',
  'pull out',
  'pan left',
  'tilt up',
  'orbit right',
  'static shot',
  'heavy rain',
  'snow falls',
  'fog',
  'steam rises',
  'embers',
  'sunrays',
  'night falls',
  'fireflies',
  'bokeh',
]

interface Seen {
  ssim: number
  repeated: number
  steepest: number
}

async function measure(path: string, prompt: string, seconds: number, folder: string): Promise<Seen> {
  const bytes = await readFile(path)
  const wanted = { shortSide: 720, ratio: 'auto' } as const
  const size = outputSize(wanted, await pictureSize(bytes))
  const plan: RenderPlan = {
    ...{ prompt, negativePrompt: '', guidance: 0.5, seconds, size: wanted, shots: [], planShots: false, audio: false },
    ...{ workDir: folder, firstFrame: { path, kind: 'image' }, lastFrame: null, elements: [] },
  }
  const { videoPath } = await render(plan, { threads: 2, depth: true, progress() {} })
  const still = await openStill(bytes, size, (pixels) => look(pixels, null))
  const source = rgbToYuv((await cutPixels(still.pixels, still.area, size)).rgb).y
  const steps: number[] = []
  let first: Uint8Array | null = null
  let before: Uint8Array | null = null
  for await (const { y } of readVideo(videoPath, 0, (own) => own)) {
    first ??= y
    if (before) steps.push(stepBetween(before, y))
    before = y
  }
  return {
    ssim: ssim(first!, source, size),
    repeated: steps.filter((step) => step === 0).length,
    steepest: Math.max(...steps) / Math.max(median(steps), 1e-9),
  }
}

function stepBetween(one: Uint8Array, other: Uint8Array): number {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += Math.abs(one[i]! - other[i]!)
  return sum / one.length
}

/** The mean structural similarity over windows of eight pixels. */
function ssim(one: Uint8Array, other: Uint8Array, { width, height }: Size): number {
  let total = 0
  let windows = 0
  for (let top = 0; top + 8 <= height; top += 4) {
    for (let left = 0; left + 8 <= width; left += 4) {
      let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0]
      for (let y = top; y < top + 8; y++) {
        for (let x = left; x < left + 8; x++) {
          const [p, q] = [one[y * width + x]!, other[y * width + x]!]
          a += p
          b += q
          aa += p * p
          bb += q * q
          ab += p * q
        }
      }
      const [meanA, meanB] = [a / 64, b / 64]
      const [varA, varB, both] = [aa / 64 - meanA ** 2, bb / 64 - meanB ** 2, ab / 64 - meanA * meanB]
      total +=
        ((2 * meanA * meanB + 6.5) * (2 * both + 58.5)) / ((meanA ** 2 + meanB ** 2 + 6.5) * (varA + varB + 58.5))
      windows++
    }
  }
  return total / windows
}

async function main(): Promise<void> {
  Log.setLevel(AV_LOG_ERROR)
  sharp.cache(false)
  const seconds = Number(process.argv.find((argument) => argument.startsWith('--seconds='))?.slice(10) ?? 3)
  const folder = await mkdtemp(join(tmpdir(), 'bench-pictures-'))
  const there = photographs.filter(existsSync)
  console.log(`${there.length} photographs; each prompt on each: least SSIM of frame 0, repeated frames, steepest step`)
  for (const prompt of prompts) {
    const seen: Seen[] = []
    for (const path of there) seen.push(await measure(path, prompt, seconds, folder))
    const least = Math.min(...seen.map(({ ssim }) => ssim))
    const repeated = seen.reduce((sum, one) => sum + one.repeated, 0)
    const steepest = Math.max(...seen.map((one) => one.steepest))
    console.log(
      `${prompt.padEnd(14)} ${least.toFixed(3)} ${String(repeated).padStart(5)} ${steepest.toFixed(2).padStart(7)}`,
    )
  }
  console.log(`memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`)
  await rm(folder, { recursive: true })
}

// Native media code runs in a process of its own, as it does in the service.
if (process.send) await main()
else if (process.argv[1] === fileURLToPath(import.meta.url)) fork(import.meta.filename, process.argv.slice(2))
