// What a camera move costs: processor time of the studio for one picture, beside encoding the same frames alone and beside
// ffmpeg's zoompan filter on the same picture, in one run, with the jitter of each; then the time per frame of each effect
// beside a plain push-in, and the memory of a process that renders nothing else. Prints a table.
//
//   node bench/render.ts [--4k] [--effects[=rain,fog]] [--rounds=3]

import { fork } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AV_LOG_ERROR, AV_PIX_FMT_YUV420P } from 'node-av/constants'
import { Frame, Log, Rational } from 'node-av/lib'
import sharp from 'sharp'
import { childEnvironment } from '../src/children/process-limits.ts'
import { cameraPath } from '../src/engines/studio/camera/path.ts'
import { cameraView } from '../src/engines/studio/camera/view.ts'
import { effectNames, effects } from '../src/engines/studio/effects/all.ts'
import { readMoves } from '../src/engines/studio/prompt/read-prompt.ts'
import { render } from '../src/engines/studio/render.ts'
import type { RenderPlan } from '../src/engines/studio/render-plan.ts'
import { sha256Hex } from '../src/platform/ids.ts'
import { createVideoFile } from '../src/video/av/encoder.ts'
import { openFilters } from '../src/video/av/media-reader.ts'
import { framesOf } from '../src/video/av/timing.ts'
import { fillPlane, type Kernel, readPlane } from '../src/video/kernel/kernel.ts'
import { loadKernel } from '../src/video/kernel/load-kernel.ts'
import { type Homography, homographyWarp } from '../src/video/picture/grid.ts'
import type { Size } from '../src/video/picture/output-size.ts'
import { allocatePicture, type Picture } from '../src/video/picture/picture-planes.ts'
import { rgbToYuv } from '../src/video/picture/yuv.ts'
import { hashSeed, seededRandom } from '../src/video/random.ts'
import { displacementAt, type Gray, invert, rms } from '../test/engines/studio/support/motion.ts'
import { drawTexture } from '../test/engines/studio/support/pictures.ts'
import { plainPlan } from './plain-plan.ts'
import { cpuOf, median } from './support.ts'

const threads = 2
const prompt = 'push in'
const source = { width: 1920, height: 1080 }
const clips = [
  { name: '720p', shortSide: 720, seconds: 5 },
  { name: '1080p', shortSide: 1080, seconds: 5 },
  // Two seconds: the frames of the comparison are all kept in memory.
  { name: '4k', shortSide: 2160, seconds: 2 },
] as const

type Work = 'encode' | 'studio' | 'depth' | 'zoompan'

interface Measured {
  /** Processor seconds of each round. */
  seconds: Record<Work, number[]>
  studioJitter: number
  zoompanJitter: number
}

/** A textured picture with the grain of a photograph. */
async function makePicture(): Promise<Buffer> {
  const random = seededRandom(5)
  const half = { width: source.width / 2, height: source.height / 2 }
  const rgb = await sharp(drawTexture(half.width, half.height, 11), { raw: { ...half, channels: 3 } })
    .resize(source.width, source.height, { kernel: 'cubic' })
    .raw()
    .toBuffer()
  for (let i = 0; i < rgb.length; i++) rgb[i] = Math.min(255, Math.max(0, rgb[i]! + (random() + random() - 1) * 7))
  return sharp(rgb, { raw: { ...source, channels: 3 } })
    .jpeg({ quality: 92 })
    .toBuffer()
}

