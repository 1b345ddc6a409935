// URLs of this service's own files. They are read from the storage and never over HTTP: the service may not be allowed to
// reach its own address.
import { invalidField } from '../../../contract/errors.ts'
import { type FileRow, findFile, tokenOfUrl } from '../../../storage/files.ts'
import type { FileDeps } from './files.ts'

export interface OwnFileDeps extends FileDeps {
  publicUrl(): string
}

/** The file that the URL names; null where it is not a URL of this service. `field` is blamed for a file that is not there. */
export async function ownFileAt(deps: OwnFileDeps, url: string, field: string): Promise<FileRow | null> {
  const token = tokenOfUrl(deps.publicUrl(), url)
  if (token === null) return null
  const file = await findFile(deps.db, token, deps.clock.now())
  if (!file) throw invalidField(field, 'the file is not there, or has expired')
  return file
}
