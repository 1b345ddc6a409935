// Shuts every image loader of this process but JPEG's and PNG's, and keeps libvips from hoarding memory.
// These are switches of the whole process: nothing else in it may rely on another loader. Writing is not affected.
import sharp from 'sharp'

export function allowOnlyJpegAndPng(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng'] })
  // Each file is opened once, so a cache of opened files would only cost memory.
  sharp.cache(false)
}