async function measureClip(
  folder: string,
  jpeg: Buffer,
  clip: (typeof clips)[number],
  rounds: number,
): Promise<Measured> {
  const path = join(folder, 'picture.jpg')
  await writeFile(path, jpeg)
  const plan = plainPlan({ prompt, seconds: clip.seconds, workDir: folder, path, shortSide: clip.shortSide })
  const size = { width: (clip.shortSide * 16) / 9, height: clip.shortSide }
  const store = await loadKernel()
  const frames: Picture[] = []
  const keep = (kernel: Kernel, frame: Picture) => void frames.push(copyPicture(kernel, frame, store))
  await render(plan, { threads, depth: false, progress() {}, onFrame: keep })

  const seconds: Record<Work, number[]> = { encode: [], studio: [], depth: [], zoompan: [] }
  let panned: Gray[] = []
  for (let round = 0; round < rounds; round++) {
    seconds.encode.push(await cpuOf(() => encodeAlone(folder, size, store, frames)))
    seconds.studio.push(await cpuOf(() => render(plan, { threads, depth: false, progress() {} })))
    seconds.depth.push(await cpuOf(() => render(plan, { threads, depth: true, progress() {} })))
    seconds.zoompan.push(
      await cpuOf(async () => {
        panned = await zoompan(folder, jpeg, size, frames.length)
      }),
    )
  }
  const view = studioView(plan, jpeg, size)
  const grays = sampled(frames.length).map((i) => grayOf(store, frames[i]!))
  return {
    seconds,
    studioJitter: jitter(grays, (i) => view(sampled(frames.length)[i]! / (frames.length - 1))),
    zoompanJitter: jitter(panned, (i) => zoompanView(sampled(frames.length)[i]!, size)),
  }
}

/** The processor time per frame at 720p of a prompt on one of the samples, in milliseconds, once the shot is prepared. */
async function frameCost(folder: string, prompt: string, picture: string): Promise<number> {
  const seconds = 3
  const path = fileURLToPath(new URL(`../docs/samples/${picture}.jpg`, import.meta.url))
  let before = process.cpuUsage()
  const prepared = () => {
    before = process.cpuUsage()
  }
  await render(plainPlan({ prompt, seconds, workDir: folder, path, shortSide: 720 }), {
    threads,
    depth: true,
    progress() {},
    prepared,
  })
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / framesOf(seconds)
}

/** The processor time of a frame with an effect, in that of a plain push-in. */
const ratioMax = 2

/** What effects cost beside a plain push-in on the same picture, in turns. */
async function reportEffects(folder: string, asked: string[], rounds: number): Promise<void> {
  console.log(`effect          ms per frame   push in   ratio   (at most ${ratioMax})`)
  await frameCost(folder, 'push in', 'lake')
  for (const name of effectNames.filter((own) => asked.length === 0 || asked.includes(own))) {
    const { sample } = effects[name]
    const pairs: [effect: number, plain: number][] = []
    for (let round = 0; round < rounds; round++) {
      const plain = await frameCost(folder, 'push in', sample.picture)
      pairs.push([await frameCost(folder, `push in, ${sample.prompt}`, sample.picture), plain])
    }
    const ratio = median(pairs.map(([effect, plain]) => effect / plain))
    const [ms, plainMs] = [0, 1].map((i) => median(pairs.map((pair) => pair[i]!)).toFixed(1))
    const verdict = ratio > ratioMax ? 'missed' : ''
    console.log(
      `${name.padEnd(15)} ${ms!.padStart(12)} ${plainMs!.padStart(9)} ${ratio.toFixed(2).padStart(7)}   ${verdict}`,
    )
  }
}

function effectPlan(folder: string, prompt: string): RenderPlan {
  const path = fileURLToPath(new URL('../docs/samples/lake.jpg', import.meta.url))
  return plainPlan({ prompt, seconds: 5, workDir: folder, path, shortSide: 720 })
}

/** The most memory that a process has had which renders one clip, as the service's do. */
async function renderOnce(): Promise<void> {
  Log.setLevel(AV_LOG_ERROR)
  const folder = await mkdtemp(join(tmpdir(), 'bench-render-'))
  await render(effectPlan(folder, 'push in, clouds drift'), { threads, depth: true, progress() {} })
  console.log(
    `memory of one render at 720p with a living region: ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`,
  )
  await rm(folder, { recursive: true })
}

