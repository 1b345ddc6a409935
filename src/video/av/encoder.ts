// Writes the finished video: H.264 and, where there is sound, AAC in an MP4 whose index comes first.
// It owns codec settings and exact timing; what the frames show is made elsewhere. Native: child processes only.

import {
  AV_CHANNEL_LAYOUT_STEREO,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_CODEC_FLAG_RECON_FRAME,
  AV_PIX_FMT_NV12,
  AV_PIX_FMT_YUV420P,
  AV_PROFILE_H264_HIGH,
  AV_SAMPLE_FMT_FLTP,
  AVCHROMA_LOC_LEFT,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBX264,
} from 'node-av/constants'
import { Codec, CodecContext, Dictionary, FFmpegError, FormatContext, Frame, Packet, Rational } from 'node-av/lib'
import { fillPlane, type Kernel } from '../kernel/kernel.ts'
import type { Picture } from '../picture/picture-planes.ts'
import { framesPerSecond, samplesPerSecond } from './timing.ts'

interface VideoFileOptions {
  path: string
  width: number
  height: number
  threads: number
  /** The number of another frame that is a given picture, to be encoded as finely as the first. */
  givenFrame?: number
  /** Two channels at 48 kHz, or null for a file without a sound track. */
  sound: Float32Array[] | null
}

/** A keyframe in mid-clip shows as a pulse, so clips of up to ten seconds have none but the first and those at cuts. */
const keyframeEveryFrames = 250
const soundBitsPerSecond = 160_000

export async function createVideoFile(options: VideoFileOptions) {
  const output = new FormatContext()
  check(output.allocOutputContext2(null, 'mp4', options.path), 'choose the container')
  const video = await openVideo(options)
  const videoStream = addStream(output, video)
  const sound = options.sound ? await openSound() : null
  const soundStream = sound ? addStream(output, sound) : null
  check(await output.openOutput(), 'create the file')
  check(await output.writeHeader(Dictionary.fromObject({ movflags: '+faststart+write_colr' })), 'write the header')

  const packet = new Packet()
  packet.alloc()
  // Two frames take turns: one is being encoded while the other is filled.
  const frames = [videoFrame(options), videoFrame(options)] as const
  let framesWritten = 0
  let samplesWritten = 0
  let encoding: Promise<void> = Promise.resolve()
  let closed = false
  /** The last frame as it is in the file: NV12, tightly packed. */
  let last: { pts: bigint; pixels: Uint8Array } | null = null

  async function encode(codec: CodecContext, stream: typeof videoStream, frame: Frame | null): Promise<void> {
    check(await codec.sendFrame(frame), 'encode')
    for (;;) {
      const code = codec.receivePacketSync(packet)
      if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return
      check(code, 'encode')
      // Frames between two others are encoded after both, so the last one is not always the last to arrive.
      if (codec === video && !frame && packet.pts > (last?.pts ?? -1n)) {
        last = { pts: packet.pts, pixels: encodedFrame(video) }
      }
      packet.streamIndex = stream.index
      if (codec === video) packet.duration = 1n
      packet.rescaleTs(codec.timeBase, stream.timeBase)
      check(await output.interleavedWriteFrame(packet), 'write to the file')
    }
  }

  async function encodeSoundUpTo(second: number): Promise<void> {
    if (!sound || !soundStream || !options.sound) return
    const end = Math.min(options.sound[0]!.length, Math.round(second * samplesPerSecond))
    while (samplesWritten < end) {
      const count = Math.min(sound.frameSize, options.sound[0]!.length - samplesWritten)
      const frame = soundFrame(options.sound, samplesWritten, count)
      await encode(sound, soundStream, frame)
      frame.free()
      samplesWritten += count
    }
  }

  /** Gives up the file. Safe to call at any time, also after `finish`. */
  async function close(): Promise<void> {
    if (closed) return
    closed = true
    await encoding.catch(() => {})
    await output.closeOutput()
    output.freeContext()
    video.freeContext()
    sound?.freeContext()
    packet.free()
    for (const { frame } of frames) frame.free()
  }

  return {
    close,
    /** Takes a copy of the picture; encoding goes on while the next one is drawn. */
    async write(kernel: Kernel, picture: Picture): Promise<void> {
      const { frame, planes } = frames[framesWritten % 2]!
      if (!frame.isWritable) throw new Error('the encoder still holds a frame that it was done with')
      copyPicture(kernel, picture, frame, planes)
      frame.pts = BigInt(framesWritten)
      framesWritten++
      const second = framesWritten / framesPerSecond
      await encoding
      encoding = encode(video, videoStream, frame).then(() => encodeSoundUpTo(second))
      // Awaited at the next call; a failure in between must not count as unhandled.
      encoding.catch(() => {})
    },
    async finish(): Promise<void> {
      await encoding
      await encode(video, videoStream, null)
      if (sound && soundStream) {
        await encodeSoundUpTo(Number.POSITIVE_INFINITY)
        await encode(sound, soundStream, null)
      }
      check(await output.writeTrailer(), 'finish the file')
      await close()
    },
    /** After `finish`: the last frame as viewers see it. An extension that began with what was drawn would add fine grain. */
    showLast(kernel: Kernel, picture: Picture): void {
      const { pixels } = last!
      const luma = options.width * options.height
      // x264 keeps both chroma planes in one, sample by sample.
      const chroma = (of: 0 | 1) => Uint8Array.from({ length: luma / 4 }, (_, i) => pixels[luma + 2 * i + of]!)
      fillPlane(kernel, picture.y, pixels.subarray(0, luma))
      fillPlane(kernel, picture.u, chroma(0))
      fillPlane(kernel, picture.v, chroma(1))
    },
  }
}

