// The process that looks at clients' images: decodes one at a time, scores it, answers. Meant to be killed at will:
// it keeps no state, and native code that falls over an image takes only this process with it.

import sharp from 'sharp'
import type { ImageScores } from './nsfw-model.ts'
import { inputSide, loadNsfwModel } from './nsfw-model.ts'

export interface ChildRequest {
  id: number
  path: string
}
export type ChildAnswer =
  | { id: number; scores: ImageScores }
  | { id: number; code: 'unreadable' | 'model_failed'; error: string }

/** The same bound as everywhere that images are decoded: the library's own default lets 256-megapixel bombs through. */
const pixelsMax = 50e6

// Only the two formats that the service accepts: without this an SVG named .png would be rendered.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile'] })
sharp.cache(false)
sharp.concurrency(1)

const loading = loadNsfwModel()
// A failed load is reported to whoever waits for an answer, below.
loading.catch(() => undefined)

async function readPixels(path: string): Promise<Uint8Array> {
  return await sharp(path, { limitInputPixels: pixelsMax })
    .autoOrient()
    .resize(inputSide, inputSide, { fit: 'fill' })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer()
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

async function answerTo({ id, path }: ChildRequest): Promise<ChildAnswer> {
  let pixels: Uint8Array
  try {
    pixels = await readPixels(path)
  } catch (error) {
    return { id, code: 'unreadable', error: messageOf(error) }
  }
  try {
    return { id, scores: await (await loading).score(pixels) }
  } catch (error) {
    return { id, code: 'model_failed', error: messageOf(error) }
  }
}

process.on('message', async (request: ChildRequest) => process.send?.(await answerTo(request)))
// The service is gone: nobody will ask again.
process.on('disconnect', () => process.exit(0))
