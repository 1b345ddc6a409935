// Shuts every image loader of this process but JPEG's and PNG's, and keeps libvips from hoarding memory.
// These are switches of the whole process: nothing else in it may rely on another loader. Writing is not affected.
import sharp from 'sharp'

/** Mirrors the switch inside libvips, which can be set but not read. */
let shut = false

/**
 * Does its work once: while the loaders are being switched, even a JPEG does not open, so doing it again would
 * break images that other threads are opening at that moment. Best called at the start.
 */
export function allowOnlyJpegAndPng(): void {
  if (shut) return
  shut = true
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng'] })
  // Each file is opened once, so a cache of opened files would only cost memory.
  sharp.cache(false)
}
