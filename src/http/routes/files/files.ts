// GET and HEAD /files/<token>/<name>: videos, thumbnails and uploads, by an unguessable token and without a key.
import { pipeline } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { apiError } from '../../../contract/errors.ts'
import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import { sha256Hex } from '../../../platform/ids.ts'
import { type FileRow, findFile } from '../../../storage/files.ts'
import type { Storage } from '../../../storage/storage.ts'
import { answered, type Route, route } from '../../route.ts'
import { whenClosed } from '../../server/responses/open-responses.ts'

export interface FileDeps {
  db: Db
  storage: Storage
  clock: Clock
}

/** A cache may keep a file for a day at most, and never beyond the file's expiry. */
const cacheSecondsMax = 86_400

export function fileRoutes(deps: FileDeps): Route[] {
  return (['GET', 'HEAD'] as const).flatMap((method) =>
    (['/files/:token', '/files/:token/:name'] as const).map((path) =>
      route({
        endpoint: `${method} ${path}`,
        operationId: `${method === 'GET' ? 'read' : 'head'}${path.endsWith('/:name') ? 'NamedFile' : 'File'}`,
        summary: 'Read a file',
        description: 'Byte ranges and conditional requests work. The URL stops working when the file expires.',
        tag: 'Files',
        access: 'open',
        contentType: 'application/octet-stream',
        codes: [416],
        async handler({ params, request, reply }) {
          const file = await findFile(deps.db, params.token!, deps.clock.now())
          if (!file || file.purpose === 'input') throw apiError('no_file')
          await sendFile(deps, file, request, reply)
          return answered
        },
      }),
    ),
  )
}

export async function sendFile(
  deps: FileDeps,
  file: FileRow,
  request: FastifyRequest,
  reply: FastifyReply,
  /** For files whose address can be revoked: caches must revalidate before each use. */
  { revalidate = false } = {},
): Promise<void> {
  // Hashed, because a client that reads the file through another URL must not learn its token.
  const etag = `"${sha256Hex(file.token).slice(0, 16)}"`
  const lastModified = new Date(file.created_at).toUTCString()
  const leftS = Math.max(0, Math.floor((file.expires_at - deps.clock.now()) / 1000))
  reply.headers({
    'content-type': file.mime,
    'content-disposition': disposition(file.name, 'download' in (request.query as object)),
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': revalidate
      ? 'private, no-cache'
      : `private, max-age=${Math.min(leftS, cacheSecondsMax)}, immutable`,
    // The file's own expiry; caches follow the shorter time above.
    ...(revalidate ? {} : { expires: new Date(file.expires_at).toUTCString() }),
    'accept-ranges': 'bytes',
    'last-modified': lastModified,
    etag,
  })
  if (unchanged(request, etag, file.created_at)) {
    reply.code(304).send()
    return
  }
  const condition = request.headers['if-range']
  // A file never changes, so its date is as good as its tag.
  const same = condition === undefined || condition === etag || condition === lastModified
  // Ranges apply to GET only: HEAD describes the whole file.
  const range = same && request.method === 'GET' ? readRange(request.headers.range, file.bytes) : 'whole'
  if (range === 'unsatisfiable') {
    reply.code(416).header('content-range', `bytes */${file.bytes}`).removeHeader('content-type').send()
    return
  }
  const { start, end } = range === 'whole' ? { start: 0, end: file.bytes - 1 } : range
  if (range !== 'whole') reply.code(206).header('content-range', `bytes ${start}-${end}/${file.bytes}`)
  reply.header('content-length', end - start + 1)
  if (request.method === 'HEAD') {
    reply.send()
    return
  }
  const bytes = await deps.storage.read(file.storage_key, { start, end }).catch((error) => {
    // The file was deleted after its row was read.
    if (error.code === 'ENOENT') throw apiError('no_file')
    throw error
  })
  reply.hijack()
  // The client may have disconnected while the file was opened: a pipeline into a closed response never closes its source.
  whenClosed(reply.raw, () => bytes.destroy())
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>)
  // If the client disconnects or the bytes end early, only the connection can end: the length has been sent.
  pipeline(bytes, reply.raw, () => {})
}

function unchanged(request: FastifyRequest, etag: string, modifiedMs: number): boolean {
  const match = request.headers['if-none-match']
  if (match !== undefined) {
    return match
      .split(',')
      .map((tag) => tag.trim().replace(/^W\//, ''))
      .some((tag) => tag === etag || tag === '*')
  }
  const since = Date.parse(request.headers['if-modified-since'] ?? '')
  return !Number.isNaN(since) && Math.floor(modifiedMs / 1000) * 1000 <= since
}

function disposition(name: string, download: boolean): string {
  const plain = name.replace(/[^\w. -]/g, '_')
  // RFC 5987 allows fewer characters than a URL.
  const encoded = encodeURIComponent(name).replace(
    /['()*!]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${download ? 'attachment' : 'inline'}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

type RangeResult = { start: number; end: number } | 'whole' | 'unsatisfiable'

/** One range is honoured; several, other units and nonsense mean the whole file, as HTTP allows. */
function readRange(header: string | undefined, size: number): RangeResult {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return 'whole'
  const [first, last] = [match[1]!, match[2]!]
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return 'whole'
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}
