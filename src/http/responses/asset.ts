// Files of pages, kept in memory plain and compressed.
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answered } from '../route.ts'

export interface Asset {
  type: string
  plain: Buffer
  gzipped: Buffer
}

export const createAsset = (plain: Buffer, type: string): Asset => ({
  type,
  plain,
  gzipped: gzipSync(plain, { level: 9 }),
})

export function sendAsset(asset: Asset, request: FastifyRequest, reply: FastifyReply): typeof answered {
  const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  if (takesGzip) reply.header('content-encoding', 'gzip')
  reply
    .header('vary', 'accept-encoding')
    .header('content-type', asset.type)
    .send(takesGzip ? asset.gzipped : asset.plain)
  return answered
}
