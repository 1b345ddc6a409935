// Looks at an uploaded file: any image, video or audio that a task could use, judged by its bytes. Sizes, lengths
// and ratios are judged when a task uses it, because they depend on the field.
import { stat } from 'node:fs/promises'
import type { AvInspector } from './inspect-av.ts'
import { inspectImage } from './inspect-image.ts'
import { MaterialFailure } from './material-failure.ts'
import { sniffFile } from './sniff.ts'

const videoFormats = new Set(['mp4', 'mov', 'webm', 'mkv'])
/** As large as any upload; what a field takes is judged when a task uses it. */
const imageBytesMax = 100 * 2 ** 20

export interface InspectedUpload {
  mime: string
  bytes: number
}

export async function inspectUpload(av: AvInspector, path: string): Promise<InspectedUpload> {
  const { format, name } = await sniffFile(path)
  if (format === 'jpeg' || format === 'png' || format === 'apng') return inspectImage(path, { bytesMax: imageBytesMax })
  if (format === 'unknown') {
    throw new MaterialFailure(
      'image_format',
      `The file is ${name}; images (JPEG, PNG), videos (MP4, MOV, WebM, MKV) and audio (WAV, MP3, Ogg, FLAC, AAC, M4A) are taken.`,
    )
  }
  const { mime } = videoFormats.has(format) ? await av.inspectVideo(path) : await av.inspectAudio(path)
  return { mime, bytes: (await stat(path)).size }
}
