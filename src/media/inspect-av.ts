// Looks at one audio or video file: a known format by its bytes, whole and decodable, and its true length.
// The decoders run in child processes; which lengths and sizes a field allows is not decided here.
import type { OnBehalfOf } from '../children/child-pool.ts'
import { InputFailure, UnusableFile } from './input-failure.ts'
import type { Probed, ProbedLength } from './inspect-job.ts'
import type { MediaChildren } from './media-children.ts'
import { type MediaFormat, sniffFile } from './sniff.ts'

interface InspectedAudio {
  seconds: number
  mime: string
}

interface InspectedVideo extends InspectedAudio {
  width: number
  height: number
}

export interface AvInspector {
  inspectAudio(path: string, request: OnBehalfOf): Promise<InspectedAudio>
  inspectVideo(path: string, request: OnBehalfOf): Promise<InspectedVideo>
  /** Audio or video; `wanted` completes the sentence about a file that is neither. */
  inspectEither(path: string, wanted: string, request: OnBehalfOf): Promise<{ mime: string }>
}

interface Container {
  demuxer: string
  audioMime: string
  videoMime: string | null
  /** Whether the header's length is reliable: a file whose packets end well before it was cut off. */
  headerHasLength: boolean
}

const movContainer = { demuxer: 'mov', audioMime: 'audio/mp4', headerHasLength: true }
const matroskaContainer = { demuxer: 'matroska', headerHasLength: true }
const containers: Partial<Record<MediaFormat, Container>> = {
  mp4: { ...movContainer, videoMime: 'video/mp4' },
  m4a: { ...movContainer, videoMime: 'video/mp4' },
  mov: { ...movContainer, videoMime: 'video/quicktime' },
  webm: { ...matroskaContainer, audioMime: 'audio/webm', videoMime: 'video/webm' },
  mkv: { ...matroskaContainer, audioMime: 'audio/x-matroska', videoMime: 'video/x-matroska' },
  wav: { demuxer: 'wav', audioMime: 'audio/wav', videoMime: null, headerHasLength: true },
  flac: { demuxer: 'flac', audioMime: 'audio/flac', videoMime: null, headerHasLength: true },
  ogg: { demuxer: 'ogg', audioMime: 'audio/ogg', videoMime: null, headerHasLength: false },
  mp3: { demuxer: 'mp3', audioMime: 'audio/mpeg', videoMime: null, headerHasLength: false },
  aac: { demuxer: 'aac', audioMime: 'audio/aac', videoMime: null, headerHasLength: false },
}

const audioWanted = 'it must be audio: WAV, MP3, M4A, AAC, Ogg, FLAC or WebM'
const videoWanted = 'it must be a JPEG or PNG image or an MP4, QuickTime, WebM or Matroska video'
/** Header and packets may differ by this much for good reasons (encoder delay, the last frame's length). */
const lengthsAgreeSeconds = 0.1
/** A file that is shorter than its header says by this much was cut off. */
const cutOffSeconds = 1
const cutOffShare = 0.05

export function createAvInspector(children: MediaChildren): AvInspector {
  async function probe(path: string, wanted: string, request: OnBehalfOf) {
    const { format, name } = await sniffFile(path)
    const container = containers[format]
    if (container === undefined) throw new InputFailure('image_format', `The file is ${name}; ${wanted}.`)
    const probed = await children.probe(path, container.demuxer, request).catch((error) => {
      throw error instanceof UnusableFile ? damaged(name, wanted, error) : error
    })
    if (container.headerHasLength) refuseCutOff(probed, name, wanted)
    return { container, name, probed }
  }

  return {
    async inspectAudio(path, request) {
      const { container, name, probed } = await probe(path, audioWanted, request)
      if (probed.video !== null) throw new InputFailure('image_format', `The file is a video; ${audioWanted}.`)
      if (probed.audio === null) throw damaged(name, audioWanted, new Error('no audio stream'))
      return { seconds: trueSeconds(probed.audio), mime: container.audioMime }
    },
    async inspectVideo(path, request) {
      const { container, name, probed } = await probe(path, videoWanted, request)
      if (probed.video === null || container.videoMime === null) {
        throw new InputFailure('image_format', `The file is ${name} without a picture; ${videoWanted}.`)
      }
      const { width, height } = probed.video
      return {
        seconds: trueSeconds(probed.video),
        width,
        height,
        mime: container.videoMime,
      }
    },
    async inspectEither(path, wanted, request) {
      const { container, name, probed } = await probe(path, wanted, request)
      if (probed.video !== null && container.videoMime !== null) return { mime: container.videoMime }
      if (probed.audio === null) throw damaged(name, wanted, new Error('neither picture nor sound'))
      return { mime: container.audioMime }
    },
  }
}

function refuseCutOff({ claimedSeconds, heldSeconds }: Probed, name: string, wanted: string): void {
  if (claimedSeconds === null) return
  if (claimedSeconds - heldSeconds <= Math.max(cutOffSeconds, claimedSeconds * cutOffShare)) return
  throw damaged(name, wanted, new Error(`ends after ${heldSeconds} of ${claimedSeconds} seconds`))
}

/** The packets' length, or the header's where both agree: the header is then more exact. */
function trueSeconds({ seconds, claimedSeconds }: ProbedLength): number {
  if (claimedSeconds === null) return seconds
  return Math.abs(claimedSeconds - seconds) <= lengthsAgreeSeconds ? claimedSeconds : seconds
}

function damaged(name: string, wanted: string, cause: Error): InputFailure {
  const message = `The file is ${name} that is damaged, incomplete or not supported; ${wanted}.`
  return new InputFailure('image_format', message, { cause })
}
