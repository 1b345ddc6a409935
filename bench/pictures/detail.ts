// What the encoder keeps of fine detail, and what that costs: frames in mid-move as they were drawn and as they are decoded,
// and the processor time of encoding the same frames beside x264's veryfast preset at crf 20. For bench/pictures.ts.

import { join } from 'node:path'
import { AV_PIX_FMT_YUV420P, FF_ENCODER_LIBX264 } from 'node-av/constants'
import { Codec, CodecContext, Dictionary, Frame, Packet, Rational } from 'node-av/lib'
import { gaussian } from '../../src/engines/studio/relief/depth-map.ts'
import { render } from '../../src/engines/studio/render.ts'
import type { RenderPlan } from '../../src/engines/studio/render-plan.ts'
import { createVideoFile } from '../../src/video/av/encoder.ts'
import { readVideo } from '../../src/video/av/media-reader.ts'
import { framesPerSecond } from '../../src/video/av/timing.ts'
import { fillPlane, readPlane } from '../../src/video/kernel/kernel.ts'
import { loadKernel } from '../../src/video/kernel/load-kernel.ts'
import type { Size } from '../../src/video/picture/output-size.ts'
import { allocatePicture } from '../../src/video/picture/picture-planes.ts'
import { cpuOf, median } from '../support.ts'

interface Planes {
  y: Uint8Array
  u: Uint8Array
  v: Uint8Array
}

export interface Detail {
  /** The share of the drawn fine detail that frames in mid-move keep, and the worst of them. */
  kept: number
  least: number
  /** How strong that detail is, in levels. */
  levels: number
  /** The processor time of encoding by that of the plain preset. */
  time: number
}

const threads = 2
const rounds = 3

export async function measureDetail(plan: RenderPlan): Promise<Detail> {
  const drawn: Planes[] = []
  const { videoPath, width, height } = await render(plan, {
    threads,
    depth: true,
    progress() {},
    onFrame(kernel, { y, u, v }) {
      drawn.push({ y: readPlane(kernel, y), u: readPlane(kernel, u), v: readPlane(kernel, v) })
    },
  })
  const size = { width, height }
  const [from, to] = [Math.floor(drawn.length * 0.4), Math.floor(drawn.length * 0.6)]
  const shares: number[] = []
  let [levels, i] = [0, 0]
  for await (const { y } of readVideo(videoPath, 0, (own) => own)) {
    if (i >= from && i < to) {
      const [fine, shown] = [fineDetail(drawn[i]!.y, size), fineDetail(y, size)]
      const energy = fine.reduce((sum, own) => sum + own * own, 0)
      shares.push(fine.reduce((sum, own, at) => sum + own * shown[at]!, 0) / energy)
      levels = Math.sqrt(energy / fine.length)
    }
    i++
  }
  const kept = shares.reduce((sum, share) => sum + share, 0) / shares.length
  return { kept, least: Math.min(...shares), levels, time: await timeBesidePlain(drawn, size, plan.workDir) }
}

/** What a slight blur would take away. */
function fineDetail(luma: Uint8Array, { width, height }: Size): Float32Array {
  const values = Float32Array.from(luma)
  return gaussian(values, width, height, 1.2).map((blurred, i) => values[i]! - blurred)
}

async function timeBesidePlain(frames: Planes[], size: Size, folder: string): Promise<number> {
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const own = await cpuOf(() => encodeAsStudio(frames, size, folder))
    ratios.push(own / (await cpuOf(() => encodePlain(frames, size))))
  }
  return median(ratios)
}

async function encodeAsStudio(frames: Planes[], size: Size, folder: string): Promise<void> {
  const kernel = await loadKernel()
  const picture = allocatePicture(kernel, size.width, size.height)
  const file = await createVideoFile({ path: join(folder, 'detail.mp4'), ...size, threads, sound: null })
  for (const frame of frames) {
    for (const name of ['y', 'u', 'v'] as const) fillPlane(kernel, picture[name], frame[name])
    await file.write(kernel, picture)
  }
  await file.finish()
}

/** Without a file, which costs next to nothing. */
async function encodePlain(frames: Planes[], { width, height }: Size): Promise<void> {
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBX264)!
  const context = new CodecContext()
  context.allocContext3(codec)
  Object.assign(context, { width, height, pixelFormat: AV_PIX_FMT_YUV420P, threadCount: threads })
  context.timeBase = new Rational(1, framesPerSecond)
  if ((await context.open2(codec, Dictionary.fromObject({ preset: 'veryfast', crf: '20' }))) < 0)
    throw new Error('x264')
  const frame = new Frame()
  frame.alloc()
  Object.assign(frame, { format: AV_PIX_FMT_YUV420P, width, height })
  frame.getBuffer()
  const packet = new Packet()
  packet.alloc()
  for (const [i, planes] of frames.entries()) {
    frame.makeWritable()
    for (const [at, name] of (['y', 'u', 'v'] as const).entries()) {
      const across = at === 0 ? width : width / 2
      const [to, stride, from] = [frame.data![at]!, frame.linesize[at]!, planes[name]]
      for (let row = 0; row * across < from.length; row++) {
        to.set(from.subarray(row * across, (row + 1) * across), row * stride)
      }
    }
    frame.pts = BigInt(i)
    await context.sendFrame(frame)
    while (context.receivePacketSync(packet) >= 0) packet.unref()
  }
  await context.sendFrame(null)
  while (context.receivePacketSync(packet) >= 0) packet.unref()
  for (const own of [frame, packet]) own.free()
  context.freeContext()
}
