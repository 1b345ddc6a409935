// Opens the configured storage: a bucket, or else a folder in the data folder.
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createFolderStorage } from './folder.ts'
import { parseS3Url } from './s3-url.ts'
import type { Storage } from './storage.ts'

export async function openStorage(
  config: { storageUrl: string | null; dataDir: string },
  /** Where files of a bucket are kept while they are used. */
  cacheDir = join(tmpdir(), 'dailies-cache'),
): Promise<Storage> {
  if (config.storageUrl === null) return createFolderStorage(join(resolve(config.dataDir), 'files'))
  // Imported only here: the library takes a second to load, and most installations do not need it.
  const { createS3Storage } = await import('./s3.ts')
  const location = parseS3Url(config.storageUrl, process.env.AWS_REGION)
  return createS3Storage({ location, cacheDir })
}
