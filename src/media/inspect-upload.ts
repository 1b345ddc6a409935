// Looks at an uploaded file: any image, video or audio that a task could use, judged by its bytes. Sizes, lengths
// and ratios are judged when a task uses it, because they depend on the field.
import { stat } from 'node:fs/promises'
import type { OnBehalfOf } from '../children/child-pool.ts'
import type { AvInspector } from './inspect-av.ts'
import type { MediaChildren } from './media-children.ts'
import { sniffFile } from './sniff.ts'

const wanted =
  'it must be an image (JPEG, PNG), a video (MP4, MOV, WebM, MKV) or audio (WAV, MP3, Ogg, FLAC, AAC, M4A, WebM, MKV)'
/** As large as any upload: what a field accepts is judged when a task uses it. */
const imageBytesMax = 100 * 2 ** 20

export interface InspectedUpload {
  mime: string
  bytes: number
}

export interface UploadInspector {
  inspectUpload(path: string, request: OnBehalfOf): Promise<InspectedUpload>
}

export function createUploadInspector({ av, children }: { av: AvInspector; children: MediaChildren }): UploadInspector {
  return {
    async inspectUpload(path, request) {
      const { format } = await sniffFile(path)
      if (format === 'jpeg' || format === 'png') {
        return children.inspectImage(path, { bytesMax: imageBytesMax }, request)
      }
      const { mime } = await av.inspectEither(path, wanted, request)
      return { mime, bytes: (await stat(path)).size }
    },
  }
}
