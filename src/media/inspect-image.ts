// Looks at one image file: JPEG or PNG by its bytes, within its limits, and readable to its last line.
// Which limits a field has is not decided here.
import { stat } from 'node:fs/promises'
import sharp from 'sharp'
import { allowOnlyJpegAndPng } from './image-loaders.ts'
import { MaterialFailure } from './material-failure.ts'
import { sniffFile } from './sniff.ts'

export interface ImageLimits {
  bytesMax: number
  /** Width divided by height; both bounds are allowed. */
  ratio?: { min: number; max: number } | undefined
}

export interface InspectedImage {
  mime: 'image/jpeg' | 'image/png'
  /** As a viewer shows it, after any EXIF rotation. */
  width: number
  height: number
  bytes: number
}

export const PIXELS_MAX = 50_000_000
/** The slowest image of the largest size took about a second. */
const DECODE_SECONDS_MAX = 20

export async function inspectImage(path: string, limits: ImageLimits): Promise<InspectedImage> {
  const { size: bytes } = await stat(path)
  if (bytes > limits.bytesMax) throw tooLarge('image', bytes, limits.bytesMax)
  const { format, name } = await sniffFile(path)
  if (format !== 'jpeg' && format !== 'png') {
    throw new MaterialFailure('image_format', `The file is ${name}; it must be a still JPEG or PNG image.`)
  }
  allowOnlyJpegAndPng()
  const { stored, shown } = await readSize(path)
  refuseSize(shown, limits.ratio)
  await decodeWhole(path, stored)
  return { mime: format === 'jpeg' ? 'image/jpeg' : 'image/png', ...shown, bytes }
}

export function tooLarge(what: string, bytes: number, bytesMax: number): MaterialFailure {
  return new MaterialFailure(
    'image_too_large',
    `The ${what} has ${megabytes(bytes)} MB; at most ${megabytes(bytesMax)} MB are taken.`,
  )
}

/** Two decimals, rounded up, so that one byte too many does not read like the limit itself. */
export function megabytes(bytes: number): string {
  return String(Math.ceil((bytes / 2 ** 20) * 100) / 100)
}

interface Size {
  width: number
  height: number
}

/** Reads the header alone, so the size of a decompression bomb can be told without opening it. */
async function readSize(path: string): Promise<{ stored: Size; shown: Size }> {
  try {
    const metadata = await sharp(path, { limitInputPixels: false }).metadata()
    return { stored: { width: metadata.width, height: metadata.height }, shown: metadata.autoOrient }
  } catch (cause) {
    throw unreadable(cause)
  }
}

function refuseSize({ width, height }: Size, ratio: ImageLimits['ratio']): void {
  if (width * height > PIXELS_MAX) {
    const found = Math.ceil((width * height) / 1e5) / 10
    throw new MaterialFailure(
      'unsupported_dimensions',
      `The image is ${width}×${height} (${found} megapixels); at most ${PIXELS_MAX / 1e6} megapixels are taken.`,
    )
  }
  if (ratio === undefined) return
  // Multiplied out: 2 / 5 and 5 / 2 then meet their bounds exactly.
  if (width >= ratio.min * height && width <= ratio.max * height) return
  throw new MaterialFailure(
    'unsupported_dimensions',
    `The image is ${width}×${height} (ratio ${ratioText(width / height, ratio)}); ` +
      `the ratio must be between ${ratio.min} and ${ratio.max}.`,
  )
}

/** As many decimals as it takes to look different from the bound that was passed. */
function ratioText(found: number, { min, max }: { min: number; max: number }): string {
  const decimals = [2, 3, 4, 5].find((digits) => ![min, max].includes(Number(found.toFixed(digits)))) ?? 6
  return found.toFixed(decimals)
}

/**
 * Asks for the last pixel as stored. The decoders work from top to bottom, so all lines above are decoded on the
 * way, one strip at a time, and a file that ends early fails.
 */
async function decodeWhole(path: string, { width, height }: Size): Promise<void> {
  try {
    await sharp(path, { limitInputPixels: PIXELS_MAX, failOn: 'error', sequentialRead: true })
      .extract({ left: width - 1, top: height - 1, width: 1, height: 1 })
      .timeout({ seconds: DECODE_SECONDS_MAX })
      .raw()
      .toBuffer()
  } catch (cause) {
    throw unreadable(cause)
  }
}

function unreadable(cause: unknown): MaterialFailure {
  return new MaterialFailure(
    'image_format',
    'The image is damaged or incomplete; it must be a whole JPEG or PNG image.',
    { cause },
  )
}
