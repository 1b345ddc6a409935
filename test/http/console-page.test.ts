// The console's page as it is served: its policy, its types, its size, and that the files in the repository are what
// its sources build to.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { startService, type TestService } from '../support/service/service.ts'

const root = fileURLToPath(new URL('../../console/', import.meta.url))
const gzippedBytesMax = 150_000

describe('the console’s page', () => {
  let service: TestService
  let page: string
  before(async () => {
    service = await startService()
    page = await (await fetch(service.url)).text()
  })
  after(() => service.stop())

  const assets = () => [...page.matchAll(/(?:src|href)="\.\/(console\/assets\/[^"]+)"/g)].map(([, path]) => path!)

  test('is open, not kept, and runs nothing but our files', async () => {
    const answer = await fetch(service.url)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(answer.headers.get('cache-control'), 'no-cache')
    const policy = answer.headers.get('content-security-policy')!
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /script-src 'self';/)
    assert.match(policy, /style-src 'self';/)
    assert.doesNotMatch(policy, /unsafe|\*|data:|https?:/)
    assert.doesNotMatch(page, /<script(?![^>]*src=)|<style|style="| on\w+="/)
  })

  test('serves its files with their types, cached forever, compressed for clients that accept it', async () => {
    assert.ok(assets().length >= 3)
    const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', svg: 'image/svg+xml' }
    for (const path of assets()) {
      const answer = await fetch(`${service.url}/${path}`)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-type'), types[path.split('.').at(-1) as keyof typeof types])
      assert.match(answer.headers.get('cache-control')!, /immutable/)
      assert.equal(answer.headers.get('content-encoding'), 'gzip')
      const plain = await fetch(`${service.url}/${path}`, { headers: { 'accept-encoding': 'identity' } })
      assert.equal(plain.headers.get('content-encoding'), null)
      assert.equal(await plain.text(), await answer.text())
    }
  })

  test('has no other files', async () => {
    for (const path of ['console/assets/none.js', 'console/assets/..%2findex.html', 'console/index.html']) {
      assert.equal((await fetch(`${service.url}/${path}`)).status, 404)
    }
  })

  test('is small', async () => {
    let bytes = 0
    for (const path of await filesOf(join(root, 'dist'))) bytes += gzipSync(await readFile(path), { level: 9 }).length
    assert.ok(bytes < gzippedBytesMax, `${bytes} bytes gzipped`)
  })

  test('is what its sources build to', async () => {
    const outDir = await mkdtemp(join(tmpdir(), 'dailies-console-'))
    try {
      await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'silent', build: { outDir } })
      assert.deepEqual(await hashesOf(outDir), await hashesOf(join(root, 'dist')), 'run `npm run build:console`')
    } finally {
      await rm(outDir, { recursive: true, force: true })
    }
  })
})

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

async function hashesOf(folder: string): Promise<Record<string, string>> {
  const files = await filesOf(folder)
  const pairs = files.map(async (path) => [path.slice(folder.length), hash('sha256', await readFile(path))] as const)
  return Object.fromEntries((await Promise.all(pairs)).sort(([a], [b]) => (a < b ? -1 : 1)))
}
