// The three ways in which an upload's bytes reach a local file: multipart, base64 in JSON, and a URL to fetch.

import { copyFile, open } from 'node:fs/promises'
import type { FastifyRequest } from 'fastify'
import type { Principal } from '../../../accounts/keys/authenticate.ts'
import { invalidField } from '../../../contract/errors.ts'
import type { UploadBody } from '../../../contract/files.ts'
import { mebibytes, uploadBase64BytesMax, uploadBytesMax } from '../../../contract/limits.ts'
import type { Slots } from '../../../limits/slots.ts'
import { FetchFailure } from '../../../outbound/fetch-failure.ts'
import type { GuardedFetch } from '../../../outbound/guarded-fetch.ts'
import { textOrNull } from '../../../schema/wire-types.ts'
import { type FileRow, findFile, tokenOfUrl } from '../../../storage/files.ts'
import { isForm } from '../../server/bodies/json-body.ts'
import type { FileDeps } from './files.ts'
import { cleanName, missingFile, receiveForm } from './form.ts'

const mebibyte = mebibytes(1)
/** Base64 is a third longer than what it holds. */
export const uploadBodyBytesMax = mebibytes(14)

export interface SourceDeps extends FileDeps {
  publicUrl(): string
  fetch: GuardedFetch
  fetchSlots: Slots
}

/** What is left of the account's quota, and the error for an upload that is larger. */
interface UploadRoom {
  bytes: number
  exceeded: Error
}

/** The field that holds the file, or its URL. */
export function uploadField(request: FastifyRequest, body: UploadBody): 'file' | 'base64Data' | 'fileUrl' {
  if (isForm(request)) return 'file'
  return body.fileUrl ? 'fileUrl' : 'base64Data'
}

/**
 * Writes the uploaded bytes to `path`, never more than there is room for, and returns the name of the file where it has
 * one. Throws an ApiError when they cannot be accepted.
 */
export async function receiveUpload(
  deps: SourceDeps,
  caller: Principal,
  { request, body }: { request: FastifyRequest; body: UploadBody },
  path: string,
  room: UploadRoom,
): Promise<string | null> {
  if (isForm(request)) return receivePart(request, path, room)
  const { base64Data, fileUrl, fileName } = body
  const name = cleanName(fileName ?? '')
  const url = textOrNull(fileUrl)
  if (url === null) {
    await writeBase64(request, base64Data!, path, 'base64Data')
    return name
  }
  await fetchUrl(deps, caller, url, path, room)
  return name ?? cleanName(decodeName(new URL(url).pathname))
}

async function receivePart(request: FastifyRequest, path: string, room: UploadRoom): Promise<string | null> {
  const bytesMax = Math.min(uploadBytesMax, room.bytes)
  const { file, otherPart, fields } = await receiveForm(request, { part: 'file', path, bytesMax })
  if (!file) throw missingFile('file', otherPart)
  if (file.isTooLarge) throw tooLarge('file', room)
  return cleanName(fields.fileName ?? '') ?? file.name
}

const tooLarge = (field: string, room: UploadRoom) =>
  room.bytes < uploadBytesMax ? room.exceeded : invalidField(field, `must be at most ${uploadBytesMax / mebibyte} MB`)

/** Decoded in slices, between which other requests get their turn. */
const sliceCharacters = 2 ** 16
const dataUrlHeaderMax = 200

/** The scheme of a URL is the same in upper and lower case. */
export const isDataUrl = (text: string) => /^data:/i.test(text)

/** `field`: the name under which the client sent the text. */
export async function writeBase64(request: FastifyRequest, text: string, path: string, field: string): Promise<void> {
  let from = 0
  if (isDataUrl(text)) {
    const header = text.slice(0, dataUrlHeaderMax)
    const comma = header.indexOf(',')
    if (comma < 0 || !/;base64$/i.test(header.slice(0, comma))) throw invalidField(field, 'must be base64')
    from = comma + 1
  }
  const file = await open(path, 'w')
  try {
    let rest = ''
    let bytes = 0
    let paddings = 0
    for (; from < text.length; from += sliceCharacters) {
      const slice = text.slice(from, from + sliceCharacters).replace(/[ \t\r\n]+/g, '')
      const [, letters, padding] = /^([A-Za-z0-9+/_-]*)(=*)$/.exec(slice) ?? []
      // Only padding may follow padding, which may begin in one slice and end in the next.
      const isBase64 = letters !== undefined && (letters === '' || paddings === 0)
      paddings += padding?.length ?? 0
      if (!isBase64 || paddings > 2) throw invalidField(field, 'must be base64')
      const piece = rest + letters
      const isLast = from + sliceCharacters >= text.length
      // Four characters hold three bytes; the remainder belongs to the next piece.
      const whole = isLast ? piece.length : piece.length - (piece.length % 4)
      const decoded = Buffer.from(piece.slice(0, whole), 'base64')
      rest = piece.slice(whole)
      bytes += decoded.length
      if (bytes > uploadBase64BytesMax)
        throw invalidField(field, `must hold at most ${uploadBase64BytesMax / mebibyte} MB`)
      await file.writeFile(decoded)
      await request.nextTurn()
    }
  } finally {
    await file.close()
  }
}

async function fetchUrl(
  deps: SourceDeps,
  caller: Principal,
  url: string,
  path: string,
  room: UploadRoom,
): Promise<void> {
  const bytesMax = Math.min(uploadBytesMax, room.bytes)
  const own = await ownFileAt(deps, url, 'fileUrl')
  if (own) {
    if (own.bytes > bytesMax) throw tooLarge('fileUrl', room)
    return copyFile(await deps.storage.localPath(own.storage_key), path)
  }
  const use = { account: caller.accountId, key: caller.keyId, host: new URL(url).host, task: url }
  try {
    await deps.fetchSlots.run(use, () => deps.fetch.download(url, { toPath: path, bytesMax }))
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    if (error.kind === 'too_large' && room.bytes < uploadBytesMax) throw room.exceeded
    throw invalidField('fileUrl', `could not be fetched: ${error.message}`)
  }
}

function decodeName(pathname: string): string {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return pathname
  }
}

/**
 * The file that the URL names; null where it is not a URL of this service. It is read from the storage and never over HTTP:
 * the service may not be allowed to reach its own address. `field` is blamed for a file that is not there.
 */
export async function ownFileAt(deps: SourceDeps, url: string, field: string): Promise<FileRow | null> {
  const token = tokenOfUrl(deps.publicUrl(), url)
  if (token === null) return null
  const file = await findFile(deps.db, token, deps.clock.now())
  if (!file) throw invalidField(field, 'the file is not there, or has expired')
  return file
}
