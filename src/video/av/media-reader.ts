// Decodes clients' videos and sound. It owns the guard around untrusted files (which containers, no protocol but
// `file`), seeking and conversion; what is done with frames is up to the caller. Native: child processes only.

import {
  AV_CODEC_ID_H264,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUVJ420P,
  AV_PKT_DATA_DISPLAYMATRIX,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
  AVSEEK_FLAG_BACKWARD,
} from 'node-av/constants'
import {
  CodecContext,
  Dictionary,
  FFmpegError,
  Filter,
  type FilterContext,
  FilterGraph,
  FormatContext,
  Frame,
  Packet,
  type Stream,
} from 'node-av/lib'
import type { Size } from '../picture/output-size.ts'
import { samplesPerSecond } from './timing.ts'

const containers = 'mov,mp4,matroska,webm,avi,apng,mpegts,mp3,wav,aac,flac,ogg'
const decoderThreads = 1

export interface VideoImage extends Size {
  /** Tightly packed 4:2:0 planes, BT.709 limited range. */
  y: Uint8Array
  u: Uint8Array
  v: Uint8Array
  /** When it shows, from the start of the file. */
  ms: number
}

/**
 * The pictures of a video from the one that shows at `startMs` on, upright and scaled to what `sizeOf` makes of the
 * video's own size.
 */
export async function* readVideo(
  path: string,
  startMs: number,
  sizeOf: (own: Size) => Size,
): AsyncGenerator<VideoImage, void, undefined> {
  await using input = await openMedia(path, AVMEDIA_TYPE_VIDEO)
  const turn = quarterTurns(input.stream)
  const chainOf = (frame: Frame): Chain => {
    const wide = Math.round(frame.width * pixelAspect(input.stream, frame))
    const own = turn % 2 ? { width: frame.height, height: wide } : { width: wide, height: frame.height }
    const { width, height } = sizeOf(own)
    const { num, den } = input.stream.timeBase
    return [
      [
        'buffer',
        `width=${frame.width}:height=${frame.height}:pix_fmt=${frame.format}:time_base=${num}/${den}` +
          `:colorspace=${frame.colorSpace}:range=${frame.colorRange}`,
      ],
      ...turns[turn]!,
      ['scale', `${width}:${height}:flags=bicubic:out_color_matrix=bt709:out_range=tv`],
      ['format', 'pix_fmts=yuv420p'],
      ['buffersink', null],
    ]
  }
  const msOf = (ticks: bigint) => (Number(ticks) * input.stream.timeBase.num * 1000) / input.stream.timeBase.den
  let shown: VideoImage | null = null
  for await (const frame of decodeThrough(input, startMs, chainOf)) {
    const image = imageOf(frame, msOf(frame.bestEffortTimestamp) - msOf(input.originTicks))
    if (image.ms < startMs - 1) {
      shown = { ...image, ms: startMs }
      continue
    }
    if (shown && image.ms > startMs + 1) yield shown
    shown = null
    yield image
  }
  if (shown) yield shown
}

function imageOf(frame: Frame, ms: number): VideoImage {
  const packed = frame.toBuffer()
  const { width, height } = frame
  const luma = width * height
  const chroma = luma / 4
  return {
    width,
    height,
    y: packed.subarray(0, luma),
    u: packed.subarray(luma, luma + chroma),
    v: packed.subarray(luma + chroma, luma + 2 * chroma),
    ms,
  }
}

/** The sound of a file as two channels at 48 kHz, at most `secondsMax` of it, `tempo` times as fast at its own pitch. */
export async function readSound(path: string, secondsMax: number, tempo = 1): Promise<Float32Array[]> {
  await using input = await openMedia(path, AVMEDIA_TYPE_AUDIO)
  const chainOf = (frame: Frame): Chain => [
    [
      'abuffer',
      `sample_rate=${frame.sampleRate}:sample_fmt=${frame.format}:channel_layout=${layoutOf(frame)}` +
        `:time_base=1/${frame.sampleRate}`,
    ],
    ['aresample', `${samplesPerSecond}`],
    ...(tempo === 1 ? [] : ([['atempo', tempo.toFixed(5)]] satisfies Chain)),
    ['aformat', `sample_fmts=fltp:sample_rates=${samplesPerSecond}:channel_layouts=stereo`],
    ['abuffersink', null],
  ]
  const samplesMax = Math.round(secondsMax * samplesPerSecond)
  const channels = [new Float32Array(samplesMax), new Float32Array(samplesMax)]
  let samples = 0
  for await (const frame of decodeThrough(input, 0, chainOf)) {
    const count = Math.min(frame.nbSamples, samplesMax - samples)
    for (const [i, channel] of channels.entries()) {
      const bytes = frame.extendedData![i]!
      channel.set(new Float32Array(bytes.buffer, bytes.byteOffset, count), samples)
    }
    samples += count
    if (samples === samplesMax) break
  }
  return channels.map((channel) => channel.subarray(0, samples))
}

/** Whether every player shows the file as it is: H.264 with 4:2:0 colours. */
export async function isPlainH264(path: string): Promise<boolean> {
  await using input = await openMedia(path, AVMEDIA_TYPE_VIDEO)
  const { codecId, format } = input.stream.codecpar
  return codecId === AV_CODEC_ID_H264 && (format === AV_PIX_FMT_YUV420P || format === AV_PIX_FMT_YUVJ420P)
}

function layoutOf(frame: Frame): string {
  const { mask, nbChannels } = frame.channelLayout
  return mask ? `0x${mask.toString(16)}` : `${nbChannels}c`
}

