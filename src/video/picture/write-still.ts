// Writes one drawn frame as a JPEG file: thumbnails and last frames.
import sharp from 'sharp'
import type { Kernel } from '../kernel/kernel.ts'
import type { Picture } from './picture-planes.ts'
import { readScaled } from './source-picture.ts'
import { yuvToRgb } from './yuv.ts'

export const thumbnailLongSide = 640

export async function writeStill(
  kernel: Kernel,
  frame: Picture,
  path: string,
  { longSideMax, quality }: { longSideMax: number; quality: number },
): Promise<void> {
  const scale = Math.min(1, longSideMax / Math.max(frame.width, frame.height))
  const width = Math.round(frame.width * scale)
  const height = Math.round(frame.height * scale)
  const y = await readScaled(kernel, frame.y, { width, height })
  const u = await readScaled(kernel, frame.u, { width, height })
  const v = await readScaled(kernel, frame.v, { width, height })
  await sharp(yuvToRgb(y, u, v, width, height), { raw: { width, height, channels: 3 } })
    // Fitting the code tables to the picture would save a twentieth of the bytes at more than twice the time.
    .jpeg({ quality, chromaSubsampling: '4:4:4', optimiseCoding: false })
    .toFile(path)
}
