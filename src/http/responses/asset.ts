// Files of pages, kept in memory plain and compressed.
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answered } from '../route.ts'

export interface Asset {
  type: string
  plain: Buffer
  /** Null where compressing it would cost more than it saves. */
  gzipped: Buffer | null
}

export const createAsset = (plain: Buffer, type: string): Asset => ({
  type,
  plain,
  gzipped: gzipSync(plain, { level: 9 }),
})

export function sendAsset(asset: Asset, request: FastifyRequest, reply: FastifyReply): typeof answered {
  const gzipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '') ? asset.gzipped : null
  if (gzipped) reply.header('content-encoding', 'gzip')
  reply
    .header('vary', 'accept-encoding')
    .header('content-type', asset.type)
    .send(gzipped ?? asset.plain)
  return answered
}
