// Opens what a generator delivered: recognises the format by its bytes, measures it within limits, and yields its
// pictures in order. Untrusted files, native code: child processes only.
import sharp, { type Sharp } from 'sharp'
import { pixelsMax } from '../../contract/limits.ts'
import { FileCursor } from '../../media/child/file-cursor.ts'
import { structureOfPng } from '../../media/child/png-structure.ts'
import { probeAv } from '../../media/child/probe-av.ts'
import { UnusableFile } from '../../media/input-failure.ts'
import { readHead, sniffHead } from '../../media/sniff.ts'
import { readVideo, type VideoImage } from '../av/media-reader.ts'
import { InputError } from '../input-error.ts'
import type { Size } from '../picture/output-size.ts'
import { rgbToYuv } from '../picture/yuv.ts'
import { halve } from './cover.ts'
import type { ClipFile } from './normalise-plan.ts'

export interface Clip extends Size {
  seconds: number
  /** How many pictures it has. */
  frames: number
  fps: number
  hasSound: boolean
  /** Whether it is one MP4 file. */
  isMp4: boolean
  /** Pictures scaled to `size`, each with the time at which it shows; where that is easy, only those from `fromMs` on. */
  pictures(size: Size, fromMs?: number): AsyncGenerator<VideoImage, void, undefined>
}

const framesMax = 3_600
const secondsMax = 120
/** Animated images are decoded this many pictures at a time: all at once takes too much memory, singly too much time. */
const pagesAtOnce = 16

export async function openClip(clip: ClipFile): Promise<Clip> {
  const path = clip.paths[0]
  if (path === undefined) throw new InputError('there is no video')
  const head = await readHead(path)
  const { format, name } = sniffHead(head)
  if (clip.paths.length === 1 && format === 'png' && isAnimatedPng(path)) return openVideo(path, 'apng', false)
  if (clip.paths.length > 1 || format === 'jpeg' || format === 'png') return openImages(clip)
  const text = head.toString('latin1')
  if (/^RIFF.{4}WEBP/s.test(text) || /^GIF8[79]a/.test(text)) return openAnimation(path)
  if (format === 'mp4' || format === 'mov') return openVideo(path, 'mov', format === 'mp4')
  if (format === 'webm' || format === 'mkv') return openVideo(path, 'matroska', false)
  if (/^RIFF.{4}AVI /s.test(text)) return openVideo(path, 'avi', false)
  throw new InputError(`it is ${name}, not a video`)
}

function isAnimatedPng(path: string): boolean {
  using file = new FileCursor(path)
  return structureOfPng(file).isAnimated
}

async function openVideo(path: string, demuxer: string, isMp4: boolean): Promise<Clip> {
  const probed = await probeAv(path, demuxer).catch((error) => {
    if (error instanceof UnusableFile) throw new InputError(`the video cannot be read: ${error.message}`)
    throw error
  })
  if (!probed.video) throw new InputError('the file has no pictures')
  const { width, height, seconds, packets: frames } = probed.video
  checkLimits({ width, height, seconds, frames })
  return {
    width,
    height,
    seconds,
    frames,
    fps: frames / seconds,
    isMp4,
    hasSound: probed.audio !== null && probed.audio.seconds > 0,
    pictures: (size, fromMs = 0) => readVideo(path, fromMs, () => size),
  }
}

async function openAnimation(path: string): Promise<Clip> {
  const { width, height, pageHeight, pages = 1, delay } = await readable(() => sharp(path, limits).metadata())
  const size = { width: width!, height: pageHeight ?? height! }
  // A picture without a delay of its own is shown for a tenth of a second, as browsers do.
  const delays = Array.from({ length: pages }, (_, i) => delay?.[i] || 100)
  const seconds = delays.reduce((sum, ms) => sum + ms, 0) / 1000
  checkLimits({ ...size, seconds, frames: pages })
  return {
    ...size,
    seconds,
    frames: pages,
    fps: pages / seconds,
    hasSound: false,
    isMp4: false,
    async *pictures(wanted) {
      let ms = 0
      for (let page = 0; page < pages; page += pagesAtOnce) {
        const count = Math.min(pagesAtOnce, pages - page)
        const { data, info } = await readable(() =>
          sharp(path, { ...limits, page, pages: count })
            .toColourspace('srgb')
            .removeAlpha()
            .raw()
            .toBuffer({ resolveWithObject: true }),
        )
        const bytes = size.width * size.height * info.channels
        for (let i = 0; i < count; i++) {
          const raw = { ...size, channels: info.channels }
          yield await picture(sharp(data.subarray(i * bytes, (i + 1) * bytes), { raw }), wanted, ms)
          ms += delays[page + i]!
        }
      }
    },
  }
}

async function openImages({ paths, fps }: ClipFile): Promise<Clip> {
  const { width, height } = await readable(() => sharp(paths[0]!, limits).metadata())
  const seconds = paths.length / fps
  checkLimits({ width: width!, height: height!, seconds, frames: paths.length })
  return {
    width: width!,
    height: height!,
    seconds,
    frames: paths.length,
    fps,
    hasSound: false,
    isMp4: false,
    async *pictures(wanted) {
      for (const [i, path] of paths.entries()) {
        yield await readable(() => picture(sharp(path, limits), wanted, (i * 1000) / fps))
      }
    },
  }
}

const limits = { limitInputPixels: pixelsMax * pagesAtOnce, failOn: 'error' } as const

async function picture(image: Sharp, wanted: Size, ms: number): Promise<VideoImage> {
  const { width, height } = wanted
  const rgb = await image.resize(width, height, { fit: 'fill' }).toColourspace('srgb').removeAlpha().raw().toBuffer()
  const { y, u, v } = rgbToYuv(rgb)
  return { width, height, y, u: halve(u, wanted), v: halve(v, wanted), ms }
}

async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    throw new InputError('a picture cannot be read', { cause })
  }
}

function checkLimits(found: Size & { seconds: number; frames: number }): void {
  if (found.width * found.height > pixelsMax) throw new InputError('the pictures are too large')
  if (found.frames > framesMax) throw new InputError(`there are more than ${framesMax} pictures`)
  if (found.seconds > secondsMax) throw new InputError(`the video is longer than ${secondsMax} s`)
  if (!(found.seconds > 0)) throw new InputError('the video has no length')
}
