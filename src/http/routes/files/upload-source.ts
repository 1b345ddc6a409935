// The three ways in which an upload's bytes reach a local file: multipart, base64 in JSON, and a URL to fetch.
import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import type { Principal } from '../../../accounts/authenticate.ts'
import { invalid } from '../../../contract/errors.ts'
import { fileNameCharactersMax, type UploadBody } from '../../../contract/files.ts'
import { mebibytes, uploadBase64BytesMax, uploadBytesMax } from '../../../contract/limits.ts'
import { FetchFailure } from '../../../outbound/fetch-failure.ts'
import type { FetchLanes } from '../../../outbound/fetch-lanes.ts'
import type { GuardedFetch } from '../../../outbound/guarded-fetch.ts'
import { textOrNull } from '../../../schema/wire-types.ts'

const mebibyte = mebibytes(1)
/** Base64 is a third longer than what it holds. */
export const uploadBodyBytesMax = mebibytes(14)

export interface Received {
  /** As the client called it, cleaned. */
  name: string | null
}

export interface SourceDeps {
  fetch: GuardedFetch
  lanes: FetchLanes
}

/** Writes what the request brings to `path`. What is wrong with it is an ApiError. */
export async function receiveUpload(
  deps: SourceDeps,
  caller: Principal,
  { request, body }: { request: FastifyRequest; body: UploadBody },
  path: string,
): Promise<Received> {
  if (request.isMultipart()) return receiveMultipart(request, path)
  const { base64Data, fileUrl, fileName } = body
  const name = cleanName(fileName ?? '')
  const url = textOrNull(fileUrl)
  if (url === null) await writeBase64(base64Data!, path)
  else await fetchUrl(deps, caller, url, path)
  return { name: name ?? (url === null ? null : cleanName(decodeName(new URL(url).pathname))) }
}

async function receiveMultipart(request: FastifyRequest, path: string): Promise<Received> {
  const limits = { fileSize: uploadBytesMax, files: 1, fields: 10, fieldSize: 1024 }
  const file = await request.file({ throwFileSizeLimit: false, limits }).catch(refuseForm)
  if (file?.fieldname !== 'file') {
    file?.file.resume()
    throw invalid(['file: is required as a part of the multipart form'])
  }
  await pipeline(file.file, createWriteStream(path)).catch(refuseForm)
  if (file.file.truncated) throw invalid([`file: must be at most ${uploadBytesMax / mebibyte} MB`])
  return { name: cleanName(file.filename ?? '') }
}

/** A form that breaks off, or is none, is the client's mistake; what our own disk says is not. */
function refuseForm(error: NodeJS.ErrnoException): never {
  if (error.syscall !== undefined) throw error
  throw invalid(['body: is not a multipart form that can be read'])
}

export async function writeBase64(text: string, path: string): Promise<void> {
  const bare = text.replace(/^data:[\w.+/-]*(;[\w=.-]+)*;base64,/, '').replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(bare)) throw invalid(['base64Data: must be base64'])
  const bytes = Buffer.from(bare, 'base64')
  if (bytes.length > uploadBase64BytesMax)
    throw invalid([`base64Data: must hold at most ${uploadBase64BytesMax / mebibyte} MB`])
  await writeFile(path, bytes)
}

async function fetchUrl(deps: SourceDeps, caller: Principal, url: string, path: string): Promise<void> {
  const use = { account: caller.accountId, key: caller.keyId, host: new URL(url).host, task: url }
  try {
    await deps.lanes.run(use, () => deps.fetch.download(url, { toPath: path, bytesMax: uploadBytesMax }))
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    throw invalid([`fileUrl: could not be fetched: ${error.message}`])
  }
}

function decodeName(pathname: string): string {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return pathname
  }
}

/** The last part of a path, without control characters and what file systems dislike; null when nothing is left. */
function cleanName(name: string): string | null {
  const last = name.split(/[/\\]/).at(-1)!
  const clean = last
    .toWellFormed()
    .replace(/[\p{Cc}<>:"|?*]/gu, '')
    .trim()
    .slice(0, fileNameCharactersMax)
  return clean === '' || /^\.+$/.test(clean) ? null : clean
}
