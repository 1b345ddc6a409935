// Looks at one image file: JPEG or PNG by its bytes, within its limits, and readable to its last line. Runs native code
// on untrusted bytes, so only the program of the inspecting process imports this file.
import { stat } from 'node:fs/promises'
import sharp from 'sharp'
import { pixelsMax } from '../../contract/limits.ts'
import { damagedImage, InputFailure, tooLarge } from '../input-failure.ts'
import type { ImageLimits, InspectedImage } from '../inspect-job.ts'
import { sniffFile } from '../sniff.ts'
import { FileCursor } from './file-cursor.ts'
import { excessInJpeg } from './jpeg-structure.ts'
import { structureOfPng } from './png-structure.ts'

const previewPx = 640

// Switches of the whole process: only the two formats that the service accepts. Otherwise an SVG named .png would open.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng'] })
// Each file is opened once, so a cache of opened files would only cost memory.
sharp.cache(false)
sharp.concurrency(1)

export async function inspectImage(path: string, limits: ImageLimits): Promise<InspectedImage> {
  const { size: bytes } = await stat(path)
  if (bytes > limits.bytesMax) throw tooLarge('image', bytes, limits.bytesMax)
  const { format, name } = await sniffFile(path)
  if (format !== 'jpeg' && format !== 'png') throw notStill(name)
  checkStructure(path, format)
  const { stored, shown } = await readSize(path)
  refuseSize(shown, limits.ratio)
  await decodeWhole(path, stored)
  return { mime: format === 'jpeg' ? 'image/jpeg' : 'image/png', ...shown, bytes }
}

/** A small copy of an image that was inspected. */
export async function writePreview(path: string, toPath: string): Promise<void> {
  await sharp(path, { limitInputPixels: pixelsMax, failOn: 'error', sequentialRead: true })
    .autoOrient()
    .resize({ width: previewPx, height: previewPx, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toFile(toPath)
}

function checkStructure(path: string, format: 'jpeg' | 'png'): void {
  using file = new FileCursor(path)
  const { isAnimated, excess } =
    format === 'png' ? structureOfPng(file) : { isAnimated: false, excess: excessInJpeg(file) }
  if (isAnimated) throw notStill('an animated PNG')
  if (excess !== null) {
    throw new InputFailure(
      'image_format',
      `The image has ${excess}, which is not supported; save it again as an ordinary JPEG or PNG image.`,
    )
  }
}

function notStill(found: string): InputFailure {
  return new InputFailure('image_format', `The file is ${found}; it must be a still JPEG or PNG image.`)
}

interface Size {
  width: number
  height: number
}

/** Reads the header alone, so that the size of a decompression bomb is known without opening it. */
async function readSize(path: string): Promise<{ stored: Size; shown: Size }> {
  try {
    const metadata = await sharp(path, { limitInputPixels: false }).metadata()
    return { stored: { width: metadata.width, height: metadata.height }, shown: metadata.autoOrient }
  } catch (cause) {
    throw damagedImage(cause)
  }
}

function refuseSize({ width, height }: Size, ratio: ImageLimits['ratio']): void {
  if (width * height > pixelsMax) {
    const found = Math.ceil((width * height) / 1e5) / 10
    throw new InputFailure(
      'unsupported_dimensions',
      `The image is ${width}×${height} (${found} megapixels); at most ${pixelsMax / 1e6} megapixels are accepted.`,
    )
  }
  if (ratio === undefined) return
  // Multiplied out, so that 2 / 5 and 5 / 2 meet their bounds exactly.
  if (width >= ratio.min * height && width <= ratio.max * height) return
  throw new InputFailure(
    'unsupported_dimensions',
    `The image is ${width}×${height} (ratio ${ratioText(width / height, ratio)}); ` +
      `the ratio must be between ${ratio.min} and ${ratio.max}.`,
  )
}

/** As many decimals as it takes to look different from the bound that was exceeded. */
function ratioText(found: number, { min, max }: { min: number; max: number }): string {
  const decimals = [2, 3, 4, 5].find((digits) => ![min, max].includes(Number(found.toFixed(digits)))) ?? 6
  return found.toFixed(decimals)
}

/**
 * Reads the last pixel as stored. The decoders work from top to bottom, so all lines above are decoded on the way, one
 * strip at a time, and a file that ends early fails. Flaws that only make a decoder warn are accepted, as browsers do;
 * code that opens the image later has to accept them too.
 */
async function decodeWhole(path: string, { width, height }: Size): Promise<void> {
  try {
    await sharp(path, { limitInputPixels: pixelsMax, failOn: 'error', sequentialRead: true })
      .extract({ left: width - 1, top: height - 1, width: 1, height: 1 })
      .raw()
      .toBuffer()
  } catch (cause) {
    throw damagedImage(cause)
  }
}
