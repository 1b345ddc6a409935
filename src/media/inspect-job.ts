// What passes between the service and the processes that open media files. Types only: importing it loads no native
// code.
import type { FailReason } from '../contract/tasks/fail-reasons.ts'

export type InspectJob =
  | { kind: 'image'; path: string; limits: ImageLimits }
  /** Inspects the image, and writes a small copy of it. */
  | { kind: 'preview'; path: string; toPath: string; limits: ImageLimits }
  /** `demuxer`: FFmpeg's name of the only format that the file may have. */
  | { kind: 'av'; path: string; demuxer: string }

export type InspectResult =
  | { kind: 'image'; image: InspectedImage }
  | { kind: 'av'; probed: Probed }
  /** The image may not be used; the reason is shown to the client. */
  | { kind: 'refused'; reason: FailReason; message: string; detail: string }
  /** The audio or video is damaged, incomplete or not supported; `detail` is for the log. */
  | { kind: 'unusable'; detail: string }

export interface ImageLimits {
  bytesMax: number
  /** Width divided by height; both bounds are allowed. */
  ratio?: { min: number; max: number }
}

export interface InspectedImage {
  mime: 'image/jpeg' | 'image/png'
  /** As a viewer shows it, after any EXIF rotation. */
  width: number
  height: number
  bytes: number
}

export interface Probed {
  /** The whole file's length by its header, if the header has one. */
  claimedSeconds: number | null
  /** The whole file's length by the packets of all its streams. */
  heldSeconds: number
  video: ({ width: number; height: number } & ProbedLength) | null
  audio: ProbedLength | null
}

export interface ProbedLength {
  /** The stream's length by the header, if the header has one. */
  claimedSeconds: number | null
  /** The sum of its packets. */
  seconds: number
  /** How many packets there are; of a video, its pictures. */
  packets: number
}
