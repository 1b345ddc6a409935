// What the documentation page is made of: its HTML, and the few files of Swagger UI and of our own that it loads. All of
// it is served by us, under a path that changes with the contents, so that browsers may keep it for good.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

export interface DocsAsset {
  type: string
  bytes: Buffer
  gzipped: Buffer
}

export interface DocsAssets {
  /** Part of every asset's path. */
  version: string
  get(name: string): DocsAsset | undefined
  html: string
}

const script = 'text/javascript; charset=utf-8'
const style = 'text/css; charset=utf-8'

/** Reads about 2 MB, so it is done when the page is first asked for. */
export function loadDocsAssets(): DocsAssets {
  const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const own = new URL('./docs-page/', import.meta.url)
  const assets = new Map<string, DocsAsset>([
    ['swagger-ui.css', asset(readFileSync(join(swagger, 'swagger-ui.css')), style)],
    ['swagger-ui-bundle.js', asset(readFileSync(join(swagger, 'swagger-ui-bundle.js')), script)],
    ['favicon.png', asset(readFileSync(join(swagger, 'favicon-32x32.png')), 'image/png')],
    ['docs.css', asset(readFileSync(new URL('docs.css', own)), style)],
    ['docs.js', asset(readFileSync(new URL('docs.js', own)), script)],
  ])
  const contents = [...assets.values()].map(({ bytes }) => hash('sha256', bytes))
  const version = hash('sha256', contents.join()).slice(0, 16)
  return { version, get: (name) => assets.get(name), html: pageHtml(version) }
}

function asset(contents: Buffer, type: string): DocsAsset {
  // Source maps are not served, so nothing should ask for them.
  const bytes = type === 'image/png' ? contents : Buffer.from(String(contents).replace(sourceMapLine, ''))
  return { type, bytes, gzipped: gzipSync(bytes) }
}

const sourceMapLine = /(\/\/|\/\*)# sourceMappingURL=\S+?( ?\*\/)?\s*$/

/** Addresses are relative, so that the page also works behind a path prefix. */
function pageHtml(version: string): string {
  const at = `docs/assets/${version}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Dailies API</title>
<link rel="icon" type="image/png" href="${at}/favicon.png">
<link rel="stylesheet" href="${at}/swagger-ui.css">
<link rel="stylesheet" href="${at}/docs.css">
</head>
<body>
<div id="docs"></div>
<noscript>This page needs JavaScript. The same description is at <a href="openapi.json">openapi.json</a>.</noscript>
<script src="${at}/swagger-ui-bundle.js"></script>
<script src="${at}/docs.js"></script>
</body>
</html>
`
}
