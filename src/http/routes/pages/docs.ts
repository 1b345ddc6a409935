// GET /openapi.json, and the documentation page at /docs with its assets.
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { apiError } from '../../../contract/errors.ts'
import { buildOpenApi } from '../../openapi/openapi.ts'
import { answered, type Route, route } from '../../server/route.ts'
import { type DocsAssets, loadDocsAssets } from './docs-assets.ts'

export interface DocsDeps {
  publicUrl(): string
  /** Every route of the service, these included. */
  routes(): Route[]
}

const tag = 'Documentation'
const access = 'open'

/** Nothing from elsewhere, no script that is not a file of ours. Swagger UI's icons are data URLs. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function docsRoutes(deps: DocsDeps): Route[] {
  const openApi = once(() => {
    const { version } = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'))
    return JSON.stringify(buildOpenApi(deps.routes(), { publicUrl: deps.publicUrl(), version }))
  })
  const assets = once<DocsAssets>(loadDocsAssets)

  return [
    route({
      method: 'GET',
      path: '/openapi.json',
      docs: {
        operationId: 'getOpenApi',
        summary: 'The OpenAPI description of this service',
        description: 'OpenAPI 3.1, made from the routes that this service serves.',
        tag,
      },
      access,
      answer: z.looseObject({ openapi: z.string() }),
      bare: true,
      async handler({ reply }) {
        reply.header('content-type', 'application/json; charset=utf-8').send(openApi())
        return answered
      },
    }),
    route({
      method: 'GET',
      path: '/docs',
      access,
      async handler({ reply }) {
        reply.header('content-security-policy', pagePolicy).header('cache-control', 'no-cache')
        reply.header('content-type', 'text/html; charset=utf-8').send(assets().html)
        return answered
      },
    }),
    route({
      method: 'GET',
      path: '/docs/assets/:version/:file',
      access,
      async handler({ params, request, reply }) {
        const asset = params.version === assets().version ? assets().get(params.file!) : undefined
        if (!asset) throw apiError('no_path')
        const zipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
        if (zipped) reply.header('content-encoding', 'gzip')
        reply.headers({
          'content-type': asset.type,
          'cache-control': 'public, max-age=31536000, immutable',
          vary: 'accept-encoding',
        })
        reply.send(zipped ? asset.gzipped : asset.bytes)
        return answered
      },
    }),
  ]
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