/** Frames in mid-clip whose motion is measured; keeping all of zoompan's would need too much memory. */
function sampled(frames: number): number[] {
  const start = Math.floor(frames * 0.4)
  return Array.from({ length: 16 }, (_, i) => start + i)
}

async function encodeAlone(folder: string, size: Size, kernel: Kernel, frames: Picture[]): Promise<void> {
  const file = await createVideoFile({ path: join(folder, 'encode.mp4'), ...size, threads, sound: null })
  for (const frame of frames) await file.write(kernel, frame)
  await file.finish()
}

const zoomStep = 0.0015

/** The usual recipe: a linear zoom to the middle, drawn by the filter and encoded like the others. */
async function zoompan(folder: string, jpeg: Buffer, size: Size, frames: number): Promise<Gray[]> {
  const rgb = await sharp(jpeg).raw().toBuffer()
  const { y, u, v } = rgbToYuv(rgb)
  const still = yuv420Frame(y, u, v)
  const filters = openFilters([
    ['buffer', `width=${source.width}:height=${source.height}:pix_fmt=${AV_PIX_FMT_YUV420P}:time_base=1/24`],
    [
      'zoompan',
      `z=1+${zoomStep}*on:x=iw/2-(iw/zoom/2):y=ih/2-(ih/zoom/2):d=${frames}:s=${size.width}x${size.height}:fps=24`,
    ],
    ['buffersink', null],
  ])
  const kernel = await loadKernel()
  const canvas = allocatePicture(kernel, size.width, size.height)
  const file = await createVideoFile({ path: join(folder, 'zoompan.mp4'), ...size, threads, sound: null })
  const kept: Gray[] = []
  const wanted = new Set(sampled(frames))
  await filters.source.buffersrcAddFrame(still)
  await filters.source.buffersrcAddFrame(null)
  const drawn = new Frame()
  drawn.alloc()
  for (let i = 0; i < frames && (await filters.sink.buffersinkGetFrame(drawn)) >= 0; i++) {
    const packed = drawn.toBuffer()
    const luma = size.width * size.height
    fillPlane(kernel, canvas.y, packed.subarray(0, luma))
    fillPlane(kernel, canvas.u, packed.subarray(luma, luma * 1.25))
    fillPlane(kernel, canvas.v, packed.subarray(luma * 1.25, luma * 1.5))
    drawn.unref()
    if (wanted.has(i)) kept.push(grayOf(kernel, canvas))
    await file.write(kernel, canvas)
  }
  await file.finish()
  drawn.free()
  still.free()
  filters.graph.free()
  return kept
}

function yuv420Frame(y: Uint8Array, u: Uint8Array, v: Uint8Array): Frame {
  const halve = (plane: Uint8Array) =>
    Uint8Array.from({ length: plane.length / 4 }, (_, i) => {
      const column = (i % (source.width / 2)) * 2
      const row = Math.floor(i / (source.width / 2)) * 2
      return plane[row * source.width + column]!
    })
  const frame = new Frame()
  frame.alloc()
  frame.format = AV_PIX_FMT_YUV420P
  frame.width = source.width
  frame.height = source.height
  frame.timeBase = new Rational(1, 24)
  frame.pts = 0n
  frame.getBuffer()
  const strides = frame.linesize
  for (const [i, plane] of [y, halve(u), halve(v)].entries()) {
    const width = i === 0 ? source.width : source.width / 2
    for (let row = 0; row * width < plane.length; row++) {
      frame.data![i]!.set(plane.subarray(row * width, (row + 1) * width), row * strides[i]!)
    }
  }
  return frame
}

/** The view that the studio means to show, in source pixels. */
function studioView(plan: RenderPlan, jpeg: Buffer, size: Size): (t: number) => Homography {
  const seed = hashSeed(`${hashSeed(plan.prompt, sha256Hex(jpeg))}/0`)
  const aspect = size.width / size.height
  const path = cameraPath(readMoves(prompt, ''), { guidance: 0.5, seed, seconds: plan.seconds, aspect })
  return (t) => cameraView(path(t), size, source)
}

