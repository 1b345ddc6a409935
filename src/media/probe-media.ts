// Reads one audio or video file with FFmpeg: its streams, their true lengths, and whether they can be decoded.
// Runs native code on untrusted bytes, so only the probing child process imports this file.

import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  AV_DISPOSITION_ATTACHED_PIC,
  AV_LOG_QUIET,
  AV_NOPTS_VALUE,
  AV_PKT_DATA_DISPLAYMATRIX,
  AV_PKT_FLAG_DISCARD,
  AVDISCARD_ALL,
  AVERROR_EOF,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants'
import {
  Codec,
  CodecContext,
  Dictionary,
  FFmpegError,
  FormatContext,
  Frame,
  Log,
  Packet,
  type Stream,
} from 'node-av/lib'
import type { Probed } from './probed.ts'

const PIXELS_MAX = 50_000_000
const STREAMS_MAX = 32
/** Some codecs give their first frame only after several packets. */
const PACKETS_TO_FIRST_FRAME_MAX = 64
const PACKETS_A_TURN = 256

/** `demuxer` is the only FFmpeg format the file may be; nothing but this file is opened on the way. */
export async function probeMedia(path: string, demuxer: string): Promise<Probed> {
  Log.setLevel(AV_LOG_QUIET)
  await using context = new FormatContext()
  using limits = Dictionary.fromObject({
    protocol_whitelist: 'file',
    format_whitelist: demuxer,
    max_streams: STREAMS_MAX,
  })
  check(await context.openInput(`file:${path}`, null, limits), 'open')
  refuseHugePictures(context.streams)
  const options = context.streams.map(() => Dictionary.fromObject({ max_pixels: PIXELS_MAX, threads: 1 }))
  check(await context.findStreamInfo(options), 'read the streams')
  refuseHugePictures(context.streams)

  const video = firstStream(context.streams, AVMEDIA_TYPE_VIDEO)
  const audio = firstStream(context.streams, AVMEDIA_TYPE_AUDIO)
  const wanted = [video, audio].filter((stream) => stream !== null)
  for (const stream of context.streams) if (!wanted.includes(stream)) stream.discard = AVDISCARD_ALL
  const read = await readPackets(context, wanted)
  return {
    video: video && { ...shownSize(video), ...lengths(video, read) },
    audio: audio && lengths(audio, read),
  }
}

function check(code: number, step: string): void {
  FFmpegError.throwIfError(code, step)
}

function firstStream(streams: Stream[], type: number): Stream | null {
  const ofType = streams.filter(
    (stream) => stream.codecpar.codecType === type && !stream.hasDisposition(AV_DISPOSITION_ATTACHED_PIC),
  )
  return ofType[0] ?? null
}

function refuseHugePictures(streams: Stream[]): void {
  for (const { codecpar } of streams) {
    if (codecpar.width * codecpar.height > PIXELS_MAX) throw new Error('the picture is too large')
  }
}

interface PacketSpan {
  start: bigint
  end: bigint
}

/** Walks the whole file, because headers may lie; decodes each stream's first frame on the way. */
async function readPackets(context: FormatContext, streams: Stream[]): Promise<Map<number, PacketSpan>> {
  const spans = new Map<number, PacketSpan>()
  const proofs = new Map(streams.map((stream) => [stream.index, openDecoder(stream)]))
  try {
    using packet = new Packet()
    packet.alloc()
    for (let count = 1; ; count++) {
      const code = context.readFrameSync(packet)
      if (code === AVERROR_EOF) break
      check(code, 'read a packet')
      const proof = proofs.get(packet.streamIndex)
      if (proof !== undefined) {
        widen(spans, packet)
        proof.feed(packet)
      }
      packet.unref()
      // Lets the process see that its parent is gone.
      if (count % PACKETS_A_TURN === 0) await nextTurn()
    }
    for (const proof of proofs.values()) proof.finish()
    return spans
  } finally {
    for (const proof of proofs.values()) proof.close()
  }
}

function widen(spans: Map<number, PacketSpan>, packet: Packet): void {
  const start = packet.pts === AV_NOPTS_VALUE ? packet.dts : packet.pts
  if (start === AV_NOPTS_VALUE || packet.hasFlags(AV_PKT_FLAG_DISCARD)) return
  const end = start + packet.duration
  const span = spans.get(packet.streamIndex)
  spans.set(packet.streamIndex, {
    start: span === undefined || start < span.start ? start : span.start,
    end: span === undefined || end > span.end ? end : span.end,
  })
}

/** Takes packets until they have given one frame; a stream that never gives one is of no use. */
function openDecoder(stream: Stream): { feed(packet: Packet): void; finish(): void; close(): void } {
  const codec = Codec.findDecoder(stream.codecpar.codecId)
  if (codec === null) throw new Error('the codec is not known')
  const decoder = new CodecContext()
  const frame = new Frame()
  let fed = 0
  let proven = false
  decoder.allocContext3(codec)
  frame.alloc()
  check(decoder.parametersToContext(stream.codecpar), 'set up the decoder')
  decoder.threadCount = 1
  using limits = Dictionary.fromObject({ max_pixels: PIXELS_MAX })
  check(decoder.open2Sync(codec, limits), 'open the decoder')

  const receive = () => {
    proven ||= decoder.receiveFrameSync(frame) >= 0
  }
  return {
    feed(packet) {
      if (proven || fed >= PACKETS_TO_FIRST_FRAME_MAX) return
      fed += 1
      decoder.sendPacketSync(packet)
      receive()
    },
    finish() {
      if (proven) return
      decoder.sendPacketSync(null)
      receive()
      if (!proven) throw new Error('no frame could be decoded')
    },
    close() {
      frame.free()
      decoder.freeContext()
    },
  }
}

function lengths(stream: Stream, spans: Map<number, PacketSpan>): { claimedSeconds: number | null; seconds: number } {
  const span = spans.get(stream.index)
  const secondsOf = (ticks: bigint) => (Number(ticks) * stream.timeBase.num) / stream.timeBase.den
  return {
    claimedSeconds: stream.duration > 0n ? secondsOf(stream.duration) : null,
    seconds: span === undefined ? 0 : secondsOf(span.end - span.start),
  }
}

/** Width and height as players show them: phones store an upright video lying, with a matrix that turns it. */
function shownSize({ codecpar }: Stream): { width: number; height: number } {
  const { width, height } = codecpar
  const matrix = codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX)
  if (matrix === null || matrix.length < 36) return { width, height }
  const turned = Math.abs(matrix.readInt32LE(4)) > Math.abs(matrix.readInt32LE(0))
  return turned ? { width: height, height: width } : { width, height }
}
