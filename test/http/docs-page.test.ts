// The documentation page: every asset is ours, kept by browsers for good, and nothing comes from elsewhere.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startService, type TestService } from '../support/service/service.ts'

const immutable = 'public, max-age=31536000, immutable'

describe('/docs', () => {
  let service: TestService
  let html: string
  let policy: string
  before(async () => {
    service = await startService()
    const page = await service.as(null).get('/docs')
    assert.equal(page.status, 200)
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
    html = page.text
    policy = page.headers.get('content-security-policy')!
  })
  after(() => service?.stop())

  const references = () => [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!)

  test('loads only files that we serve, of the right type', async () => {
    assert.ok(references().length >= 5)
    const types: Record<string, string> = {
      css: 'text/css; charset=utf-8',
      js: 'text/javascript; charset=utf-8',
      png: 'image/png',
      json: 'application/json; charset=utf-8',
    }
    for (const reference of references()) {
      const url = new URL(reference, `${service.url}/docs`)
      assert.equal(url.origin, service.url, reference)
      const answer = await service.as(null).get(url.pathname)
      assert.equal(answer.status, 200, reference)
      assert.equal(answer.headers.get('content-type'), types[reference.split('.').at(-1)!], reference)
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
      if (reference.startsWith('docs/assets/')) assert.equal(answer.headers.get('cache-control'), immutable, reference)
    }
  })

  test('names no other origin in its page, script or styles', async () => {
    assert.doesNotMatch(html, /https?:|\/\//)
    for (const reference of references().filter((name) => /docs\.(js|css)$|swagger-ui\.css$/.test(name))) {
      const { text } = await service.as(null).get(`/${reference}`)
      const urls = [...text.matchAll(/url\(\s*["']?([^"')]{0,20})/g)].map((match) => match[1]!)
      assert.ok(
        urls.every((url) => url.startsWith('data:')),
        reference,
      )
      assert.doesNotMatch(text, /@import|sourceMappingURL/, reference)
      if (reference.endsWith('docs.js')) assert.doesNotMatch(text, /https?:\/\//)
    }
  })

  test('runs no script but our files', () => {
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /script-src 'self'(;|$)/)
    assert.match(policy, /connect-src 'self'(;|$)/)
    assert.doesNotMatch(policy, /unsafe|https?:|\*/)
    assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/)
  })

  test('sends assets compressed to those who take it, and unchanged otherwise', async () => {
    const path = references().find((name) => name.endsWith('swagger-ui-bundle.js'))!
    const zipped = await fetch(`${service.url}/${path}`, { headers: { 'accept-encoding': 'gzip' } })
    assert.equal(zipped.headers.get('content-encoding'), 'gzip')
    assert.ok(Number(zipped.headers.get('content-length')) < 700_000)
    const plain = await fetch(`${service.url}/${path}`, { headers: { 'accept-encoding': 'identity' } })
    assert.equal(plain.headers.get('content-encoding'), null)
    assert.equal(await plain.text(), await zipped.text())
  })

  test('has no other files', async () => {
    const version = references()[0]!.split('/')[2]!
    for (const path of [`${version}/index.html`, `${version}/..%2f..%2fpackage.json`, 'old/docs.js', version]) {
      const answer = await service.as(null).get(`/docs/assets/${path}`)
      assert.equal(answer.status, 404, path)
      assert.equal(answer.body.data, null)
    }
  })
})