async function openVideo(options: VideoFileOptions): Promise<CodecContext> {
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBX264)
  if (!codec) throw new Error('this FFmpeg has no x264')
  const context = new CodecContext()
  context.allocContext3(codec)
  context.width = options.width
  context.height = options.height
  context.pixelFormat = AV_PIX_FMT_YUV420P
  context.timeBase = new Rational(1, framesPerSecond)
  context.framerate = new Rational(framesPerSecond, 1)
  context.sampleAspectRatio = new Rational(1, 1)
  context.gopSize = keyframeEveryFrames
  context.profile = AV_PROFILE_H264_HIGH
  context.colorRange = AVCOL_RANGE_MPEG
  context.colorPrimaries = AVCOL_PRI_BT709
  context.colorTrc = AVCOL_TRC_BT709
  context.colorSpace = AVCOL_SPC_BT709
  context.chromaLocation = AVCHROMA_LOC_LEFT
  context.threadCount = options.threads
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER, AV_CODEC_FLAG_RECON_FRAME)
  // Without cpu-independent, small frames came out in different bytes from run to run on a machine with AVX-512.
  // This crf keeps 90 % of the fine detail that is drawn in mid-move on 14 of 15 photographs; the other one shows clouds,
  // with grain of about one level (bench/pictures.ts --only=detail).
  // In smooth pictures x264 skips motion of less than a quarter of a pixel, and its B-frames become copies of a neighbour:
  // clouds stood still for three frames and then jumped. Preventing both costs about a tenth more bytes.
  // The zones are frames that are given pictures: x264 gives them little where their neighbours share little with them, as
  // in rain or a dissolve. SSIM to the first on the worst of the bench's photographs, a handheld forest: 0.968 at twice
  // the bits, 0.972 at this.
  const zones = [0, ...(options.givenFrame === undefined ? [] : [options.givenFrame])].map((i) => `${i},${i},b=4.5`)
  const params = `cpu-independent=1:deblock=-1,-1:no-fast-pskip=1:bframes=1:zones=${zones.join('/')}`
  const settings = { preset: 'veryfast', crf: '17.5', 'x264-params': params }
  check(await context.open2(codec, Dictionary.fromObject(settings)), 'open the video encoder')
  return context
}

async function openSound(): Promise<CodecContext> {
  const codec = Codec.findEncoderByName(FF_ENCODER_AAC)
  if (!codec) throw new Error('this FFmpeg has no AAC')
  const context = new CodecContext()
  context.allocContext3(codec)
  context.sampleRate = samplesPerSecond
  context.sampleFormat = AV_SAMPLE_FMT_FLTP
  context.channelLayout = AV_CHANNEL_LAYOUT_STEREO
  context.bitRate = BigInt(soundBitsPerSecond)
  context.timeBase = new Rational(1, samplesPerSecond)
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER)
  check(await context.open2(codec, null), 'open the sound encoder')
  return context
}

function addStream(output: FormatContext, context: CodecContext) {
  const stream = output.newStream()
  check(stream.codecpar.fromContext(context), 'describe the stream')
  stream.timeBase = context.timeBase
  if (context.framerate.num > 0) stream.avgFrameRate = context.framerate
  return stream
}

/** A frame and its memory; asking the frame for the latter is costly, so it is done once. */
function videoFrame(size: { width: number; height: number }): { frame: Frame; planes: Buffer[] } {
  const frame = new Frame()
  frame.alloc()
  frame.format = AV_PIX_FMT_YUV420P
  frame.width = size.width
  frame.height = size.height
  frame.colorRange = AVCOL_RANGE_MPEG
  frame.colorPrimaries = AVCOL_PRI_BT709
  frame.colorTrc = AVCOL_TRC_BT709
  frame.colorSpace = AVCOL_SPC_BT709
  check(frame.getBuffer(), 'allocate a frame')
  if (!frame.data) throw new Error('the frame has no memory')
  return { frame, planes: frame.data }
}

/** What a decoder will make of the packet that was received last. */
function encodedFrame(video: CodecContext): Uint8Array {
  const frame = new Frame()
  frame.alloc()
  check(video.receiveFrameSync(frame), 'take the encoded frame')
  if (frame.format !== AV_PIX_FMT_NV12) throw new Error(`the encoded frame has pixel format ${frame.format}`)
  const packed = frame.toBuffer()
  frame.free()
  return packed
}

/** A frame with its own copy of the samples: one made from a buffer would point into memory that may be collected. */
function soundFrame(channels: Float32Array[], start: number, count: number): Frame {
  const frame = new Frame()
  frame.alloc()
  frame.format = AV_SAMPLE_FMT_FLTP
  frame.sampleRate = samplesPerSecond
  frame.channelLayout = AV_CHANNEL_LAYOUT_STEREO
  frame.nbSamples = count
  frame.timeBase = new Rational(1, samplesPerSecond)
  frame.pts = BigInt(start)
  check(frame.getBuffer(), 'allocate a frame of sound')
  const planes = frame.extendedData
  for (const [i, channel] of channels.entries()) {
    const samples = channel.subarray(start, start + count)
    planes![i]!.set(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
  }
  return frame
}

function copyPicture(kernel: Kernel, picture: Picture, frame: Frame, planes: Buffer[]): void {
  const strides = frame.linesize
  for (const [i, plane] of [picture.y, picture.u, picture.v].entries()) {
    const target = planes[i]!
    const stride = strides[i]!
    const source = kernel.bytes(plane.at, plane.stride * plane.height)
    if (stride === plane.stride) target.set(source)
    else {
      for (let row = 0; row < plane.height; row++) {
        target.set(source.subarray(row * plane.stride, row * plane.stride + plane.width), row * stride)
      }
    }
  }
}

function check(code: number, doing: string): void {
  FFmpegError.throwIfError(code, doing)
}
