// Reads a request for a video in OpenAI's shape, multipart or JSON, and stores an image that it carries as an upload.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Principal } from '../../../accounts/keys/authenticate.ts'
import { ApiError, apiError, invalidField } from '../../../contract/errors.ts'
import { mebibytes } from '../../../contract/limits.ts'
import { type CreateOpenAIVideo, createOpenaiVideoBody } from '../../../contract/openai-videos.ts'
import { newToken, sha256Hex } from '../../../platform/ids.ts'
import type { Problem } from '../../../schema/problem.ts'
import { unknownFields } from '../../../schema/unknown-fields.ts'
import { parseWith } from '../../../schema/validation.ts'
import { fileUrl, tokenOfUrl } from '../../../storage/files.ts'
import { requestOf, type TaskRow } from '../../../tasks/store/task-row.ts'
import { isForm } from '../../server/bodies/json-body.ts'
import { canonicalJson } from '../../server/creation.ts'
import { type Form, missingFile, receiveForm } from '../files/form.ts'
import { discardUpload, storeUpload, type UploadDeps, uploadRules } from '../files/upload.ts'
import { isDataUrl, writeBase64 } from '../files/upload-source.ts'
import { joinedReference } from './mapping.ts'

interface ReceivedVideo {
  /** Without the fields that have a problem, which is in `problems`. */
  video: Partial<CreateOpenAIVideo>
  problems: Problem[]
  ignoredFields: string[]
  /** The URL of the first frame; null where the request carries the image itself, or has none. */
  url: string | null
  /**
   * Stores the image that the request carries and passes its URL to `create`. It is deleted again when the task is
   * refused, or when the request repeats an earlier one, whose task has its own image. Null where the request carries
   * no image.
   */
  withImage: ((create: (imageUrl: string) => Promise<TaskRow>) => Promise<TaskRow>) | null
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
    const video = parsed.ok ? parsed.value : validFields(fields)
    const reference = video.input_reference
    const url = (typeof reference === 'object' ? reference?.image_url : reference) || null
    const isInline = file === null && url !== null && isDataUrl(url)
    if (isInline) await writeBase64(request, url, path, imageField)
    const image = file ?? (isInline ? { name: null } : null)
    if (image && !caller.scopes.has(uploadRules.scope)) throw apiError('scope_missing', { scope: uploadRules.scope })
    // An image counts by its bytes: the text of a large one would take too long to hash in one go.
    const others = isInline ? { ...fields, [imageField]: null } : fields
    const hash = sha256Hex(canonicalJson(others) + (image === null ? '' : await hashOf(path)))
    const withImage: ReceivedVideo['withImage'] = (create) =>
      withUpload(deps, caller, { path, name: image?.name ?? null, field: imageField }, create)
    return await use({
      video,
      hash,
      problems: parsed.ok ? [] : parsed.problems,
      ignoredFields: unknownFields(createOpenaiVideoBody, fields),
      url: image ? null : url,
      withImage: image && withImage,
    })
  } finally {
    await rm(path, { force: true })
  }
}

async function withUpload(
  deps: UploadDeps,
  caller: Principal,
  image: Parameters<typeof storeUpload>[2],
  create: (imageUrl: string) => Promise<TaskRow>,
): Promise<TaskRow> {
  const { feature } = uploadRules
  if (!deps.featureEnabled(feature)) throw apiError('feature_disabled', { feature })
  const stored = await storeUpload(deps, caller, image)
  let isUsed = true
  try {
    const task = await create(fileUrl(deps.publicUrl(), stored))
    isUsed = tokenOfUrl(deps.publicUrl(), requestOf(task).firstFrame.url) === stored.token
    return task
  } catch (error) {
    // After any other error, the task may exist.
    isUsed = !(error instanceof ApiError)
    throw error
  } finally {
    // If this fails, the image expires as every upload does.
    if (!isUsed) await discardUpload(deps, stored).catch(() => {})
  }
}

/** The fields that are valid, so that the task's problems with them can be reported together with the invalid fields. */
function validFields(fields: unknown): Partial<CreateOpenAIVideo> {
  const valid = Object.entries(createOpenaiVideoBody.shape).flatMap(([name, schema]) => {
    const parsed = parseWith(z.object({ [name]: schema }), fields, '')
    return parsed.ok ? Object.entries(parsed.value) : []
  })
  return Object.fromEntries(valid)
}

async function readForm(
  request: FastifyRequest,
  path: string,
): Promise<{ fields: Record<string, unknown>; file: Form['file'] }> {
  const form = await receiveForm(request, { part: imageField, path, bytesMax: imageBytesMax })
  if (!form.file && form.otherPart !== null) throw missingFile(imageField, form.otherPart)
  if (form.file?.isTooLarge) throw invalidField(imageField, `must be at most ${imageBytesMax / mebibytes(1)} MB`)
  return { ...form, fields: joinedReference(form.fields) }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
