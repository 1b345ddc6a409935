// POST /api/v1/files/preview: a small copy of an image elsewhere, so that a page can show what a task would get without
// contacting another origin. The URL is in the body, because that of a private image is a secret and must not be logged.
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Principal } from '../../../accounts/keys/authenticate.ts'
import { invalidField } from '../../../contract/errors.ts'
import { previewBody } from '../../../contract/files.ts'
import { mebibytes } from '../../../contract/limits.ts'
import type { FreeWork } from '../../../limits/free-work.ts'
import { InputFailure } from '../../../media/input-failure.ts'
import type { MediaChildren } from '../../../media/media-children.ts'
import { FetchFailure } from '../../../outbound/fetch-failure.ts'
import { newToken } from '../../../platform/ids.ts'
import { answered, type Route, route } from '../../route.ts'
import type { SourceDeps } from './upload-source.ts'
import { ownFileAt } from './upload-source.ts'

export interface PreviewDeps extends SourceDeps, Pick<MediaChildren, 'writePreview'> {
  tempDir: string
  freeWork: FreeWork
}

/** As large as the largest frame that a model accepts. */
const imageBytesMax = mebibytes(50)

export function previewRoute(deps: PreviewDeps): Route {
  return route({
    endpoint: 'POST /api/v1/files/preview',
    operationId: 'previewImage',
    summary: 'Read a small copy of an image by its URL',
    description:
      'Fetches the image as a task would, and responds with a WebP image of at most 640 pixels per side. Nothing is ' +
      'stored. Free within the computing time of the key.',
    tag: 'Files',
    access: 'key',
    scope: 'tasks:write',
    createsWork: true,
    body: previewBody,
    contentType: 'image/webp',
    async handler({ caller, body, reply }) {
      const bytes = await makePreview(deps, caller, body.url)
      reply.type('image/webp').send(bytes)
      return answered
    },
  })
}

async function makePreview(deps: PreviewDeps, caller: Principal, url: string): Promise<Buffer> {
  const path = join(deps.tempDir, `preview-${newToken()}`)
  const toPath = `${path}.webp`
  const onBehalfOf = {
    caller: { account: caller.accountId, key: caller.keyId },
    used: (ms: number) => deps.freeWork.spend(caller, ms),
  }
  try {
    const source = await fetchImage(deps, onBehalfOf.caller, url, path)
    await deps.writePreview(source, toPath, { bytesMax: imageBytesMax }, onBehalfOf)
    return await readFile(toPath)
  } catch (error) {
    if (error instanceof FetchFailure) throw invalidField('url', `could not be fetched: ${sentenceOf(error)}`)
    if (error instanceof InputFailure) throw invalidField('url', error.message)
    throw error
  } finally {
    await Promise.all([path, toPath].map((file) => rm(file, { force: true })))
  }
}

/** A refused name gives the same error as one that does not exist, so that names of an internal network cannot be guessed. */
const sentenceOf = ({ kind, message }: FetchFailure) =>
  kind === 'dns' || kind === 'address' ? 'address not allowed, or no such host name' : message

/** The local path of the image: the fetched copy, or the stored file where the URL is one of this service. */
async function fetchImage(
  deps: PreviewDeps,
  caller: { account: string; key: string },
  url: string,
  toPath: string,
): Promise<string> {
  const own = await ownFileAt(deps, url, 'url')
  if (own) return deps.storage.localPath(own.storage_key)
  await deps.fetchSlots.run({ ...caller, host: new URL(url).host, task: 'preview' }, () =>
    deps.fetch.download(url, { toPath, bytesMax: imageBytesMax }),
  )
  return toPath
}
