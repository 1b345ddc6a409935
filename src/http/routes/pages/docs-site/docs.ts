// GET /openapi.json, and the documentation at /docs: guides from the project's Markdown, a reference from the OpenAPI
// document, the models, search. Everything is rendered once, on the first request.
import { existsSync, readFileSync } from 'node:fs'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import packageJson from '../../../../../package.json' with { type: 'json' }
import { apiError } from '../../../../contract/errors.ts'
import type { ModelInfo } from '../../../../contract/models.ts'
import { buildOpenApi } from '../../../openapi/openapi.ts'
import { sendAsset } from '../../../responses/asset.ts'
import { sendJson } from '../../../responses/envelope.ts'
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
  const openApiText = once(() => JSON.stringify(openApi()))
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
      answer: z.looseObject({ openapi: z.string() }),
      bare: true,
      async handler({ reply }) {
        // The address of the service differs from request to request behind a proxy; the rest is made once.
        const servers = JSON.stringify([{ url: deps.publicUrl() }])
        return sendJson(reply, `${openApiText().slice(0, -1)},"servers":${servers}}`)
      },
    }),
    page('/docs', async ({ reply }) => sendPage(oneLevelUp(site().pages.get('quickstart')!), reply)),
    page('/docs/search.json', async ({ reply }) => {
      reply.header('cache-control', 'no-cache')
      return sendJson(reply, site().search)
    }),
    page('/docs/samples/:file', async ({ params, reply }) => {
      const type = pictureTypes[/^[\w-]+\.(\w+)$/.exec(params.file!)?.[1] ?? '']
      const file = new URL(params.file!, samplesFolder)
      if (!type || !existsSync(file)) throw apiError('no_path')
      reply.headers({ 'content-type': type, 'cache-control': 'public, max-age=3600' }).send(readFileSync(file))
      return answered
    }),
    page('/docs/assets/:version/:file', async ({ params, request, reply }) => {
      const asset = params.version === assets().version ? assets().get(params.file!) : undefined
      if (!asset) throw apiError('no_path')
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      return sendAsset(asset, request, reply)
    }),
    page('/docs/:slug', async ({ params, reply }) => {
      const html = site().pages.get(params.slug!)
      if (html === undefined) throw apiError('no_path')
      return sendPage(html, reply)
    }),
  ]
}

function sendPage(html: string, reply: FastifyReply): typeof answered {
  reply.header('content-security-policy', pagePolicy).header('cache-control', 'no-cache')
  reply.header('content-type', 'text/html; charset=utf-8').send(html)
  return answered
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
  return {
    pages: new Map(shown.map((one) => [one.slug, pageHtml(one, titles, version)])),
    search: JSON.stringify(entries),
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
