// Turns delivered clips into the wanted video: H.264 at 24 frames per second in the wanted size, joined, with sound
// where it is wanted, a thumbnail and the last frame. Runs in a child process.
import { join } from 'node:path'
import { createVideoFile } from '../av/encoder.ts'
import { isPlainH264, readSound, type VideoImage } from '../av/media-reader.ts'
import { framesOf, framesPerSecond, samplesPerSecond } from '../av/timing.ts'
import { InputError } from '../input-error.ts'
import { fillPlane, type Kernel } from '../kernel/kernel.ts'
import { loadKernel } from '../kernel/load-kernel.ts'
import { outputSize, type Size } from '../picture/output-size.ts'
import { allocatePicture, type Picture } from '../picture/picture-planes.ts'
import { thumbnailLongSide, writeStill } from '../picture/write-still.ts'
import type { Rendered, WorkHooks } from '../rendered.ts'
import { soundTrack } from '../sound/sound-track.ts'
import { adjustments } from './adjustments.ts'
import { checkClip } from './check-clip.ts'
import { coverSize, middleOf } from './cover.ts'
import { fitTime, type TimeFit } from './fit-time.ts'
import type { NormalisePlan } from './normalise-plan.ts'
import { type Clip, openClip } from './read-clip.ts'

interface FittedClip {
  clip: Clip
  path: string
  fit: TimeFit
  frames: number
}

export async function normalise(plan: NormalisePlan, hooks: WorkHooks): Promise<Rendered> {
  const started = process.cpuUsage()
  const clips: FittedClip[] = []
  for (const [i, file] of plan.clips.entries()) {
    const clip = await openClip(file)
    // A service whose videos are copied has checked what it made, such as a locked-off shot of a plain wall.
    await checkClip(clip, file.seconds, plan.mode === 'copy')
    const isLast = i === plan.clips.length - 1
    const fit = fitTime(clip.seconds, file.seconds, plan.keepsEnd && isLast)
    clips.push({ clip, fit, path: file.paths[0]!, frames: framesOf(fit.seconds) })
    hooks.progress(1)
  }
  const asItIs = await takenAsItIs(plan, clips)
  const size = asItIs ? evenSize(clips[0]!.clip) : outputSize(plan.size, plan.picture ?? clips[0]!.clip)
  const made = asItIs ? await writeStills(plan, clips, size) : await encode(plan, clips, size, hooks)
  const used = process.cpuUsage(started)
  return { ...made, cpuSeconds: (used.user + used.system) / 1e6 }
}

async function takenAsItIs(plan: NormalisePlan, clips: FittedClip[]): Promise<boolean> {
  if (plan.mode === 'stills') return true
  const [first] = clips
  if (plan.mode !== 'copy' || clips.length > 1 || !first!.clip.isMp4) return false
  return first!.clip.seconds <= plan.clips[0]!.seconds * copiedShareMax && (await isPlainH264(first!.path))
}

/** A clip that is longer than this share of the wanted length is cut, and so encoded. */
const copiedShareMax = 1.1

/** The last picture of any video begins within this of its end. */
const lastPictureMs = 500

const evenSize = ({ width, height }: Size): Size => ({ width: width & ~1, height: height & ~1 })

const thumbnail = { longSideMax: thumbnailLongSide, quality: 86 }
const whole = { longSideMax: Number.POSITIVE_INFINITY, quality: 95 }

type Made = Omit<Rendered, 'cpuSeconds'>

async function encode(plan: NormalisePlan, clips: FittedClip[], size: Size, hooks: WorkHooks): Promise<Made> {
  const kernel = await loadKernel()
  const frame = allocatePicture(kernel, size.width, size.height)
  const paths = pathsIn(plan.workDir)
  const total = clips.reduce((sum, { frames }) => sum + frames, 0)
  const seconds = total / framesPerSecond
  const sound = plan.audio ? await soundOf(plan, clips, seconds) : null
  const file = await createVideoFile({ path: paths.videoPath, ...size, threads: hooks.threads, sound })
  const poster = Math.floor(clips[0]!.frames / 2)
  let drawn = 0
  try {
    for (const clip of clips) {
      let shown: VideoImage | null = null
      for await (const image of atOurRate(clip, size)) {
        if (image !== shown) drawImage(kernel, frame, image)
        shown = image
        await file.write(kernel, frame)
        if (drawn === poster) await writeStill(kernel, frame, paths.thumbnailPath, thumbnail)
        drawn++
        hooks.progress((100 * drawn) / total)
      }
    }
    await file.finish()
  } finally {
    await file.close()
  }
  file.showLast(kernel, frame)
  await writeStill(kernel, frame, paths.lastFramePath, whole)
  const adjusted = adjustments(clips, size, plan.audio)
  return { ...paths, ...size, seconds, frames: total, fps: framesPerSecond, codec: 'h264', adjusted }
}

