// How the studio's videos look, in figures, over photographs that Debian's packages ship (python3-skimage, opencv-doc,
// plasma-workspace-wallpapers, mate-backgrounds): the first frame against the picture, repeated frames, steps between
// frames, the last frame against a tail image, an extension against its parent, faces in crops, fine detail that the encoder
// keeps, and memory. Photographs are taken at run time; packages that are not installed are left out. The whole of it takes
// an hour on two cores, so it can be run in pieces: `only` takes parts of prompts (or `ends`, `extensions` and a move,
// `heads`, `detail`), `pictures` parts of file names. Below each line are the pictures that miss a goal.
//
//   node bench/pictures.ts [--seconds=3] [--only=rain,snow] [--pictures=coffee,rocket]

import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AV_LOG_ERROR } from 'node-av/constants'
import { Log } from 'node-av/lib'
import sharp from 'sharp'
import { rest } from '../src/engines/studio/camera/momentum.ts'
import { effects } from '../src/engines/studio/effects/all.ts'
import { analyzePicture } from '../src/engines/studio/picture-analysis.ts'
import { render } from '../src/engines/studio/render.ts'
import type { RenderPlan } from '../src/engines/studio/render-plan.ts'
import { openRequestPicture } from '../src/engines/studio/request-picture.ts'
import { readVideo } from '../src/video/av/media-reader.ts'
import { framesPerSecond } from '../src/video/av/timing.ts'
import { loadKernel } from '../src/video/kernel/load-kernel.ts'
import { pictureSize } from '../src/video/picture/decode-picture.ts'
import { outputSize, type Size } from '../src/video/picture/output-size.ts'
import { cutPixels } from '../src/video/picture/source-picture.ts'
import { rgbToYuv } from '../src/video/picture/yuv.ts'
import { ssim, stepBetween } from '../test/engines/studio/support/likeness.ts'
import { paceAcross } from '../test/engines/studio/support/pace.ts'
import { type Detail, measureDetail } from './pictures/detail.ts'
import { plainPlan } from './plain-plan.ts'
import { median } from './support.ts'

const skimage = '/usr/lib/python3/dist-packages/skimage/data'
const opencv = '/usr/share/doc/opencv-doc/examples/data'
const wallpaper = (name: string) => `/usr/share/wallpapers/${name}/contents/images/2560x1600.jpg`
const knownPhotographs = [
  ...['astronaut.png', 'chelsea.png', 'coffee.png', 'rocket.jpg', 'motorcycle_left.png'].map((name) =>
    join(skimage, name),
  ),
  ...['building.jpg', 'home.jpg', 'fruits.jpg', 'messi5.jpg', 'leuvenA.jpg'].map((name) => join(opencv, name)),
  ...['EveningGlow', 'BytheWater', 'Path', 'FallenLeaf'].map(wallpaper),
  '/usr/share/backgrounds/mate/nature/Storm.jpg',
]
/** Every wallpaper's file is named after its size. */
const nameOf = (path: string) => /wallpapers\/([^/]+)/.exec(path)?.[1] ?? basename(path)
/** Light that jumps or flickers by its nature: its steps are not counted. */
const restless = ['candlelight', 'lightning', 'glitch']
const prompts = [
  'slow push in',
  'pull out',
  'pan left',
  'tilt up',
  'orbit right',
  'roll clockwise',
  'handheld',
  'static shot',
  'dolly zoom',
  'drone flyover',
  'Ken Burns',
  'push in, then pan left',
  ...Object.values(effects).map(({ sample }) => sample.prompt),
]

/** A move and the one that an extension goes on with. */
const extended = [
  ...['push in', 'pull out', 'pan left', 'tilt up', 'orbit right', 'truck right', 'roll clockwise'].map(
    (move) => [move, move] as const,
  ),
  ...([
    ['push in', 'pan left'],
    ['pan left', 'pan right'],
  ] as const),
]

const detailMoves = ['pan left', 'push in', 'orbit right']

interface Seen {
  ssim: number
  repeated: number
  steepest: number
}

const wanted = { shortSide: 720, ratio: 'auto' } as const

