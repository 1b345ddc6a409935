// Storage as the services of this run have it, for suites that need nothing else of a service.
import { join } from 'node:path'
import { createFolderStorage } from '../../../src/storage/folder.ts'
import { createS3Storage } from '../../../src/storage/s3.ts'
import { parseS3Url } from '../../../src/storage/s3-url.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { keepsFilesInS3 } from './places.ts'
import { startS3 } from './s3.ts'

/** Inside the folder, or in a bucket with its local copies there. */
export async function openTestStorage(folder: string): Promise<Storage & { close(): Promise<void> }> {
  if (!keepsFilesInS3) return { ...createFolderStorage(join(folder, 'files')), close: async () => {} }
  const s3 = await startS3()
  const location = parseS3Url(s3.storageUrl(), undefined)
  const storage = createS3Storage({ location, cacheDir: join(folder, 'cache') })
  return {
    ...storage,
    async close() {
      await storage.close?.()
      await s3.stop()
    },
  }
}
