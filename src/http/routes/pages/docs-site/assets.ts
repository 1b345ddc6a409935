// The files that documentation pages load: a style, a script and an icon, under a path that changes with their
// contents, so that browsers may keep them forever.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Asset, createAsset } from '../../../responses/asset.ts'

export interface DocsAssets {
  /** Part of every asset's path. */
  version: string
  get(name: string): Asset | undefined
}

/** What these pages share with the console: the icon, colours and fonts, and the bar at the top. */
const look = new URL('../look/', import.meta.url)

export function loadDocsAssets(): DocsAssets {
  const read = (name: string, base: string | URL = import.meta.url) => readFileSync(new URL(name, base))
  const style = Buffer.concat([read('tokens.css', look), read('top-bar.css', look), read('docs.css')])
  const assets = new Map<string, Asset>([
    ['docs.css', createAsset(style, 'text/css; charset=utf-8')],
    ['docs.js', createAsset(read('docs.js'), 'text/javascript; charset=utf-8')],
    ['icon.svg', createAsset(read('icon.svg', look), 'image/svg+xml')],
  ])
  const contents = [...assets.values()].map(({ plain }) => hash('sha256', plain))
  return { version: hash('sha256', contents.join()).slice(0, 16), get: (name) => assets.get(name) }
}
