// GET /, the files of the console's page, and the icon of pages that name none: built beforehand, read once, served from
// memory under a strict policy. The page reads its data from the public API like any other client.
import { fileURLToPath } from 'node:url'
import { apiError } from '../../../contract/errors.ts'
import { type Route, route } from '../../route.ts'
import { readAssets, sendAsset } from '../../server/responses/asset.ts'

const dist = fileURLToPath(new URL('../../../../console/dist/', import.meta.url))

/** Scripts and styles come only from this origin, pictures and videos also from the page's own memory. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

export function consoleRoutes(): Route[] {
  const files = readAssets(dist)
  const index = files.get('index.html')
  const icon = [...files.keys()].find((path) => /\/icon-[^/]+\.svg$/.test(path))
  return [
    route({
      // Browsers request it for every page without an icon of its own, such as a 404 or a file.
      endpoint: 'GET /favicon.ico',
      access: 'open',
      async handler({ request, reply }) {
        if (!icon) throw apiError('console_not_built')
        reply.header('cache-control', 'public, max-age=86400')
        return sendAsset(files.get(icon)!, request, reply)
      },
    }),
    route({
      endpoint: 'GET /',
      access: 'open',
      async handler({ request, reply }) {
        if (!index) throw apiError('console_not_built')
        reply.header('cache-control', 'no-cache').header('content-security-policy', policy)
        return sendAsset(index, request, reply)
      },
    }),
    route({
      endpoint: 'GET /console/assets/:name',
      access: 'open',
      async handler({ params, request, reply }) {
        const file = files.get(`console/assets/${params.name}`)
        if (!file) throw apiError('no_file')
        // Names carry a hash of the content, so a name never changes its meaning.
        reply.header('cache-control', 'public, max-age=31536000, immutable')
        return sendAsset(file, request, reply)
      },
    }),
  ]
}
