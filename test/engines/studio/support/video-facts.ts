// Reads a finished video back, independently of the code that wrote it.

import { readFile } from 'node:fs/promises'
import { AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants'
import { avGetCodecName, avGetPixFmtName, FormatContext, Packet } from 'node-av/lib'
import { readVideo, type VideoImage } from '../../../../src/video/av/media-reader.ts'

export async function streamsOf(path: string) {
  await using format = new FormatContext()
  format.allocContext()
  if ((await format.openInput(path, null, null)) < 0) throw new Error('the video cannot be opened')
  await format.findStreamInfo(null)
  const packets = new Map<number, number>()
  using packet = new Packet()
  packet.alloc()
  while ((await format.readFrame(packet)) >= 0) {
    packets.set(packet.streamIndex, (packets.get(packet.streamIndex) ?? 0) + 1)
    packet.unref()
  }
  return format.streams.map(({ index, codecpar, duration, timeBase, avgFrameRate }) => ({
    kind:
      codecpar.codecType === AVMEDIA_TYPE_VIDEO ? 'video' : codecpar.codecType === AVMEDIA_TYPE_AUDIO ? 'audio' : '?',
    codec: avGetCodecName(codecpar.codecId),
    profile: codecpar.profile,
    pixelFormat: codecpar.codecType === AVMEDIA_TYPE_VIDEO ? avGetPixFmtName(codecpar.format as never) : null,
    width: codecpar.width,
    height: codecpar.height,
    colour: [codecpar.colorRange, codecpar.colorPrimaries, codecpar.colorTrc, codecpar.colorSpace].map(Number),
    sampleRate: codecpar.sampleRate,
    channels: codecpar.channels,
    seconds: (Number(duration) * timeBase.num) / timeBase.den,
    rate: avgFrameRate.num / avgFrameRate.den,
    packets: packets.get(index) ?? 0,
  }))
}

/** Names of the file's top-level boxes in order. */
export async function boxesOf(path: string): Promise<string[]> {
  const bytes = await readFile(path)
  const names: string[] = []
  for (let at = 0; at + 8 <= bytes.length; ) {
    names.push(bytes.toString('latin1', at + 4, at + 8))
    const size = bytes.readUInt32BE(at)
    at += size === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : size
  }
  return names
}

/** All pictures of a video at its own size. */
export async function picturesOf(path: string): Promise<VideoImage[]> {
  const pictures: VideoImage[] = []
  for await (const picture of readVideo(path, 0, (own) => own)) {
    pictures.push({ ...picture, y: picture.y.slice(), u: picture.u.slice(), v: picture.v.slice() })
  }
  return pictures
}
