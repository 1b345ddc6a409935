// The doctor's check of S3: that the bucket exists and accepts the credentials. Files in the data folder are checked with it.
import { tmpdir } from 'node:os'
import type { Config } from '../../config.ts'
import { OperatorError } from '../../platform/errors.ts'
import { parseS3Url } from '../../storage/s3-url.ts'
import { type Check, fine, problem } from './checks.ts'

export async function checkStorage(config: Config): Promise<Check[]> {
  if (config.storageUrl === null) return []
  const advice = 'check DAILIES_STORAGE_URL and the credentials, and that the bucket exists'
  try {
    const location = parseS3Url(config.storageUrl, process.env.AWS_REGION)
    const { createS3Storage } = await import('../../storage/s3.ts')
    const storage = createS3Storage({ location, cacheDir: tmpdir() })
    await storage.check().finally(() => storage.close?.())
    return [fine('storage', `the bucket ${location.bucket} responds`)]
  } catch (error) {
    if (error instanceof OperatorError) return [problem('storage', error.message, advice)]
    const { name, $metadata } = error as { name: string; $metadata?: { httpStatusCode?: number } }
    const why = $metadata?.httpStatusCode
      ? `it responded with ${$metadata.httpStatusCode}`
      : `it does not respond (${name})`
    return [problem('storage', `the bucket of DAILIES_STORAGE_URL cannot be used: ${why}`, advice)]
  }
}