/** Pictures at our frame rate, each the latest that the clip shows by then; the last one stays until the end. */
async function* atOurRate({ clip, fit, frames }: FittedClip, size: Size): AsyncGenerator<VideoImage> {
  const source = clip.pictures(coverSize(clip, size))
  try {
    let current: VideoImage | null = null
    let next = await source.next()
    for (let i = 0; i < frames; i++) {
      const ms = (i * 1000 * fit.speed) / framesPerSecond + 0.5
      while (!next.done && (current === null || next.value.ms <= ms)) {
        current = next.value
        next = await source.next()
      }
      if (current === null) throw new InputError('the video has no pictures')
      yield current
    }
  } finally {
    await source.return()
  }
}

/** The two images of a clip that is kept as it is, with its own length. */
async function writeStills(plan: NormalisePlan, clips: FittedClip[], size: Size): Promise<Made> {
  const { clip, path } = clips[0]!
  const kernel = await loadKernel()
  const frame = allocatePicture(kernel, size.width, size.height)
  const paths = pathsIn(plan.workDir)
  drawImage(kernel, frame, await pictureAt(clip, size, clip.seconds * 500))
  await writeStill(kernel, frame, paths.thumbnailPath, thumbnail)
  drawImage(kernel, frame, await pictureAt(clip, size, Number.POSITIVE_INFINITY))
  await writeStill(kernel, frame, paths.lastFramePath, whole)
  const { seconds, frames, fps } = clip
  return { ...paths, videoPath: path, ...size, seconds, frames, fps, codec: 'h264', adjusted: [] }
}

/** The picture that shows at a time, or the last one. Little more than it is decoded where the file can be searched. */
async function pictureAt(clip: Clip, size: Size, ms: number): Promise<VideoImage> {
  const lastMs = Math.max(0, clip.seconds * 1000 - lastPictureMs)
  let found: VideoImage | null = null
  for await (const image of clip.pictures(size, Math.min(ms, lastMs))) {
    if (found !== null && image.ms > ms) break
    found = image
  }
  if (found === null) throw new InputError('the video has no pictures')
  return found
}

function drawImage(kernel: Kernel, frame: Picture, image: VideoImage): void {
  const half = (size: Size): Size => ({ width: size.width / 2, height: size.height / 2 })
  fillPlane(kernel, frame.y, middleOf(image.y, image, frame))
  fillPlane(kernel, frame.u, middleOf(image.u, half(image), half(frame)))
  fillPlane(kernel, frame.v, middleOf(image.v, half(image), half(frame)))
}

/** The clips' own sound in its place, or ambient sound where they have none. */
async function soundOf(plan: NormalisePlan, clips: FittedClip[], seconds: number): Promise<Float32Array[]> {
  if (!clips.some(({ clip }) => clip.hasSound)) return soundTrack(plan.soundPaths, plan.prompt, seconds)
  const length = Math.round(seconds * samplesPerSecond)
  const channels = [new Float32Array(length), new Float32Array(length)]
  let framesBefore = 0
  for (const { clip, path, fit, frames } of clips) {
    const at = Math.round((framesBefore / framesPerSecond) * samplesPerSecond)
    framesBefore += frames
    if (!clip.hasSound) continue
    const track = await readSound(path, Math.min(fit.seconds, seconds - at / samplesPerSecond), fit.speed)
    for (const [i, channel] of channels.entries()) channel.set(track[i]!.subarray(0, length - at), at)
  }
  return channels
}

const pathsIn = (workDir: string) => ({
  videoPath: join(workDir, 'video.mp4'),
  thumbnailPath: join(workDir, 'thumbnail.jpg'),
  lastFramePath: join(workDir, 'last-frame.jpg'),
})
