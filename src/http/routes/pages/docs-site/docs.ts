// GET /openapi.json, and the documentation at /docs: guides from the project's Markdown, a reference from the OpenAPI
// document, the models, search. Everything is rendered once, on the first request, and compressed when it is first sent.
import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import packageJson from '../../../../../package.json' with { type: 'json' }
import { apiError } from '../../../../contract/errors.ts'
import type { ModelInfo } from '../../../../contract/models.ts'
import { buildOpenApi } from '../../../openapi/openapi.ts'
import { type Asset, createAsset, sendAsset } from '../../../responses/asset.ts'
import { json } from '../../../responses/envelope.ts'
import { answered, type Route, type RouteCall, route } from '../../../route.ts'
import { type DocsAssets, loadDocsAssets } from './assets.ts'
import { pageHtml } from './layout.ts'
import { modelsHtml } from './models.ts'
import { readPages, samplesFolder } from './pages.ts'
import { referenceHtml } from './reference.ts'

interface DocsDeps {
  publicUrl(): string
  models(): ModelInfo[]
  /** Every route of the service, these included. */
  routes(): Route[]
}

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

const pictureTypes: Record<string, string> = { webp: 'image/webp', jpg: 'image/jpeg', png: 'image/png' }

export function docsRoutes(deps: DocsDeps): Route[] {
  const { version } = packageJson
  const openApi = once(() => buildOpenApi(deps.routes(), version))
  const openApiAt = createOpenApiAt(once(() => JSON.stringify(openApi())))
  const assets = once<DocsAssets>(loadDocsAssets)
  const site = once(() => renderSite(deps, openApi(), assets().version))

  const page = (path: `/${string}`, handler: (call: RouteCall) => Promise<typeof answered>) =>
    route({ endpoint: `GET ${path}`, access, handler })
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
    page('/docs', async (call) => sendPage(site().start(), call)),
    page('/docs/search.json', async ({ request, reply }) => {
      reply.header('cache-control', 'no-cache')
      return sendAsset(site().search(), request, reply)
    }),
    page('/docs/samples/:file', async ({ params, reply }) => {
      const type = pictureTypes[/^[\w-]+\.(\w+)$/.exec(params.file!)?.[1] ?? '']
      // Only a name of this form can be part of a URL.
      const file = type && new URL(params.file!, samplesFolder)
      if (!file || !existsSync(file)) throw apiError('no_path')
      reply.headers({ 'content-type': type, 'cache-control': 'public, max-age=3600' }).send(readFileSync(file))
      return answered
    }),
    page('/docs/assets/:version/:file', async ({ params, request, reply }) => {
      const asset = params.version === assets().version ? assets().get(params.file!) : undefined
      if (!asset) throw apiError('no_path')
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      return sendAsset(asset, request, reply)
    }),
    page('/docs/:slug', async (call) => {
      const found = site().pages.get(call.params.slug!)
      if (found === undefined) throw apiError('no_path')
      return sendPage(found(), call)
    }),
  ]
}

/** Behind a proxy, clients name the address of the service: the document is kept for the first few only. */
const addressesMax = 8

function createOpenApiAt(text: () => string): (url: string) => Asset {
  const kept = new Map<string, Asset>()
  return (url) => {
    const known = kept.get(url)
    if (known) return known
    const servers = JSON.stringify([{ url }])
    const plain = Buffer.from(`${text().slice(0, -1)},"servers":${servers}}`)
    if (kept.size >= addressesMax) return { type: json, plain, gzipped: null }
    const made = createAsset(plain, json)
    kept.set(url, made)
    return made
  }
}

function sendPage(page: Asset, { request, reply }: Pick<RouteCall, 'request' | 'reply'>): typeof answered {
  reply.header('content-security-policy', pagePolicy).header('cache-control', 'no-cache')
  return sendAsset(page, request, reply)
}

/** The same page at `/docs` itself, where relative addresses begin one level higher. */
function oneLevelUp(html: string): string {
  return html.replace(/ (href|src)="(?!#|https?:)(\.\.\/)?/g, (_all, name, up) => ` ${name}="${up ? './' : 'docs/'}`)
}

function renderSite(deps: DocsDeps, document: object, version: string) {
  const guides = readPages()
  const reference = referenceHtml(document)
  const shown = [
    ...guides,
    { slug: 'reference', title: 'API reference', html: reference.html, headings: [] },
    { slug: 'models', title: 'Models', html: modelsHtml(deps.models()), headings: [] },
  ]
  const titles = new Map(shown.map(({ slug, title }) => [slug, title]))
  const entries = [
    ...guides.flatMap(({ slug, title, parts }) => parts.map((part) => ({ slug, page: title, ...part }))),
    ...reference.entries.map(({ id, title, text }) => ({
      slug: 'reference',
      page: 'API reference',
      id,
      heading: title,
      text,
    })),
  ]
  const htmlOf = new Map(shown.map((one) => [one.slug, pageHtml(one, titles, version)]))
  const asPage = (html: string) => once(() => createAsset(Buffer.from(html), 'text/html; charset=utf-8'))
  return {
    start: asPage(oneLevelUp(htmlOf.get('quickstart')!)),
    pages: new Map([...htmlOf].map(([slug, html]) => [slug, asPage(html)])),
    search: once(() => createAsset(Buffer.from(JSON.stringify(entries)), json)),
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