/** The view that zoompan's expressions mean. */
function zoompanView(frame: number, size: Size): Homography {
  return cameraView(
    { zoom: 1 + zoomStep * frame, x: 0, y: 0, roll: 0, yaw: 0, shiftX: 0, shiftY: 0, dolly: 0 },
    size,
    source,
  )
}

/** Root mean square error of frame-to-frame motion against the meant one, in output pixels. */
function jitter(frames: Gray[], viewOf: (index: number) => Homography): number {
  const errors: number[] = []
  for (let i = 1; i < frames.length; i++) {
    const { width, height } = frames[i]!
    for (const [x, y] of [
      [0.25, 0.3],
      [0.6, 0.4],
      [0.8, 0.75],
    ] as const) {
      const window = { x: Math.round(x * width), y: Math.round(y * height) }
      const point = new Float64Array(2)
      homographyWarp(viewOf(i - 1))(window.x + 0.5, window.y + 0.5, point)
      homographyWarp(invert(viewOf(i)))(point[0]!, point[1]!, point)
      const truth = { x: point[0]! - window.x - 0.5, y: point[1]! - window.y - 0.5 }
      const seen = displacementAt(frames[i - 1]!, frames[i]!, window, 20, truth)
      errors.push(seen.x - truth.x, seen.y - truth.y)
    }
  }
  return rms(errors)
}

function grayOf(kernel: Kernel, frame: Picture): Gray {
  return { data: readPlane(kernel, frame.y), width: frame.width, height: frame.height }
}

function copyPicture(from: Kernel, frame: Picture, to: Kernel): Picture {
  const copy = allocatePicture(to, frame.width, frame.height)
  for (const plane of ['y', 'u', 'v'] as const) fillPlane(to, copy[plane], readPlane(from, frame[plane]))
  return copy
}

async function main(): Promise<void> {
  Log.setLevel(AV_LOG_ERROR)
  const option = (name: string) => process.argv.find((own) => own.startsWith(`--${name}=`))?.slice(name.length + 3)
  const rounds = Number(option('rounds') ?? 3)
  const folder = await mkdtemp(join(tmpdir(), 'bench-render-'))
  const jpeg = await makePicture()
  const number = (value: number, digits = 2) => value.toFixed(digits).padStart(9)
  console.log(
    'clip        encode   studio  + depth  zoompan   studio×  + depth×  zoompan×   jitter px: studio  zoompan',
  )
  for (const clip of process.argv.some((own) => own.startsWith('--effects')) ? [] : clips) {
    if (clip.name === '4k' && !process.argv.includes('--4k')) continue
    const { seconds, studioJitter, zoompanJitter } = await measureClip(folder, jpeg, clip, rounds)
    const { encode, studio, depth, zoompan } = seconds
    const works = [encode, studio, depth, zoompan]
    // Neighbours in time are compared: the machine's pace changes from one round to the next.
    const ratios = works.slice(1).map((work) => median(work.map((value, round) => value / encode[round]!)))
    console.log(
      `${clip.name.padEnd(5)} ${clip.seconds} s ${works.map((work) => number(median(work))).join('')}` +
        ` ${ratios.map((ratio) => number(ratio)).join(' ')}            ${number(studioJitter, 4)}${number(zoompanJitter, 4)}`,
    )
  }
  console.log(
    `processor seconds and ratios to encoding alone, medians of ${rounds} rounds; the studio's include reading the picture, and depth looking for a subject`,
  )
  await reportEffects(folder, option('effects')?.split(',') ?? [], rounds)
  await rm(folder, { recursive: true })
}

// Native media code runs in a process of its own, as it does in the service.
if (process.send && process.argv.includes('--once')) await renderOnce()
else if (process.send) await main()
else if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const given = process.argv.slice(2)
  const bench = fork(import.meta.filename, given, { env: childEnvironment() })
  bench.on('exit', () => fork(import.meta.filename, [...given, '--once'], { env: childEnvironment() }))
}
