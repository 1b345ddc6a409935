// GET /api/v1/files and DELETE /api/v1/files/:id: the uploads of an account.
import { recordAct } from '../../../audit/audit.ts'
import { apiError } from '../../../contract/errors.ts'
import { deletedFile, filePage, listFilesQuery } from '../../../contract/files.ts'
import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import { deleteUpload, fileUrl, listUploads } from '../../../storage/files.ts'
import { type Route, route } from '../../route.ts'
import { requestActor } from '../../server/guard.ts'

interface UploadsDeps {
  db: Db
  clock: Clock
  publicUrl(): string
}

const files = { tag: 'Files', access: 'main-key', scope: 'files:write' } as const

export function uploadsRoutes({ db, clock, publicUrl }: UploadsDeps): Route[] {
  return [
    route({
      endpoint: 'GET /api/v1/files',
      operationId: 'listFiles',
      summary: 'List uploaded files, newest first',
      description: 'Uploads of the account that have not expired. Not for sub-keys.',
      ...files,
      query: listFilesQuery,
      answer: filePage,
      async handler({ caller, query: { limit, cursor } }) {
        const [createdAt, token] = cursor?.split('.') ?? []
        const before = token === undefined ? null : { createdAt: Number(createdAt), token }
        const found = await listUploads(db, caller.accountId, { before, limit: limit + 1 }, clock.now())
        const rows = found.slice(0, limit)
        const last = rows.at(-1)
        return {
          items: rows.map((file) => ({
            id: file.token,
            fileName: file.name,
            mimeType: file.mime,
            fileSize: file.bytes,
            downloadUrl: fileUrl(publicUrl(), file),
            createdAt: file.created_at,
            expiresAt: file.expires_at,
          })),
          nextCursor: last && found.length > limit ? `${last.created_at}.${last.token}` : null,
        }
      },
    }),
    route({
      endpoint: 'DELETE /api/v1/files/:id',
      operationId: 'deleteFile',
      summary: 'Delete an uploaded file',
      description:
        'Its URL stops working at once. Tasks that have fetched the file already are not affected. Not for sub-keys.',
      ...files,
      sharesLoop: true,
      answer: deletedFile,
      async handler({ caller, params, request }) {
        const id = params.id!
        const deleted = await db.transaction(async (tx) => {
          const nowMs = clock.now()
          if (!(await deleteUpload(tx, caller.accountId, id, nowMs))) return false
          const act = { action: 'file.delete', target: id, before: { account: caller.accountName } } as const
          await recordAct(tx, requestActor(request), act, nowMs)
          return true
        })
        if (!deleted) throw apiError('no_file')
        return { id }
      },
    }),
  ]
}