const planOf = (path: string, prompt: string, seconds: number, workDir: string) =>
  plainPlan({ path, prompt, seconds, workDir, shortSide: wanted.shortSide })

const renderPlan = (plan: RenderPlan) => render(plan, { threads: 2, depth: true, progress() {} })

const kernel = await loadKernel()
const shown = new Map<string, Uint8Array>()

/** The luma of a picture as the first frame should show it. */
async function shownLuma(path: string, size: Size): Promise<Uint8Array> {
  const known = shown.get(`${path} ${size.width}×${size.height}`)
  if (known) return known
  const still = await openRequestPicture(await readFile(path), size, (small) => analyzePicture(kernel, small, null))
  const { y } = rgbToYuv(cutPixels(kernel, still.pixels, still.area, size).rgb)
  shown.set(`${path} ${size.width}×${size.height}`, y)
  return y
}

async function framesOf(videoPath: string): Promise<Uint8Array[]> {
  const frames: Uint8Array[] = []
  for await (const { y } of readVideo(videoPath, 0, (own) => own)) frames.push(y)
  return frames
}

async function measure(path: string, prompt: string, seconds: number, folder: string): Promise<Seen> {
  const size = outputSize(wanted, await pictureSize(await readFile(path)))
  const { videoPath } = await renderPlan(planOf(path, prompt, seconds, folder))
  const frames = await framesOf(videoPath)
  const steps = frames.slice(1).map((frame, i) => stepBetween(frames[i]!, frame))
  // Light that goes changes more than a camera that hardly moves: the steps of a fade are compared with each other.
  const compared = prompt === 'fade out' ? steps.slice(-framesPerSecond) : steps
  return {
    ssim: ssim(frames[0]!, await shownLuma(path, size), size),
    repeated: steps.filter((step) => step === 0).length,
    steepest: Math.max(...compared) / Math.max(median(compared), 1e-9),
  }
}

/** A first frame that is not the picture, a frame that repeats the one before it, or a jolt. */
const missesGoal = ({ ssim, repeated, steepest }: Seen, mayJump: boolean) =>
  ssim < 0.97 || repeated > 0 || (steepest > 3 && !mayJump)

/** A join that a viewer could see. Another move has a pace of its own. */
const stumbles = ({ ssim, pace, steepest }: Join, sameMove: boolean) =>
  ssim < 0.95 || steepest > 3 || (sameMove && (pace < 0.85 || pace > 1.18))

/** The last frame against the tail image. */
async function measureTail(path: string, tail: string, seconds: number, folder: string): Promise<number> {
  const size = outputSize(wanted, await pictureSize(await readFile(path)))
  const plan = { ...planOf(path, 'push in', seconds, folder), lastFrame: { path: tail, kind: 'image' as const } }
  const { videoPath } = await renderPlan(plan)
  return ssim((await framesOf(videoPath)).at(-1)!, await shownLuma(tail, size), size)
}

interface Join {
  ssim: number
  pace: number
  /** Of the frames around the join, the join itself included, by the usual step. */
  steepest: number
}

/**
 * The largest step by the usual one, or by those right before and right after it where both are larger: another move may
 * be faster than the parent's, but neither a single jump nor a sudden new pace is made up for by what comes later.
 */
function steepestOf(steps: number[]): number {
  // Of the slower side: else a pace that is new from the join on would be usual.
  const half = steps.length >> 1
  const usual = Math.min(median(steps.slice(0, half)), median(steps.slice(half)))
  const near = (from: number, to: number) => {
    const own = steps.slice(Math.max(0, from), to)
    // At either end there is only one side to compare with.
    return own.length > 0 ? median(own) : Number.POSITIVE_INFINITY
  }
  return Math.max(...steps.map((step, i) => step / Math.max(usual, Math.min(near(i - 3, i), near(i + 1, i + 4)))))
}

