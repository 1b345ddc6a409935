// Reads one audio or video file with FFmpeg: its streams, their true lengths, and whether they can be decoded.
// Runs native code on untrusted bytes, so only the probing child process imports this file.

import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  AV_DISPOSITION_ATTACHED_PIC,
  AV_LOG_QUIET,
  AV_NOPTS_VALUE,
  AV_PKT_DATA_DISPLAYMATRIX,
  AV_PKT_FLAG_DISCARD,
  AV_TIME_BASE,
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
  InputFormat,
  Log,
  Packet,
  type Stream,
} from 'node-av/lib'
import type { Probed, ProbedLength } from './probed.ts'

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
  // Named outright, because FFmpeg's own guess also goes by the file's name.
  const format = InputFormat.findInputFormat(demuxer)
  if (format === null) throw new Error(`FFmpeg has no format ${demuxer}`)
  check(await context.openInput(`file:${path}`, format, limits), 'open')
  refuseHugePictures(context.streams)
  check(await context.findStreamInfo(null), 'read the streams')
  refuseHugePictures(context.streams)

  const video = firstStream(context.streams, AVMEDIA_TYPE_VIDEO)
  const audio = firstStream(context.streams, AVMEDIA_TYPE_AUDIO)
  const spans = await readPackets(
    context,
    [video, audio].filter((stream) => stream !== null),
  )
  return {
    claimedSeconds: context.duration > 0n ? Number(context.duration) / AV_TIME_BASE : null,
    heldSeconds: heldSeconds(context.streams, spans),
    video: video && { ...shownSize(video), ...streamLength(video, spans) },
    audio: audio && streamLength(audio, spans),
  }
}

/** The file's fault. Any other error is ours. */
export class UnusableMedia extends Error {}

function check(code: number, step: string): void {
  if (code < 0) throw new UnusableMedia(`${step}: ${FFmpegError.strerror(code)}`)
}

function firstStream(streams: Stream[], type: number): Stream | null {
  const ofType = streams.filter(
    (stream) => stream.codecpar.codecType === type && !stream.hasDisposition(AV_DISPOSITION_ATTACHED_PIC),
  )
  return ofType[0] ?? null
}

function refuseHugePictures(streams: Stream[]): void {
  for (const { codecpar } of streams) {
    if (codecpar.width * codecpar.height > PIXELS_MAX) throw new UnusableMedia('the picture is too large')
  }
}

interface PacketSpan {
  start: bigint
  /** The latest packet's start and length. */
  last: bigint
  lastDuration: bigint
  packets: number
}

/** Walks the whole file, because headers may lie; decodes the first frame of the `wanted` streams on the way. */
async function readPackets(context: FormatContext, wanted: Stream[]): Promise<Map<number, PacketSpan>> {
  const spans = new Map<number, PacketSpan>()
  const proofs = new Map(wanted.map((stream) => [stream.index, openDecoder(stream)]))
  try {
    using packet = new Packet()
    packet.alloc()
    for (let count = 1; ; count++) {
      const code = context.readFrameSync(packet)
      if (code === AVERROR_EOF) break
      check(code, 'read a packet')
      widen(spans, packet)
      proofs.get(packet.streamIndex)?.feed(packet)
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
  const span = spans.get(packet.streamIndex)
  if (span === undefined) {
    spans.set(packet.streamIndex, { start, last: start, lastDuration: packet.duration, packets: 1 })
    return
  }
  span.packets += 1
  if (start < span.start) span.start = start
  if (start >= span.last) {
    span.last = start
    span.lastDuration = packet.duration
  }
}

/** Takes packets until they have given one frame; a stream that never gives one is of no use. */
function openDecoder(stream: Stream): { feed(packet: Packet): void; finish(): void; close(): void } {
  const codec = Codec.findDecoder(stream.codecpar.codecId)
  if (codec === null) throw new UnusableMedia('the codec is not known')
  const decoder = new CodecContext()
  const frame = new Frame()
  let fed = 0
  let proven = false
  decoder.allocContext3(codec)
  frame.alloc()
  check(decoder.parametersToContext(stream.codecpar), 'set up the decoder')
  decoder.threadCount = 1
  // Not as options of `open2`: that frees their dictionary, which its wrapper then frees again.
  check(decoder.setOption('max_pixels', PIXELS_MAX), 'limit the decoder')
  check(decoder.open2Sync(codec), 'open the decoder')

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
      if (!proven) throw new UnusableMedia('no frame could be decoded')
    },
    close() {
      frame.free()
      decoder.freeContext()
    },
  }
}

function streamLength(stream: Stream, spans: Map<number, PacketSpan>): ProbedLength {
  const span = spans.get(stream.index)
  return {
    claimedSeconds: stream.duration > 0n ? secondsOf(stream, stream.duration) : null,
    seconds: span === undefined ? 0 : spanEnd(stream, span) - secondsOf(stream, span.start),
  }
}

/** From the first packet of any stream to the end of the last. */
function heldSeconds(streams: Stream[], spans: Map<number, PacketSpan>): number {
  const filled = streams.flatMap((stream) => {
    const span = spans.get(stream.index)
    return span === undefined ? [] : [{ start: secondsOf(stream, span.start), end: spanEnd(stream, span) }]
  })
  if (filled.length === 0) return 0
  return Math.max(...filled.map(({ end }) => end)) - Math.min(...filled.map(({ start }) => start))
}

function spanEnd(stream: Stream, { start, last, lastDuration, packets }: PacketSpan): number {
  // WebM does not say how long its last frame is: then as long as the others on average.
  const average = packets > 1 ? secondsOf(stream, last - start) / (packets - 1) : 0
  return secondsOf(stream, last) + (lastDuration > 0n ? secondsOf(stream, lastDuration) : average)
}

function secondsOf(stream: Stream, ticks: bigint): number {
  return (Number(ticks) * stream.timeBase.num) / stream.timeBase.den
}

/** Width and height as players show them: phones store an upright video lying, with a matrix that turns it. */
function shownSize({ codecpar }: Stream): { width: number; height: number } {
  const { width, height } = codecpar
  const matrix = codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX)
  if (matrix === null || matrix.length < 36) return { width, height }
  const turned = Math.abs(matrix.readInt32LE(4)) > Math.abs(matrix.readInt32LE(0))
  return turned ? { width: height, height: width } : { width, height }
}
