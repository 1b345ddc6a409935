// The paths under which other services with this API take uploads and report the balance, for clients written for them:
// the same handlers, with `"success": true` beside the envelope.
import { z } from 'zod'
import { creditsFor } from '../../../accounts/accounts.ts'
import { credit } from '../../../contract/accounts.ts'
import { base64UploadBody, uploadBody, uploadedFile } from '../../../contract/files.ts'
import { type Route, route } from '../../route.ts'
import { sendJson } from '../../server/responses/envelope.ts'
import { receiveAndStore, type UploadDeps, uploadRules } from './upload.ts'

const succeeded = (data: unknown) => JSON.stringify({ success: true, code: 200, msg: 'success', data })
const envelope = (data: z.ZodType) =>
  z.object({ success: z.literal(true), code: z.literal(200), msg: z.string().meta({ examples: ['success'] }), data })

const uploads = [
  {
    endpoint: 'POST /api/file-stream-upload',
    operationId: 'uploadFileStream',
    by: 'a multipart form',
    body: uploadBody,
  },
  { endpoint: 'POST /api/file-base64-upload', operationId: 'uploadFileBase64', by: 'base64', body: base64UploadBody },
  { endpoint: 'POST /api/file-url-upload', operationId: 'uploadFileUrl', by: 'its URL', body: uploadBody },
] as const

export function aliasRoutes(deps: UploadDeps): Route[] {
  return [...uploads.map((alias) => uploadAlias(deps, alias)), creditAlias(deps)]
}

function uploadAlias(deps: UploadDeps, { endpoint, operationId, by, body }: (typeof uploads)[number]): Route {
  return route({
    ...uploadRules,
    endpoint,
    operationId,
    body,
    summary: `Upload a file by ${by}`,
    description: 'An alias of `/api/v1/files/upload` for clients that were written for another service.',
    answer: envelope(uploadedFile),
    bare: true,
    handler: async (call) => sendJson(call.reply, succeeded(await receiveAndStore(deps, call))),
  })
}

function creditAlias({ db }: UploadDeps): Route {
  return route({
    endpoint: 'GET /api/v1/chat/credit',
    operationId: 'getChatCredit',
    summary: 'Read the balance in credits; of a sub-key, what it may still spend',
    description: 'An alias of `/api/v1/account/credit` for clients that were written for another service.',
    tag: 'Account',
    access: 'key',
    scope: 'any',
    answer: envelope(credit),
    bare: true,
    handler: async ({ caller, reply }) => sendJson(reply, succeeded(await creditsFor(db, caller))),
  })
}
