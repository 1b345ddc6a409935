// The documentation site: every page, link, picture and asset is served here, and nothing comes from elsewhere.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { siteFiles } from '../../docs/site/site.ts'
import { variantA } from '../support/service/api.ts'
import { configured } from '../support/service/engine-file.ts'
import { startService, type TestService } from '../support/service/service.ts'

const immutable = 'public, max-age=31536000, immutable'

describe('/docs', () => {
  let service: TestService
  const pages = new Map<string, { text: string; policy: string }>()
  before(async () => {
    service = await startService()
    const waiting = ['/docs']
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const { status, text, headers } = await service.as(null).get(path)
      assert.equal(status, 200, path)
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8', path)
      pages.set(path, { text, policy: headers.get('content-security-policy')! })
      for (const { url } of linksOf(path, text)) {
        const isPage = /^\/docs\/[\w-]+$/.test(url.pathname)
        if (isPage && !pages.has(url.pathname) && !waiting.includes(url.pathname)) waiting.push(url.pathname)
      }
    }
  })
  after(() => service?.stop())

  /** Links to this service; those that lead out are listed apart. */
  const linksOf = (path: string, text: string) =>
    [...text.matchAll(/ (?:src|href)="([^"]+)"/g)]
      .map((match) => ({ link: match[1]!, url: new URL(match[1]!, `${service.url}${path}`) }))
      .filter(({ url }) => url.origin === service.url)

  test('has a page for each guide, the reference and the models', () => {
    const guides = globSync('*.md', { cwd: new URL('../../docs/', import.meta.url) }).map((name) => name.slice(0, -3))
    assert.ok(guides.includes('quickstart'))
    for (const slug of [...guides, 'reference', 'models', 'examples', 'changelog']) {
      assert.ok(pages.has(`/docs/${slug}`), slug)
    }
  })

  test('every link leads to something, and every fragment to a heading', async () => {
    const seen = new Map<string, string>()
    for (const [path, { text }] of pages) {
      for (const { link, url } of linksOf(path, text)) {
        if (!seen.has(url.pathname)) {
          const response = await service.as(null).get(url.pathname)
          assert.equal(response.status, 200, `${path}: ${link}`)
          seen.set(url.pathname, response.text)
        }
        const id = decodeURIComponent(url.hash.slice(1))
        if (id) assert.ok(seen.get(url.pathname)!.includes(` id="${id}"`), `${path}: ${link}`)
      }
    }
  })

  test('runs no script but its file, and loads nothing from elsewhere', () => {
    for (const [path, { text, policy }] of pages) {
      assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/, path)
      assert.doesNotMatch(policy, /unsafe|https?:|\*/, path)
      assert.doesNotMatch(text, /<script(?![^>]*\bsrc=)|<style|<[^>]+\s(on\w+|style)=/, path)
      assert.doesNotMatch(text, / src="https?:/, path)
    }
  })

  test('assets are cached forever, compressed for clients that accept it, and there are no others', async () => {
    const { text } = pages.get('/docs')!
    const assets = linksOf('/docs', text).filter(({ url }) => url.pathname.startsWith('/docs/assets/'))
    assert.equal(assets.length, 3)
    for (const { url } of assets) {
      const zipped = await fetch(url, { headers: { 'accept-encoding': 'gzip' } })
      assert.equal(zipped.headers.get('cache-control'), immutable)
      assert.equal(zipped.headers.get('content-encoding'), 'gzip')
      const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
      assert.equal(await plain.text(), await zipped.text())
    }
    const version = assets[0]!.url.pathname.split('/')[3]
    for (const path of [`assets/${version}/index.html`, `assets/${version}/..%2fdocs.ts`, 'assets/old/docs.js', 'no']) {
      assert.equal((await service.as(null).get(`/docs/${path}`)).status, 404, path)
    }
    for (const name of ['make.ts', '..%2fapi.md', 'http:%2f%2f']) {
      assert.equal((await service.as(null).get(`/docs/samples/${name}`)).status, 404, name)
    }
  })

  test('pages and documents are compressed for clients that accept it', async () => {
    for (const path of [...pages.keys(), '/docs/search.json', '/openapi.json']) {
      const plain = await fetch(service.url + path, { headers: { 'accept-encoding': 'identity' } })
      assert.equal(plain.headers.get('content-encoding'), null, path)
      const zipped = await fetch(service.url + path, { headers: { 'accept-encoding': 'gzip' } })
      assert.equal(zipped.headers.get('content-encoding'), 'gzip', path)
      assert.equal(await zipped.text(), await plain.text(), path)
    }
  })

  test('descriptions are shown without the marks of Markdown', () => {
    for (const path of ['/docs/reference', '/docs/models']) {
      const prose = pages.get(path)!.text.replace(/<(pre|code|textarea)\b[^>]*>[^<]*<\/?/g, '')
      assert.deepEqual(prose.match(/>[^<]*`[^<]*</g), null, path)
    }
  })

  test('every operation of the OpenAPI document is in the reference and in the search', async () => {
    const document = (await service.as(null).get('/openapi.json')).body
    const { text } = pages.get('/docs/reference')!
    const search = (await service.as(null).get('/docs/search.json')).body as { heading: string }[]
    for (const [path, item] of Object.entries(document.paths as Record<string, object>)) {
      for (const method of Object.keys(item)) {
        assert.ok(text.includes(`data-method="${method}" data-path="${path}"`), `${method} ${path}`)
        assert.ok(
          search.some(({ heading }) => heading === `${method.toUpperCase()} ${path}`),
          `${method} ${path}`,
        )
      }
    }
  })

  test('is what its sources build to', async () => {
    const built = siteFiles((await service.as(null).get('/openapi.json')).body)
    const dist = new URL('../../docs/site/dist/', import.meta.url)
    const kept = globSync('**/*.*', { cwd: dist })
    assert.deepEqual(kept.sort(), [...built.keys()].sort(), 'run `npm run build:docs`')
    for (const name of kept) {
      assert.ok(readFileSync(new URL(name, dist), 'utf8') === built.get(name), `${name}: run \`npm run build:docs\``)
    }
  })

  test('lists the models and prices of this installation', async (t) => {
    const file = await configured({ models: { [variantA]: { prices: { 5: 4321 } } } })
    t.after(file.remove)
    const own = await startService(file.env)
    t.after(own.stop)
    assert.match((await own.as(null).get('/docs/models')).text, /4321 credits/)
  })
})
