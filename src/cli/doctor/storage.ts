// The doctor's check of S3: that the bucket exists and accepts the credentials. Files in the data folder are checked with it.
import type { Config } from '../../config.ts'
import { OperatorError } from '../../platform/errors.ts'
import { openStorage } from '../../storage/open-storage.ts'
import { type Check, fine, problem } from './checks.ts'

export async function checkStorage(config: Config): Promise<Check[]> {
  if (config.storageUrl === null) return []
  const advice = 'check DAILIES_STORAGE_URL and the credentials, and that the bucket exists'
  try {
    const storage = await openStorage(config)
    await storage.check().finally(() => storage.close?.())
    return [fine('storage', `the bucket ${new URL(config.storageUrl).hostname} responds`)]
  } catch (error) {
    if (error instanceof OperatorError) return [problem('storage', error.message, advice)]
    const { name, $metadata } = error as { name: string; $metadata?: { httpStatusCode?: number } }
    const why = $metadata?.httpStatusCode
      ? `it responded with ${$metadata.httpStatusCode}`
      : `it does not respond (${name})`
    return [problem('storage', `the bucket of DAILIES_STORAGE_URL cannot be used: ${why}`, advice)]
  }
}
