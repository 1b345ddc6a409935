// Reads a request for a video in OpenAI's shape, multipart or JSON, and stores an image that it carries as an upload.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import type { Principal } from '../../../accounts/keys/authenticate.ts'
import { invalid } from '../../../contract/errors.ts'
import { mebibytes } from '../../../contract/limits.ts'
import { type CreateOpenAIVideo, createOpenaiVideoBody } from '../../../contract/openai-videos.ts'
import { newToken, sha256Hex } from '../../../platform/ids.ts'
import { parseWith } from '../../../schema/validation.ts'
import { isForm } from '../../bodies/json-body.ts'
import { canonicalJson } from '../../server/idempotency-key.ts'
import { type Form, receiveForm } from '../files/form.ts'
import { storeUpload, type UploadDeps } from '../files/upload.ts'
import { isDataUrl, writeBase64 } from '../files/upload-source.ts'

interface ReceivedVideo {
  video: CreateOpenAIVideo
  /** Stores the image, if the request carried one, and returns where the first frame lies. */
  imageUrl(): Promise<string | null>
  /** The same for equal requests. */
  hash: string
}

const imageBytesMax = mebibytes(30)
const imageField = 'input_reference'

/** Passes the request to `use`; an image that was not stored is deleted afterwards. */
export async function withReceivedVideo<T>(
  deps: UploadDeps,
  caller: Principal,
  request: FastifyRequest,
  use: (received: ReceivedVideo) => Promise<T>,
): Promise<T> {
  const path = join(deps.tempDir, `upload-${newToken()}`)
  try {
    const { fields, file } = isForm(request)
      ? await readForm(request, path)
      : { fields: request.body ?? {}, file: null }
    const parsed = parseWith(createOpenaiVideoBody, fields, '')
    if (!parsed.ok) throw invalid(parsed.problems)
    const reference = parsed.value.input_reference
    const url = (typeof reference === 'object' ? reference?.image_url : reference) || null
    const isInline = file === null && url !== null && isDataUrl(url)
    if (isInline) await writeBase64(request, url, path, imageField)
    const image = file ?? (isInline ? { name: '' } : null)
    // An image counts by its bytes: the text of a large one would take too long to hash in one go.
    const others = isInline ? { ...fields, [imageField]: null } : fields
    const hash = sha256Hex(canonicalJson(others) + (image === null ? '' : await hashOf(path)))
    const imageUrl = async () =>
      image
        ? (await storeUpload(deps, caller, { path, name: image.name || 'image', field: imageField })).downloadUrl
        : url
    return await use({ video: parsed.value, hash, imageUrl })
  } finally {
    await rm(path, { force: true })
  }
}

async function readForm(request: FastifyRequest, path: string): Promise<Form> {
  const form = await receiveForm(request, { part: imageField, path, bytesMax: imageBytesMax })
  if (form.file?.isTooLarge) throw invalid([`${imageField}: must be at most ${imageBytesMax / mebibytes(1)} MB`])
  return form
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
