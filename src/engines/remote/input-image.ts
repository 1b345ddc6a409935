// Input images in the form that every generator accepts: upright, three channels, the clip's own size.
import { readFile } from 'node:fs/promises'

/** A JPEG of exactly this size, its edges cut off evenly where the shapes differ. */
export async function inputImage(
  path: string,
  size: { width: number; height: number },
): Promise<Uint8Array<ArrayBuffer>> {
  // Loaded here, so that a service without remote generators has no image decoder in its own process.
  const { default: sharp } = await import('sharp')
  const jpeg = await sharp(await readFile(path))
    .rotate()
    .flatten({ background: '#000' })
    .toColourspace('srgb')
    .resize(size.width, size.height, { fit: 'cover' })
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer()
  return Uint8Array.from(jpeg)
}
