// Looks at one audio or video file: a known format by its bytes, whole and decodable, and its true length.
// The native work happens in child processes; which lengths and sizes a field allows is not decided here.
import { MaterialFailure } from './material-failure.ts'
import { createProbeChildren } from './probe-children.ts'
import type { Probed, ProbedLength } from './probed.ts'
import { type MediaFormat, sniffFile } from './sniff.ts'

export interface InspectedAudio {
  seconds: number
  mime: string
}

export interface InspectedVideo extends InspectedAudio {
  width: number
  height: number
}

export interface AvInspector {
  inspectAudio(path: string): Promise<InspectedAudio>
  inspectVideo(path: string): Promise<InspectedVideo>
  /** Whichever of the two it is; `wanted` completes the sentence about a file that is neither. */
  inspectEither(path: string, wanted: string): Promise<{ mime: string }>
  close(): Promise<void>
}

interface Container {
  demuxer: string
  audioMime: string
  videoMime: string | null
  /** Whether the header's length counts: a file whose packets end well before it was cut off. */
  headerTellsLength: boolean
}

const MOV = { demuxer: 'mov', audioMime: 'audio/mp4', headerTellsLength: true }
const MATROSKA = { demuxer: 'matroska', headerTellsLength: true }
const CONTAINERS: Partial<Record<MediaFormat, Container>> = {
  mp4: { ...MOV, videoMime: 'video/mp4' },
  m4a: { ...MOV, videoMime: 'video/mp4' },
  mov: { ...MOV, videoMime: 'video/quicktime' },
  webm: { ...MATROSKA, audioMime: 'audio/webm', videoMime: 'video/webm' },
  mkv: { ...MATROSKA, audioMime: 'audio/x-matroska', videoMime: 'video/x-matroska' },
  wav: { demuxer: 'wav', audioMime: 'audio/wav', videoMime: null, headerTellsLength: true },
  flac: { demuxer: 'flac', audioMime: 'audio/flac', videoMime: null, headerTellsLength: true },
  ogg: { demuxer: 'ogg', audioMime: 'audio/ogg', videoMime: null, headerTellsLength: false },
  mp3: { demuxer: 'mp3', audioMime: 'audio/mpeg', videoMime: null, headerTellsLength: false },
  aac: { demuxer: 'aac', audioMime: 'audio/aac', videoMime: null, headerTellsLength: false },
}

const AUDIO_WANTED = 'it must be audio: WAV, MP3, M4A, AAC, Ogg, FLAC or WebM'
const VIDEO_WANTED = 'it must be a JPEG or PNG image or an MP4, QuickTime, WebM or Matroska video'
/** Up to here header and packets differ for good reasons (encoder delay, a last frame's length). */
const LENGTHS_AGREE_SECONDS = 0.1
/** A header that promises this much more than is there belongs to a file that was cut off. */
const CUT_OFF_SECONDS = 1
const CUT_OFF_SHARE = 0.05

export function createAvInspector(
  options: { childrenMax?: number; probeMs?: number; childFile?: string } = {},
): AvInspector {
  const { childrenMax = 2, probeMs = 10_000, childFile } = options
  const children = createProbeChildren({ childrenMax, probeMs, childFile })

  async function probe(path: string, wanted: string): Promise<{ container: Container; name: string; probed: Probed }> {
    const { format, name } = await sniffFile(path)
    const container = CONTAINERS[format]
    if (container === undefined) throw new MaterialFailure('image_format', `The file is ${name}; ${wanted}.`)
    const answer = await children.ask({ path, demuxer: container.demuxer })
    if ('broken' in answer) throw new Error(`probing a file failed: ${answer.broken}`)
    if ('failure' in answer) throw damaged(name, wanted, answer.failure)
    if (container.headerTellsLength) refuseCutOff(answer.probed, name, wanted)
    return { container, name, probed: answer.probed }
  }

  return {
    async inspectAudio(path) {
      const { container, name, probed } = await probe(path, AUDIO_WANTED)
      if (probed.video !== null) throw new MaterialFailure('image_format', `The file is a video; ${AUDIO_WANTED}.`)
      if (probed.audio === null) throw damaged(name, AUDIO_WANTED, 'no audio stream')
      return { seconds: trueSeconds(probed.audio), mime: container.audioMime }
    },
    async inspectVideo(path) {
      const { container, name, probed } = await probe(path, VIDEO_WANTED)
      if (probed.video === null || container.videoMime === null) {
        throw new MaterialFailure('image_format', `The file is ${name} without a picture; ${VIDEO_WANTED}.`)
      }
      const { width, height } = probed.video
      return {
        seconds: trueSeconds(probed.video),
        width,
        height,
        mime: container.videoMime,
      }
    },
    async inspectEither(path, wanted) {
      const { container, name, probed } = await probe(path, wanted)
      if (probed.video !== null && container.videoMime !== null) return { mime: container.videoMime }
      if (probed.audio === null) throw damaged(name, wanted, 'neither picture nor sound')
      return { mime: container.audioMime }
    },
    close: children.close,
  }
}

function refuseCutOff({ claimedSeconds, heldSeconds }: Probed, name: string, wanted: string): void {
  if (claimedSeconds === null) return
  if (claimedSeconds - heldSeconds <= Math.max(CUT_OFF_SECONDS, claimedSeconds * CUT_OFF_SHARE)) return
  throw damaged(name, wanted, `ends after ${heldSeconds} of ${claimedSeconds} seconds`)
}

/** The packets' length, or the header's where both agree, which is then the more exact one. */
function trueSeconds({ seconds, claimedSeconds }: ProbedLength): number {
  if (claimedSeconds === null) return seconds
  return Math.abs(claimedSeconds - seconds) <= LENGTHS_AGREE_SECONDS ? claimedSeconds : seconds
}

function damaged(name: string, wanted: string, detail: string): MaterialFailure {
  return new MaterialFailure(
    'image_format',
    `The file is ${name} that is damaged, incomplete or not supported; ${wanted}.`,
    {
      cause: new Error(detail),
    },
  )
}