/** An extension against its parent, and an extension of that one against it. */
async function measureExtensions(
  path: string,
  [prompt, next]: readonly [string, string],
  seconds: number,
  folder: string,
): Promise<Join[]> {
  const size = outputSize(wanted, await pictureSize(await readFile(path)))
  let parent = await renderPlan(planOf(path, prompt, seconds, folder))
  let before = await framesOf(parent.videoPath)
  const joins: Join[] = []
  for (const kept of ['parent.jpg', 'child.jpg'].map((name) => join(folder, name))) {
    await copyFile(parent.lastFramePath, kept)
    const { momentum, wideFrame } = parent
    const wide = wideFrame && { path: `${kept}.wide`, kind: 'image' as const, area: wideFrame.area }
    if (wide) await copyFile(wideFrame.path, wide.path)
    parent = await renderPlan({
      ...planOf(kept, next, seconds, folder),
      ...(momentum && { momentum: { ...rest, ...momentum } }),
      ...(wide && { wideFrame: wide }),
    })
    const after = await framesOf(parent.videoPath)
    const around = [...before.slice(-24), ...after.slice(0, 24)]
    const steps = around.slice(1).map((frame, i) => stepBetween(around[i]!, frame))
    joins.push({
      ssim: ssim(after[0]!, before.at(-1)!, size),
      pace: paceAcross(before, after, size),
      steepest: steepestOf(steps),
    })
    before = after
  }
  return joins
}

/** How many heads the crops to common shapes hold, and how many of them they cut although they would fit. */
async function measureHeads(path: string): Promise<{ heads: number; cut: number }> {
  const bytes = await readFile(path)
  let [heads, cut] = [0, 0]
  for (const ratio of [16 / 9, 1, 9 / 16]) {
    const frame = { width: Math.round(720 * Math.max(1, ratio)), height: Math.round(720 * Math.max(1, 1 / ratio)) }
    const { pixels, area, analysis } = await openRequestPicture(bytes, frame, (own) =>
      analyzePicture(kernel, own, null),
    )
    for (const head of analysis?.heads ?? []) {
      const [left, top] = [head.x * pixels.width, head.y * pixels.height]
      const [right, bottom] = [left + head.width * pixels.width, top + head.height * pixels.height]
      if (right - left > area.width || bottom - top > area.height) continue
      heads++
      const whole = left >= area.x - 1 && top >= area.y - 1 && right <= area.x + area.width + 1
      if (!whole || bottom > area.y + area.height + 1) cut++
    }
  }
  return { heads, cut }
}

interface Subject {
  photographs: string[]
  seconds: number
  folder: string
}

async function reportPrompt(prompt: string, { photographs, seconds, folder }: Subject): Promise<void> {
  const seen: Seen[] = []
  for (const path of photographs) seen.push(await measure(path, prompt, seconds, folder))
  const least = Math.min(...seen.map(({ ssim }) => ssim))
  const repeated = seen.reduce((sum, one) => sum + one.repeated, 0)
  const steepest = restless.includes(prompt) ? '' : Math.max(...seen.map((one) => one.steepest)).toFixed(2)
  console.log(`${prompt.padEnd(22)} ${least.toFixed(4)} ${String(repeated).padStart(5)} ${steepest.padStart(6)}`)
  for (const [i, own] of seen.entries()) {
    if (!missesGoal(own, restless.includes(prompt))) continue
    const figures = `${own.ssim.toFixed(4)} ${String(own.repeated).padStart(5)} ${own.steepest.toFixed(2).padStart(6)}`
    console.log(`  ${nameOf(photographs[i]!).padEnd(20)} ${figures}`)
  }
}

async function reportEnds({ photographs, seconds, folder }: Subject): Promise<void> {
  const tails: number[] = []
  for (const [i, path] of photographs.entries()) {
    tails.push(await measureTail(path, photographs[(i + 1) % photographs.length]!, seconds, folder))
  }
  console.log(`last frame against tail: least SSIM ${Math.min(...tails).toFixed(4)}`)
}

