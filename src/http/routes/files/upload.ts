// POST /api/v1/files/upload
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Principal } from '../../../accounts/keys/authenticate.ts'
import { invalidField } from '../../../contract/errors.ts'
import { type UploadBody, type UploadedFile, uploadBody, uploadedFile } from '../../../contract/files.ts'
import type { FreeWork } from '../../../limits/free-work.ts'
import { slots } from '../../../limits/table.ts'
import { InputFailure } from '../../../media/input-failure.ts'
import type { InputInspector } from '../../../media/inspect-input.ts'
import { newToken } from '../../../platform/ids.ts'
import { deleteUpload, type FileRow, fileUrl, reserveFiles, setFileExpiry } from '../../../storage/files.ts'
import { uploadedBytes, uploadRoom } from '../../../storage/upload-quota.ts'
import { type Route, type RouteCall, route } from '../../route.ts'
import { receiveUpload, type SourceDeps, uploadBodyBytesMax, uploadField } from './upload-source.ts'

export interface UploadDeps extends SourceDeps, Pick<InputInspector, 'inspectUpload'> {
  tempDir: string
  uploadQuotaBytes: number
  featureEnabled(name: string): boolean
  freeWork: FreeWork
}

const uploadTtlMs = 3 * 86_400_000

const extensions: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv',
}

/** What all paths that take uploads have in common. */
export const uploadRules = {
  tag: 'Files',
  access: 'key',
  scope: 'files:write',
  createsWork: true,
  feature: 'uploads',
  body: uploadBody,
  filePart: 'file',
  bodyBytesMax: uploadBodyBytesMax,
} as const

export function uploadRoute(deps: UploadDeps): Route {
  return route({
    ...uploadRules,
    endpoint: 'POST /api/v1/files/upload',
    operationId: 'uploadFile',
    summary: 'Upload an image, video or audio file',
    description:
      'Multipart with a part `file` (at most 100 MB), or JSON with `base64Data` or `fileUrl`. Kept for 3 days.',
    answer: uploadedFile,
    handler: (call) => receiveAndStore(deps, call),
  })
}

export async function receiveAndStore(
  deps: UploadDeps,
  { caller, body, request }: Pick<RouteCall<unknown, UploadBody>, 'caller' | 'body' | 'request'>,
): Promise<UploadedFile> {
  const path = join(deps.tempDir, `upload-${newToken()}`)
  const used = await uploadedBytes(deps.db, caller.accountId, deps.clock.now())
  const roomBytes = deps.uploadQuotaBytes - used
  const field = uploadField(request, body)
  const exceeded = slots.uploadQuota.refuse(field, deps.uploadQuotaBytes, roomBytes)
  // Before anything is written: a full quota must not fill the disk with what is refused at the end.
  if (roomBytes <= 0) throw exceeded
  try {
    // Small files take a turn too: many of them cost as much as a few large ones.
    await request.nextTurn()
    const name = await receiveUpload(deps, caller, { request, body }, path, { bytes: roomBytes, exceeded })
    await request.nextTurn()
    return shownUpload(deps, await storeUpload(deps, caller, { path, name, field }))
  } finally {
    await rm(path, { force: true })
  }
}

/** Inspects the local file and stores it as an upload of the caller; `field` is blamed for a file that is not accepted. */
export async function storeUpload(
  deps: UploadDeps,
  caller: Principal,
  { path, name, field }: { path: string; name: string | null; field: string },
): Promise<FileRow> {
  try {
    const { mime, bytes } = await deps.inspectUpload(path, {
      caller: { account: caller.accountId, key: caller.keyId },
      used: (ms) => deps.freeWork.spend(caller, ms),
    })
    const shown = name ?? `upload.${extensions[mime] ?? 'bin'}`
    return await store(deps, caller.accountId, { path, mime, bytes, name: shown, field })
  } catch (error) {
    if (error instanceof InputFailure) throw invalidField(field, error.message)
    throw error
  }
}

async function store(
  deps: UploadDeps,
  accountId: string,
  upload: { path: string; mime: string; bytes: number; name: string; field: string },
): Promise<FileRow> {
  const nowMs = deps.clock.now()
  const expiresAt = nowMs + uploadTtlMs
  const { mime, bytes, name } = upload
  const row = await deps.db.transaction(async (tx) => {
    const room = await uploadRoom(tx, accountId, deps.uploadQuotaBytes, nowMs)
    if (bytes > room) throw slots.uploadQuota.refuse(upload.field, deps.uploadQuotaBytes, room)
    const file = {
      account_id: accountId,
      task_id: null,
      purpose: 'upload' as const,
      name,
      mime,
      bytes,
      expires_at: expiresAt,
    }
    return (await reserveFiles(tx, [file], nowMs))[0]!
  })
  try {
    await deps.storage.put(row.storage_key, upload.path)
  } catch (error) {
    // A file that was not stored must not count towards the quota.
    await deps.db.transaction((tx) => setFileExpiry(tx, [row.token], nowMs))
    throw error
  }
  return row
}

function shownUpload(deps: UploadDeps, row: FileRow): UploadedFile {
  const { name, mime, bytes, expires_at: expiresAt } = row
  return { fileName: name, mimeType: mime, fileSize: bytes, downloadUrl: fileUrl(deps.publicUrl(), row), expiresAt }
}

/** Deletes an upload that turned out not to be needed, with its bytes. */
export async function discardUpload(deps: UploadDeps, { token, account_id, storage_key }: FileRow): Promise<void> {
  await deps.db.transaction((tx) => deleteUpload(tx, account_id, token, deps.clock.now()))
  await deps.storage.delete(storage_key)
}
