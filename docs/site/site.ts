// The documentation as files, by their paths in `dist`: guides from the project's Markdown, a reference from the OpenAPI
// document, search. The service fills the models in.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readGuides } from './guides.ts'
import { pageHtml } from './layout.ts'
import { referenceHtml } from './reference.ts'

/** `document`: the OpenAPI document of a service without models of its own. */
export function siteFiles(document: object): Map<string, string> {
  const assets = readAssets()
  const version = hash('sha256', [...assets.values()].join('\n')).slice(0, 16)
  const guides = readGuides()
  const reference = referenceHtml(document)
  const pages = [
    ...guides,
    { slug: 'reference', title: 'API reference', html: reference.html, headings: [] },
    { slug: 'models', title: 'Models', html: '<!-- models -->', headings: [] },
  ]
  const titles = new Map(pages.map(({ slug, title }) => [slug, title]))
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
  const files = new Map(pages.map((page) => [`docs/${page.slug}.html`, pageHtml(page, titles, version)]))
  files.set('docs.html', oneLevelUp(files.get('docs/quickstart.html')!))
  files.set('docs/search.json', `[\n${entries.map((entry) => JSON.stringify(entry)).join(',\n')}\n]\n`)
  for (const [name, text] of assets) files.set(`docs/assets/${version}/${name}`, text)
  return files
}

/** What pages load, under a path that changes with the contents, so that browsers may keep it forever. */
function readAssets(): Map<string, string> {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
  const look = '../../console/'
  return new Map([
    ['docs.css', read(`${look}src/styles/tokens.css`) + read(`${look}src/styles/top-bar.css`) + read('docs.css')],
    ['docs.js', read('docs.js')],
    ['icon.svg', read(`${look}icon.svg`)],
  ])
}

/** The same page at `/docs` itself, where relative addresses begin one level higher. */
function oneLevelUp(html: string): string {
  return html.replace(/ (href|src)="(?!#|https?:)(\.\.\/)?/g, (_all, name, up) => ` ${name}="${up ? './' : 'docs/'}`)
}
