// The rules for each kind of material: what a frame, an element's image or video, and an element's audio may be.
// It combines the inspectors; it does not fetch, and it does not know which request field the material came from.

import { stat } from 'node:fs/promises'
import type { BytesMax } from '../outbound/fetch-body.ts'
import { createGate } from './gate.ts'
import { allowOnlyJpegAndPng } from './image-loaders.ts'
import type { AvInspector } from './inspect-av.ts'
import { type InspectedImage, inspectImage, tooLarge } from './inspect-image.ts'
import { MaterialFailure } from './material-failure.ts'
import { sniffFile, sniffHead } from './sniff.ts'

export type MaterialUse =
  | { kind: 'frame'; bytesMax: number; ratio?: { min: number; max: number } | undefined }
  /** An image, or a video of which the part from `startMs` to `endMs` is used; the bytes say which. */
  | { kind: 'element'; startMs: number; endMs: number | null }
  | { kind: 'element_audio' }

export type Inspected =
  | ({ kind: 'image' } & InspectedImage)
  | {
      kind: 'video'
      mime: string
      width: number
      height: number
      seconds: number
      bytes: number
      /** The part to use, inside the video. */
      capture: CaptureWindow
    }
  | { kind: 'audio'; mime: string; seconds: number; bytes: number }

export interface CaptureWindow {
  startMs: number
  endMs: number
}

export interface MaterialInspector {
  /** Throws a MaterialFailure for anything that may not be used. */
  inspectMaterial(path: string, use: MaterialUse): Promise<Inspected>
}

export const MB = 2 ** 20
export const ELEMENT_IMAGE_BYTES_MAX = 10 * MB
/** Enough for a minute of 1080p from a phone, of which at most eight seconds are used. */
export const ELEMENT_VIDEO_BYTES_MAX = 100 * MB
/** 30 seconds of stereo WAV at 192 kHz and 24 bits have 33 MB. */
export const ELEMENT_AUDIO_BYTES_MAX = 50 * MB
const AUDIO_SECONDS = { min: 5, max: 30 }
const CAPTURE_MS_MAX = 8_000
/** A clip cut to length ends on a whole frame of its codec, so it may be up to about 50 ms off. */
const LENGTH_TOLERANCE_MS = 50
/**
 * A progressive image of 50 megapixels takes about 400 MB while it is decoded, and decoding keeps one of the
 * process's four file threads busy.
 */
const IMAGES_AT_ONCE = 2

const IMAGE_FORMATS = new Set(['jpeg', 'png', 'apng'])
const VIDEO_FORMATS = new Set(['mp4', 'mov', 'webm', 'mkv'])

export function createMaterialInspector({ av }: { av: AvInspector }): MaterialInspector {
  allowOnlyJpegAndPng()
  const decodeGate = createGate(IMAGES_AT_ONCE)

  async function inspectMaterial(path: string, use: MaterialUse): Promise<Inspected> {
    if (use.kind === 'element_audio') return await inspectElementAudio(path)
    if (use.kind === 'element' && !IMAGE_FORMATS.has((await sniffFile(path)).format)) {
      return await inspectElementVideo(path, use)
    }
    const limits = use.kind === 'frame' ? use : { bytesMax: ELEMENT_IMAGE_BYTES_MAX }
    return { kind: 'image', ...(await decodeGate(() => inspectImage(path, limits))) }
  }

  async function inspectElementVideo(
    path: string,
    window: { startMs: number; endMs: number | null },
  ): Promise<Inspected> {
    const bytes = await sizeWithin(path, 'video', ELEMENT_VIDEO_BYTES_MAX)
    const video = await av.inspectVideo(path)
    return { kind: 'video', ...video, bytes, capture: captureWindow(window, video.seconds) }
  }

  async function inspectElementAudio(path: string): Promise<Inspected> {
    const bytes = await sizeWithin(path, 'audio', ELEMENT_AUDIO_BYTES_MAX)
    const audio = await av.inspectAudio(path)
    refuseAudioLength(audio.seconds)
    return { kind: 'audio', ...audio, bytes }
  }

  return { inspectMaterial }
}

/** How much of a file to take while it arrives, where possible from its first bytes. */
export function bytesMaxOf(use: MaterialUse): BytesMax {
  if (use.kind === 'frame') return use.bytesMax
  if (use.kind === 'element_audio') return ELEMENT_AUDIO_BYTES_MAX
  return (head) => (VIDEO_FORMATS.has(sniffHead(head).format) ? ELEMENT_VIDEO_BYTES_MAX : ELEMENT_IMAGE_BYTES_MAX)
}

/** The part of a video to use: as asked, or from the start on for as long as is allowed and there. */
export function captureWindow(
  { startMs, endMs }: { startMs: number; endMs: number | null },
  videoSeconds: number,
): CaptureWindow {
  const lengthMs = Math.round(videoSeconds * 1000)
  if (endMs !== null && endMs > lengthMs + LENGTH_TOLERANCE_MS) {
    throw new MaterialFailure(
      'capture_window',
      `The capture window is ${startMs} to ${endMs} ms, but the video lasts ${lengthMs} ms; the window must lie inside it.`,
    )
  }
  if (startMs >= lengthMs) {
    throw new MaterialFailure(
      'capture_window',
      `The capture begins at ${startMs} ms, but the video lasts ${lengthMs} ms; it must begin before the video ends.`,
    )
  }
  return { startMs, endMs: Math.min(endMs ?? startMs + CAPTURE_MS_MAX, lengthMs) }
}

export function refuseAudioLength(seconds: number): void {
  const ms = seconds * 1000
  if (ms >= AUDIO_SECONDS.min * 1000 - LENGTH_TOLERANCE_MS && ms <= AUDIO_SECONDS.max * 1000 + LENGTH_TOLERANCE_MS)
    return
  throw new MaterialFailure(
    'audio_length',
    `The audio lasts ${Number(seconds.toFixed(2))} seconds; it must last ${AUDIO_SECONDS.min} to ${AUDIO_SECONDS.max} seconds.`,
  )
}

async function sizeWithin(path: string, what: string, bytesMax: number): Promise<number> {
  const { size } = await stat(path)
  if (size > bytesMax) throw tooLarge(what, size, bytesMax)
  return size
}