async function reportExtensions(
  moves: (typeof extended)[number],
  { photographs, seconds, folder }: Subject,
): Promise<void> {
  const joins: Join[] = []
  const missed: string[] = []
  for (const path of photographs) {
    for (const own of await measureExtensions(path, moves, seconds, folder)) {
      joins.push(own)
      if (!stumbles(own, moves[0] === moves[1])) continue
      const figures = `${own.ssim.toFixed(4)}  ×${own.pace.toFixed(2)} ${own.steepest.toFixed(2).padStart(6)}`
      missed.push(`  ${nameOf(path).padEnd(32)} ${figures}`)
    }
  }
  // A picture without detail shows no pace.
  const paces = joins.map(({ pace }) => pace).filter((pace) => !Number.isNaN(pace))
  const least = Math.min(...joins.map((own) => own.ssim)).toFixed(4)
  const steepest = Math.max(...joins.map((own) => own.steepest)).toFixed(2)
  const pace = `×${Math.min(...paces).toFixed(2)} to ×${Math.max(...paces).toFixed(2)}, median ×${median(paces).toFixed(2)}`
  console.log([`${moves.join(', ').padEnd(34)} ${least}  ${pace} ${steepest.padStart(6)}`, ...missed].join('\n'))
}

async function reportHeads({ photographs }: Subject): Promise<void> {
  let [heads, cut] = [0, 0]
  for (const path of photographs) {
    const own = await measureHeads(path)
    heads += own.heads
    cut += own.cut
  }
  console.log(`heads in crops to 16:9, 1:1 and 9:16: ${heads}, of which cut ${cut}`)
}

async function reportDetail({ photographs, seconds, folder }: Subject): Promise<void> {
  console.log(
    'fine detail in mid-move: least share kept by the encoder, by a single frame; processor time by that of veryfast, crf 20',
  )
  const seen: Detail[] = []
  const missed: string[] = []
  for (const [i, path] of photographs.entries()) {
    const move = detailMoves[i % detailMoves.length]!
    const own = await measureDetail(planOf(path, move, seconds, folder))
    seen.push(own)
    if (own.kept >= 0.9) continue
    missed.push(
      `  ${nameOf(path).padEnd(20)} ${own.kept.toFixed(3)} ${own.least.toFixed(3)} of ${own.levels.toFixed(1)} levels, ${move}`,
    )
  }
  const times = seen.map(({ time }) => time)
  const kept = (['kept', 'least'] as const).map((share) => Math.min(...seen.map((own) => own[share])).toFixed(3))
  const time = `×${median(times).toFixed(2)}, at most ×${Math.max(...times).toFixed(2)}`
  console.log([`${kept.join(' ')}  ${time}`, ...missed].join('\n'))
}

async function main(): Promise<void> {
  Log.setLevel(AV_LOG_ERROR)
  sharp.cache(false)
  const option = (name: string) => process.argv.find((own) => own.startsWith(`--${name}=`))?.slice(name.length + 3)
  const only = option('only')?.split(',')
  const chosen = option('pictures')?.split(',')
  const asked = (name: string) => !only || only.some((part) => name.includes(part))
  const subject: Subject = {
    photographs: knownPhotographs.filter(
      (path) => existsSync(path) && (!chosen || chosen.some((part) => path.includes(part))),
    ),
    seconds: Number(option('seconds') ?? 3),
    folder: await mkdtemp(join(tmpdir(), 'bench-pictures-')),
  }
  const count = subject.photographs.length
  console.log(`${count} photographs; each prompt on each: least SSIM of frame 0, repeated frames, steepest step`)
  for (const prompt of prompts.filter(asked)) await reportPrompt(prompt, subject)
  if (asked('ends')) await reportEnds(subject)
  const extensions = only?.filter((part) => part.startsWith('extensions')) ?? ['extensions']
  const continued = extended.filter((moves) =>
    extensions.some((part) => `extensions ${moves.join(', ')}`.includes(part)),
  )
  if (continued.length > 0) {
    console.log('extensions, and extensions of those: least SSIM of the join, pace after it by before, steepest step')
  }
  for (const moves of continued) await reportExtensions(moves, subject)
  if (asked('heads')) await reportHeads(subject)
  if (asked('detail')) await reportDetail(subject)
  console.log(`memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`)
  await rm(subject.folder, { recursive: true })
}

// Native media code runs in a process of its own, as it does in the service.
if (process.send) await main()
else if (process.argv[1] === fileURLToPath(import.meta.url)) fork(import.meta.filename, process.argv.slice(2))
