// Looks at an uploaded file: any image, video or audio that a task could use, judged by its bytes. Sizes, lengths
// and ratios are judged when a task uses it, because they depend on the field.
import { stat } from 'node:fs/promises'
import type { AvInspector } from './inspect-av.ts'
import { inspectImage } from './inspect-image.ts'
import { sniffFile } from './sniff.ts'

const wanted =
  'images (JPEG, PNG), videos (MP4, MOV, WebM, MKV) and audio (WAV, MP3, Ogg, FLAC, AAC, M4A, WebM, MKV) are taken'
/** As large as any upload; what a field takes is judged when a task uses it. */
const imageBytesMax = 100 * 2 ** 20

export interface InspectedUpload {
  mime: string
  bytes: number
}

export async function inspectUpload(av: AvInspector, path: string): Promise<InspectedUpload> {
  const { format } = await sniffFile(path)
  if (format === 'jpeg' || format === 'png' || format === 'apng') return inspectImage(path, { bytesMax: imageBytesMax })
  const { mime } = await av.inspectEither(path, wanted)
  return { mime, bytes: (await stat(path)).size }
}
