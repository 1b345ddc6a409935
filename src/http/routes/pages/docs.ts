// GET /openapi.json, and the documentation at /docs. Its pages are built beforehand (docs/site) and read once; only the
// models are filled in here, because an installation may have models and prices of its own.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import packageJson from '../../../../package.json' with { type: 'json' }
import { apiError } from '../../../contract/errors.ts'
import type { ModelInfo } from '../../../contract/models.ts'
import { buildOpenApi } from '../../openapi/openapi.ts'
import { answered, type Route, type RouteCall, route } from '../../route.ts'
import { type Asset, readAssets, sendAsset } from '../../server/responses/asset.ts'
import { json } from '../../server/responses/envelope.ts'
import { modelsHtml } from './models-page.ts'

interface DocsDeps {
  publicUrl(): string
  models: ModelInfo[]
  /** Every route of the service, these included. */
  routes(): Route[]
}

/** `docs.html` is /docs, `docs/api.html` is /docs/api. */
const dist = fileURLToPath(new URL('../../../../docs/site/dist/', import.meta.url))
const samples = new URL('../../../../docs/samples/', import.meta.url)

const access = 'open'

/** Nothing from other origins, and no inline scripts. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const pageHeaders = { 'content-security-policy': pagePolicy, 'cache-control': 'no-cache' }

type Params = RouteCall['params']

const pictureTypes: Record<string, string> = { webp: 'image/webp', jpg: 'image/jpeg', png: 'image/png' }

export function docsRoutes(deps: DocsDeps): Route[] {
  const site = readAssets(dist)
  const modelsPage = site.get('docs/models.html')
  if (modelsPage) {
    const models = modelsHtml(deps.models)
    modelsPage.plain = Buffer.from(modelsPage.plain.toString().replace('<!-- models -->', () => models))
  }
  const openApiAt = createOpenApiAt(deps.routes)

  const serve = (endpoint: `GET /${string}`, headers: Record<string, string>, fileOf: (params: Params) => string) =>
    route({
      endpoint,
      access,
      async handler({ params, request, reply }) {
        const asset = site.get(fileOf(params))
        if (!asset) throw apiError('no_path')
        return sendAsset(asset, request, reply.headers(headers))
      },
    })
  return [
    route({
      endpoint: 'GET /openapi.json',
      operationId: 'getOpenApi',
      summary: 'The OpenAPI description of this service',
      description: 'OpenAPI 3.1, made from the routes that this service serves.',
      tag: 'Documentation',
      access,
      answer: z.looseObject({ openapi: z.string().meta({ examples: ['3.1.1'] }) }),
      bare: true,
      handler: async ({ request, reply }) => sendAsset(openApiAt(deps.publicUrl()), request, reply),
    }),
    serve('GET /docs', pageHeaders, () => 'docs.html'),
    serve('GET /docs/search.json', { 'cache-control': 'no-cache' }, () => 'docs/search.json'),
    route({
      endpoint: 'GET /docs/samples/:file',
      access,
      async handler({ params, reply }) {
        const type = pictureTypes[/^[\w-]+\.(\w+)$/.exec(params.file!)?.[1] ?? '']
        // Only a name of this form can be part of a URL.
        const file = type && new URL(params.file!, samples)
        if (!file || !existsSync(file)) throw apiError('no_path')
        reply.headers({ 'content-type': type, 'cache-control': 'public, max-age=3600' }).send(readFileSync(file))
        return answered
      },
    }),
    // The version changes with the contents.
    serve(
      'GET /docs/assets/:version/:file',
      { 'cache-control': 'public, max-age=31536000, immutable' },
      ({ version, file }) => `docs/assets/${version}/${file}`,
    ),
    serve('GET /docs/:slug', pageHeaders, ({ slug }) => `docs/${slug}.html`),
  ]
}

/** Behind a proxy, clients name the address of the service: the document is kept for the first few only. */
const addressesMax = 8

function createOpenApiAt(routes: () => Route[]): (url: string) => Asset {
  let text: string | undefined
  const kept = new Map<string, Asset>()
  return (url) => {
    const known = kept.get(url)
    if (known) return known
    text ??= JSON.stringify(buildOpenApi(routes(), packageJson.version))
    const servers = JSON.stringify([{ url }])
    const made: Asset = { type: json, plain: Buffer.from(`${text.slice(0, -1)},"servers":${servers}}`) }
    if (kept.size >= addressesMax) return { ...made, gzipped: null }
    kept.set(url, made)
    return made
  }
}
