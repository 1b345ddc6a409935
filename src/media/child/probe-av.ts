// Reads one audio or video file with FFmpeg: its streams, their true lengths, and whether they can be decoded.
// Runs native code on untrusted bytes, so only the program of the inspecting process imports this file.
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
import { pixelsMax } from '../../contract/limits.ts'
import { UnusableFile } from '../input-failure.ts'
import type { Probed, ProbedLength } from '../inspect-job.ts'
import { FileCursor } from './file-cursor.ts'
import { excessInMp4 } from './mp4-structure.ts'

const streamsMax = 32
/** Some codecs return their first frame only after several packets. */
const packetsToFirstFrameMax = 64
const packetsPerTurn = 256

/** `demuxer` is the only FFmpeg format that the file may have; no other file is opened on the way. */
export async function probeAv(path: string, demuxer: string): Promise<Probed> {
  Log.setLevel(AV_LOG_QUIET)
  if (demuxer === 'mov') refuseExcess(path)
  await using context = new FormatContext()
  using limits = Dictionary.fromObject({
    protocol_whitelist: 'file',
    format_whitelist: demuxer,
    max_streams: streamsMax,
  })
  // Named explicitly, because FFmpeg's own guess also depends on the file's name.
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

function refuseExcess(path: string): void {
  using file = new FileCursor(path)
  const excess = excessInMp4(file)
  if (excess !== null) throw new UnusableFile(`the file has ${excess}`)
}

function check(code: number, step: string): void {
  if (code < 0) throw new UnusableFile(`${step}: ${FFmpegError.strerror(code)}`)
}

function firstStream(streams: Stream[], type: number): Stream | null {
  const ofType = streams.filter(
    (stream) => stream.codecpar.codecType === type && !stream.hasDisposition(AV_DISPOSITION_ATTACHED_PIC),
  )
  return ofType[0] ?? null
}

function refuseHugePictures(streams: Stream[]): void {
  for (const { codecpar } of streams) {
    if (codecpar.width * codecpar.height > pixelsMax) throw new UnusableFile('the picture is too large')
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
      // Lets the process notice that the service has ended.
      if (count % packetsPerTurn === 0) await nextTurn()
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

/** Takes packets until one frame has been decoded; a stream without a decodable frame cannot be used. */
function openDecoder(stream: Stream): { feed(packet: Packet): void; finish(): void; close(): void } {
  const codec = Codec.findDecoder(stream.codecpar.codecId)
  if (codec === null) throw new UnusableFile('the codec is not known')
  const decoder = new CodecContext()
  const frame = new Frame()
  let fed = 0
  let proven = false
  decoder.allocContext3(codec)
  frame.alloc()
  check(decoder.parametersToContext(stream.codecpar), 'set up the decoder')
  decoder.threadCount = 1
  // Not as options of `open2`: that frees their dictionary, which its wrapper then frees again.
  check(decoder.setOption('max_pixels', pixelsMax), 'limit the decoder')
  check(decoder.open2Sync(codec), 'open the decoder')

  const receive = () => {
    proven ||= decoder.receiveFrameSync(frame) >= 0
  }
  return {
    feed(packet) {
      if (proven || fed >= packetsToFirstFrameMax) return
      fed += 1
      decoder.sendPacketSync(packet)
      receive()
    },
    finish() {
      if (proven) return
      decoder.sendPacketSync(null)
      receive()
      if (!proven) throw new UnusableFile('no frame could be decoded')
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
    packets: span?.packets ?? 0,
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
  // WebM does not say how long its last frame is: the average of the others is taken.
  const average = packets > 1 ? secondsOf(stream, last - start) / (packets - 1) : 0
  return secondsOf(stream, last) + (lastDuration > 0n ? secondsOf(stream, lastDuration) : average)
}

function secondsOf(stream: Stream, ticks: bigint): number {
  return (Number(ticks) * stream.timeBase.num) / stream.timeBase.den
}

/** Width and height as players show them: phones store an upright video sideways, with a matrix that rotates it. */
function shownSize({ codecpar }: Stream): { width: number; height: number } {
  const { width, height } = codecpar
  const matrix = codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX)
  if (matrix === null || matrix.length < 36) return { width, height }
  const turned = Math.abs(matrix.readInt32LE(4)) > Math.abs(matrix.readInt32LE(0))
  return turned ? { width: height, height: width } : { width, height }
}
