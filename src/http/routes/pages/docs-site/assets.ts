// The files that documentation pages load: a style, a script and an icon, under a path that changes with their
// contents, so that browsers may keep them for good.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
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
}

const console = new URL('../../../../../console/src/', import.meta.url)

export function loadDocsAssets(): DocsAssets {
  const read = (name: string, base: string | URL = import.meta.url) => readFileSync(new URL(name, base))
  const style = Buffer.concat([read('styles/tokens.css', console), read('docs.css')])
  const assets = new Map<string, DocsAsset>([
    ['docs.css', asset(style, 'text/css; charset=utf-8')],
    ['docs.js', asset(read('docs.js'), 'text/javascript; charset=utf-8')],
    ['icon.svg', asset(read('icon.svg', console), 'image/svg+xml')],
  ])
  const contents = [...assets.values()].map(({ bytes }) => hash('sha256', bytes))
  return { version: hash('sha256', contents.join()).slice(0, 16), get: (name) => assets.get(name) }
}

function asset(bytes: Buffer, type: string): DocsAsset {
  return { type, bytes, gzipped: gzipSync(bytes) }
}