/** Filters in order, each a name and its options. */
type Chain = [name: string, options: string | null][]

const turns: Chain[] = [
  [],
  [['transpose', 'dir=clock']],
  [
    ['hflip', null],
    ['vflip', null],
  ],
  [['transpose', 'dir=cclock']],
]

/** How often a player turns the video clockwise by 90°, from the display matrix that phones write. */
function quarterTurns(stream: Stream): number {
  const matrix = stream.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX)
  if (!matrix || matrix.length < 20) return 0
  const degrees = (Math.atan2(matrix.readInt32LE(4), matrix.readInt32LE(0)) * 180) / Math.PI
  return ((Math.round(degrees / 90) % 4) + 4) % 4
}

/** Width of a pixel by its height; DV and HDV cameras record pixels that are not square. */
function pixelAspect(stream: Stream, frame: Frame): number {
  const stated = [stream.sampleAspectRatio, frame.sampleAspectRatio].find(({ num, den }) => num > 0 && den > 0)
  const aspect = stated ? stated.num / stated.den : 1
  return aspect >= 1 / pixelAspectMax && aspect <= pixelAspectMax ? aspect : 1
}

/** Anamorphic lenses squeeze by 2 at most; more is a mistake of the file. */
const pixelAspectMax = 3

interface Media extends AsyncDisposable {
  format: FormatContext
  stream: Stream
  codec: CodecContext
  /** The timestamp that counts as the start, in ticks of the stream. */
  originTicks: bigint
}

async function openMedia(path: string, type: typeof AVMEDIA_TYPE_VIDEO | typeof AVMEDIA_TYPE_AUDIO): Promise<Media> {
  const format = new FormatContext()
  format.allocContext()
  const guard = Dictionary.fromObject({ protocol_whitelist: 'file', format_whitelist: containers })
  check(await format.openInput(`file:${path}`, null, guard), 'open the file')
  const codec = new CodecContext()
  const close = async () => {
    codec.freeContext()
    await format.closeInput()
  }
  try {
    check(await format.findStreamInfo(null), 'read the file')
    const best = format.findBestStream(type, -1, -1, true)
    const stream = format.streams.find((candidate) => candidate.index === best.streamIndex)
    if (!stream || !best.decoder) throw new Error('the file has no such stream')
    codec.allocContext3(best.decoder)
    check(codec.parametersToContext(stream.codecpar), 'set up the decoder')
    codec.pktTimebase = stream.timeBase
    codec.threadCount = decoderThreads
    check(await codec.open2(best.decoder, null), 'open the decoder')
    const originTicks = stream.startTime > 0n ? stream.startTime : 0n
    return { format, stream, codec, originTicks, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Frames of the stream after the filters. The yielded frame is reused: take what you need before going on. */
async function* decodeThrough(
  media: Media,
  startMs: number,
  chainOf: (frame: Frame) => Chain,
): AsyncGenerator<Frame, void, undefined> {
  const { format, stream, codec } = media
  if (startMs > 0) {
    const ticks = Math.floor((startMs / 1000) * (stream.timeBase.den / stream.timeBase.num))
    check(await format.seekFrame(stream.index, media.originTicks + BigInt(ticks), AVSEEK_FLAG_BACKWARD), 'seek')
  }
  using packet = new Packet()
  using decoded = new Frame()
  using filtered = new Frame()
  packet.alloc()
  decoded.alloc()
  filtered.alloc()
  let filters: Filters | null = null
  try {
    for (let ended = false; !ended; ) {
      const read = await format.readFrame(packet)
      ended = read === AVERROR_EOF
      if (!ended) {
        check(read, 'read')
        const foreign = packet.streamIndex !== stream.index
        // A damaged packet costs a frame, not the video.
        const sent = foreign ? 0 : await codec.sendPacket(packet)
        packet.unref()
        if (foreign || sent < 0) continue
      } else await codec.sendPacket(null)
      while ((await codec.receiveFrame(decoded)) >= 0) {
        filters ??= openFilters(chainOf(decoded))
        check(await filters.source.buffersrcAddFrame(decoded), 'filter')
        decoded.unref()
        yield* drain(filters, filtered)
      }
    }
    if (filters) {
      check(await filters.source.buffersrcAddFrame(null), 'filter')
      yield* drain(filters, filtered)
    }
  } finally {
    filters?.graph.free()
  }
}

async function* drain(filters: Filters, filtered: Frame): AsyncGenerator<Frame, void, undefined> {
  for (;;) {
    const code = await filters.sink.buffersinkGetFrame(filtered)
    if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return
    check(code, 'filter')
    yield filtered
    filtered.unref()
  }
}

interface Filters {
  graph: FilterGraph
  source: FilterContext
  sink: FilterContext
}

export function openFilters(chain: Chain): Filters {
  const graph = new FilterGraph()
  graph.alloc()
  const contexts = chain.map(([name, options], i) => {
    const filter = Filter.getByName(name)
    const context = filter && graph.createFilter(filter, `${name}${i}`, options)
    if (!context) throw new Error(`the filter ${name} cannot be set up`)
    return context
  })
  for (const [i, context] of contexts.entries()) {
    const next = contexts[i + 1]
    if (next) check(context.link(0, next, 0), 'link the filters')
  }
  check(graph.configSync(), 'set up the filters')
  return { graph, source: contexts[0]!, sink: contexts.at(-1)! }
}

function check(code: number, doing: string): void {
  FFmpegError.throwIfError(code, doing)
}
