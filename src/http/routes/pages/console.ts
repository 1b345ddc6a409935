// GET /, the files of the console's page, and the icon of pages that name none: built beforehand, read once, served from
// memory under a strict policy. The page reads its data from the public API like any other client.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apiError } from '../../../contract/errors.ts'
import { type Asset, createAsset, sendAsset } from '../../responses/asset.ts'
import { type Route, route } from '../../route.ts'

const dist = fileURLToPath(new URL('../../../../console/dist/', import.meta.url))
const iconPath = fileURLToPath(new URL('look/icon.svg', import.meta.url))

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.jpg': 'image/jpeg',
}

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
  const index = existsSync(join(dist, 'index.html')) ? readAsset(join(dist, 'index.html')) : null
  const assets = new Map<string, Asset>()
  if (index) {
    const folder = join(dist, 'console', 'assets')
    for (const name of readdirSync(folder)) assets.set(name, readAsset(join(folder, name)))
  }
  const icon = readAsset(iconPath)
  return [
    route({
      // Browsers ask for it on every page that names no icon: one that was not found, or a file.
      endpoint: 'GET /favicon.ico',
      access: 'open',
      async handler({ request, reply }) {
        reply.header('cache-control', 'public, max-age=86400')
        return sendAsset(icon, request, reply)
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
        const file = assets.get(params.name!)
        if (!file) throw apiError('no_file')
        // Names carry a hash of the content, so a name never changes its meaning.
        reply.header('cache-control', 'public, max-age=31536000, immutable')
        return sendAsset(file, request, reply)
      },
    }),
  ]
}

function readAsset(path: string): Asset {
  return createAsset(readFileSync(path), types[extname(path)] ?? 'application/octet-stream')
}
