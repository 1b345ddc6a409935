// Audio and video for tests, made with FFmpeg's own test sources. The file's name decides the container.
import { Decoder, Demuxer, Encoder, Muxer } from 'node-av/api'
import { AV_LOG_QUIET, type FFEncoderCodec } from 'node-av/constants'
import { Log } from 'node-av/lib'

const AUDIO_CODECS: Record<string, string> = {
  mp3: 'libmp3lame',
  m4a: 'aac',
  aac: 'aac',
  ogg: 'libopus',
  flac: 'flac',
  wav: 'pcm_s16le',
  webm: 'libopus',
  mkv: 'flac',
  mp4: 'aac',
}

const extensionOf = (path: string) => path.split('.').at(-1) ?? ''

/** Lengths that are no multiple of the codec's frame lose the rest: MP3 24 ms, FLAC 96 ms. */
export async function makeAudio(path: string, seconds: number): Promise<string> {
  const source = `sine=frequency=440:sample_rate=48000:samples_per_frame=9600:duration=${seconds}`
  await make(path, source, AUDIO_CODECS[extensionOf(path)] ?? '')
  return path
}

export async function makeVideo(
  path: string,
  options: { seconds: number; width?: number; height?: number; pixelAspect?: number },
): Promise<string> {
  const { seconds, width = 64, height = 48, pixelAspect = 1 } = options
  const isPng = extensionOf(path) === 'apng'
  const form = `format=${isPng ? 'rgb24' : 'yuv420p'},setsar=${pixelAspect}`
  const source = `testsrc=size=${width}x${height}:rate=10:duration=${seconds},${form}`
  const codecs: Record<string, string> = { webm: 'libvpx', apng: 'apng' }
  await make(path, source, codecs[extensionOf(path)] ?? 'libx264')
  return path
}

async function make(path: string, source: string, codec: string): Promise<void> {
  Log.setLevel(AV_LOG_QUIET)
  await using input = await Demuxer.open(source, { format: 'lavfi' })
  const stream = input.video() ?? input.audio()!
  using decoder = await Decoder.create(stream)
  using encoder = await Encoder.create(codec as FFEncoderCodec, { decoder, autoResample: true })
  await using output = await Muxer.open(path)
  const index = output.addStream(encoder)
  for await (const packet of encoder.packets(decoder.frames(input.packets(stream.index)))) {
    await output.writePacket(packet, index)
    packet?.free()
  }
}

/** Turns an MP4's picture by 90 degrees the way phones do it: by the matrix in its track header. */
export function turnMp4(bytes: Buffer): Buffer {
  const turned = Buffer.from(bytes)
  const MATRIX_AFTER_TYPE = 44
  const at = turned.indexOf('tkhd') + MATRIX_AFTER_TYPE
  ;[0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000].forEach((value, i) => {
    turned.writeInt32BE(value, at + i * 4)
  })
  return turned
}
