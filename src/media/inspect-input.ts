// The rules for each use of an input file: what a frame, an element's image or video, an element's audio and an upload
// may be.
// It combines the inspectors; it does not fetch, and it does not know which request field a file came from.

import { stat } from 'node:fs/promises'
import type { OnBehalfOf } from '../children/child-pool.ts'
import { elementLimits, mebibytes, uploadBytesMax } from '../contract/limits.ts'
import type { BytesMax } from '../outbound/fetch-body.ts'
import { counted } from '../schema/counted.ts'
import { InputFailure, tooLarge } from './input-failure.ts'
import type { AvInspector } from './inspect-av.ts'
import type { InspectedImage } from './inspect-job.ts'
import type { MediaChildren } from './media-children.ts'
import { sniffFile, sniffHead } from './sniff.ts'

export type InputUse =
  | { kind: 'frame'; bytesMax: number; ratio?: { min: number; max: number } }
  /** An image or a video; the bytes decide. Of a video, the part from `startMs` to `endMs` is used. */
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

interface CaptureWindow {
  startMs: number
  endMs: number
}

export interface InputInspector {
  /** Throws an InputFailure for anything that may not be used. */
  inspectInput(path: string, use: InputUse, request: OnBehalfOf): Promise<Inspected>
  /** Any file that a task could use. Sizes, lengths and ratios depend on the field, and are judged when a task uses it. */
  inspectUpload(path: string, request: OnBehalfOf): Promise<{ mime: string; bytes: number }>
}

/** Enough for a minute of 1080p from a phone, although at most eight seconds of it are used. */
const elementVideoBytesMax = mebibytes(100)
/** 30 seconds of stereo WAV at 192 kHz and 24 bits have 33 MB. */
const elementAudioBytesMax = mebibytes(50)
/** A clip cut to length ends on a whole frame of its codec, so it may be off by up to about 50 ms. */
const lengthToleranceMs = 50

const uploadWanted =
  'it must be an image (JPEG, PNG), a video (MP4, MOV, WebM, MKV) or audio (WAV, MP3, Ogg, FLAC, AAC, M4A, WebM, MKV)'

const videoFormats = new Set(['mp4', 'mov', 'webm', 'mkv'])

export function createInputInspector({ av, children }: { av: AvInspector; children: MediaChildren }): InputInspector {
  async function inspectImage(path: string, limits: { bytesMax: number }, request: OnBehalfOf): Promise<Inspected> {
    return { kind: 'image', ...(await children.inspectImage(path, limits, request)) }
  }

  async function inspectElement(
    path: string,
    window: { startMs: number; endMs: number | null },
    request: OnBehalfOf,
  ): Promise<Inspected> {
    const { format } = await sniffFile(path)
    if (format === 'jpeg' || format === 'png') {
      return inspectImage(path, { bytesMax: elementLimits.imageBytesMax }, request)
    }
    const bytes = await sizeWithin(path, 'video', elementVideoBytesMax)
    const video = await av.inspectVideo(path, request)
    return { kind: 'video', ...video, bytes, capture: captureWindow(window, video.seconds) }
  }

  async function inspectElementAudio(path: string, request: OnBehalfOf): Promise<Inspected> {
    const bytes = await sizeWithin(path, 'audio', elementAudioBytesMax)
    const audio = await av.inspectAudio(path, request)
    refuseAudioLength(audio.seconds)
    return { kind: 'audio', ...audio, bytes }
  }

  return {
    async inspectInput(path, use, request) {
      if (use.kind === 'frame') return inspectImage(path, use, request)
      if (use.kind === 'element') return inspectElement(path, use, request)
      return inspectElementAudio(path, request)
    },
    async inspectUpload(path, request) {
      const { format } = await sniffFile(path)
      if (format === 'jpeg' || format === 'png') {
        return children.inspectImage(path, { bytesMax: uploadBytesMax }, request)
      }
      const { mime } = await av.inspectEither(path, uploadWanted, request)
      return { mime, bytes: (await stat(path)).size }
    },
  }
}

/** How many bytes of a file to accept while it arrives; for elements its first bytes decide. */
export function bytesMaxOf(use: InputUse): BytesMax {
  if (use.kind === 'frame') return use.bytesMax
  if (use.kind === 'element_audio') return elementAudioBytesMax
  return (head) => (videoFormats.has(sniffHead(head).format) ? elementVideoBytesMax : elementLimits.imageBytesMax)
}

/** The part of a video to use: as requested, or from the start for as long as is allowed and available. */
export function captureWindow(
  { startMs, endMs }: { startMs: number; endMs: number | null },
  videoSeconds: number,
): CaptureWindow {
  const lengthMs = Math.round(videoSeconds * 1000)
  if (endMs !== null && endMs > lengthMs + lengthToleranceMs) {
    throw new InputFailure(
      'capture_window',
      `The capture window is ${startMs} to ${endMs} ms, but the video lasts ${lengthMs} ms; the window must lie inside it.`,
    )
  }
  if (startMs >= lengthMs) {
    throw new InputFailure(
      'capture_window',
      `The capture begins at ${startMs} ms, but the video lasts ${lengthMs} ms; it must begin before the video ends.`,
    )
  }
  return { startMs, endMs: Math.min(endMs ?? startMs + elementLimits.captureMsMax, lengthMs) }
}

export function refuseAudioLength(seconds: number): void {
  const { audioSecondsMin: min, audioSecondsMax: max } = elementLimits
  const ms = seconds * 1000
  if (ms >= min * 1000 - lengthToleranceMs && ms <= max * 1000 + lengthToleranceMs) return
  throw new InputFailure(
    'audio_length',
    `The audio lasts ${counted(Number(seconds.toFixed(2)), 'second')}; it must last ${min} to ${max} seconds.`,
  )
}

async function sizeWithin(path: string, what: string, bytesMax: number): Promise<number> {
  const { size } = await stat(path)
  if (size > bytesMax) throw tooLarge(what, size, bytesMax)
  return size
}
