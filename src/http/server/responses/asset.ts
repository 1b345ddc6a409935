// Files of pages, kept in memory plain and, once a client has asked for it, compressed.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answered } from '../../route.ts'
import { json } from './envelope.ts'

export interface Asset {
  type: string
  plain: Buffer
  /** Null where compressing it would cost more than it saves. */
  gzipped?: Buffer | null
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': json,
  '.svg': 'image/svg+xml',
  '.jpg': 'image/jpeg',
}

/** The files of a build, by their paths in its folder. None where it was not built. */
export function readAssets(folder: string): Map<string, Asset> {
  if (!existsSync(folder)) return new Map()
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [relative(folder, path), { type: types[extname(name)]!, plain: readFileSync(path) }]
    }),
  )
}

export function sendAsset(asset: Asset, request: FastifyRequest, reply: FastifyReply): typeof answered {
  const accepts = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  if (accepts && asset.gzipped === undefined) asset.gzipped = gzipSync(asset.plain, { level: 9 })
  const gzipped = accepts ? asset.gzipped : null
  if (gzipped) reply.header('content-encoding', 'gzip')
  reply
    .header('vary', 'accept-encoding')
    .header('content-type', asset.type)
    .send(gzipped ?? asset.plain)
  return answered
}
