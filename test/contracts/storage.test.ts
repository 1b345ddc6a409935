// The storage port on a folder and on S3: one contract.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { createFileCache } from '../../src/storage/file-cache.ts'
import { createFolderStorage } from '../../src/storage/folder.ts'
import { createS3Storage } from '../../src/storage/s3.ts'
import { parseS3Url } from '../../src/storage/s3-url.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { startSlowLine } from '../support/network/slow-line.ts'
import { startS3 } from '../support/places/s3.ts'

interface Bench {
  storage: Storage
  /** The same storage as another machine sees it. */
  elsewhere: Storage
  stop(): Promise<void>
}

const kinds: { name: string; start(root: string): Promise<Bench> }[] = [
  {
    name: 'a folder',
    async start(root) {
      const storage = createFolderStorage(join(root, 'files'))
      return { storage, elsewhere: createFolderStorage(join(root, 'files')), async stop() {} }
    },
  },
  {
    name: 'a folder on another file system than the files that it gets',
    async start() {
      const root = await mkdtemp('/dev/shm/dailies-storage-')
      const stop = () => rm(root, { recursive: true, force: true })
      return { storage: createFolderStorage(root), elsewhere: createFolderStorage(root), stop }
    },
  },
  {
    name: 'S3',
    async start(root) {
      const s3 = await startS3()
      const location = parseS3Url(s3.storageUrl(), undefined)
      const open = (cache: string) => createS3Storage({ location, cacheDir: join(root, cache) })
      const [storage, elsewhere] = [open('here'), open('there')]
      return {
        storage,
        elsewhere,
        async stop() {
          await Promise.all([storage.close?.(), elsewhere.close?.()])
          await s3.stop()
        },
      }
    },
  },
]

for (const { name, start } of kinds) {
  describe(`storage in ${name}`, () => {
    let root: string
    let bench: Bench
    let count = 0
    before(async () => {
      root = await mkdtemp(join(tmpdir(), 'dailies-storage-'))
      await mkdir(join(root, 'files'))
      bench = await start(root)
    })
    after(async () => {
      await bench.stop()
      await rm(root, { recursive: true, force: true })
    })

    async function stored(bytes: Buffer): Promise<string> {
      const key = `ab/key-${++count}`
      const path = join(root, `local-${count}`)
      await writeFile(path, bytes)
      await bench.storage.put(key, path)
      await assert.rejects(access(path), 'the local file was moved')
      return key
    }

    // One small, one of several parts.
    for (const size of [1, 1000, 9 * 2 ** 20 + 7]) {
      test(`${size} bytes come back as they were, whole and in ranges, here and elsewhere`, async () => {
        const bytes = randomBytes(size)
        const key = await stored(bytes)
        for (const storage of [bench.storage, bench.elsewhere]) {
          assert.ok(bytes.equals(await buffer(await storage.read(key))))
          assert.ok(bytes.equals(await readFile(await storage.localPath(key))))
          for (const [from, to] of [
            // Not [0, 0]: s3rver reads an end of 0 as none.
            [size - 1, size - 1],
            [0, size - 1],
            [Math.floor(size / 2), size - 1],
            [Math.floor(size / 3), Math.floor(size / 2)],
          ] as const) {
            const part = await buffer(await storage.read(key, { start: from, end: to }))
            assert.ok(bytes.subarray(from, to + 1).equals(part), `${from}-${to}`)
          }
        }
      })
    }

    test('a key can be written again', async () => {
      const key = await stored(Buffer.from('one'))
      const path = join(root, 'again')
      await writeFile(path, 'two')
      await bench.storage.put(key, path)
      assert.equal(String(await buffer(await bench.storage.read(key))), 'two')
    })

    test('what was deleted cannot be read, and deleting it again is fine', async () => {
      const key = await stored(Buffer.from('gone soon'))
      await bench.storage.localPath(key)
      await bench.elsewhere.delete(key)
      await bench.elsewhere.delete(key)
      await bench.storage.delete(key)
      await assert.rejects(bench.storage.read(key, { start: 0, end: 3 }), { code: 'ENOENT' })
      await assert.rejects(bench.elsewhere.read(key), { code: 'ENOENT' })
    })

    test('a move that is aborted before it begins stores nothing', async () => {
      const path = join(root, 'aborted')
      for (const size of [1, 9 * 2 ** 20]) {
        await writeFile(path, randomBytes(size))
        await assert.rejects(bench.storage.put('ab/aborted', path, AbortSignal.abort()), { name: 'AbortError' })
        await assert.rejects(bench.elsewhere.read('ab/aborted'), { code: 'ENOENT' })
      }
    })

    test('bytes that are not there are ENOENT', async () => {
      await assert.rejects(bench.storage.read('no/such'), { code: 'ENOENT' })
      await assert.rejects(bench.storage.put('no/local', join(root, 'not-there')), { code: 'ENOENT' })
    })

    for (const key of ['../up', 'a/../../b', '/abs', 'a//b', '', '.', 'a b', 'ä']) {
      test(`the key ${JSON.stringify(key)} is refused`, async () => {
        await assert.rejects(async () => bench.storage.read(key), /not a storage key/)
        await assert.rejects(async () => bench.storage.localPath(key), /not a storage key/)
      })
    }

    test('the check of a working storage succeeds', () => bench.storage.check())
  })
}

test('a bucket that is not there, or does not respond, fails the check', async () => {
  const s3 = await startS3()
  const at = (url: string) =>
    createS3Storage({ location: parseS3Url(url, undefined), cacheDir: join(tmpdir(), 'never') })
  const missing = at(s3.storageUrl().replace('dailies-test', 'another'))
  await assert.rejects(missing.check())
  await s3.stop()
  const gone = at(s3.storageUrl())
  await assert.rejects(gone.check())
  await Promise.all([missing.close?.(), gone.close?.()])
})

test('a slow line to the bucket is no reason to give up', async (t) => {
  const s3 = await startS3()
  const line = await startSlowLine(Number(new URL(s3.endpoint).port), { bytesPerSecond: 0.8 * 2 ** 20 })
  const root = await mkdtemp(join(tmpdir(), 'dailies-slow-'))
  const location = parseS3Url(s3.storageUrl(line.url), undefined)
  const storage = createS3Storage({ location, cacheDir: join(root, 'cache'), silenceMs: 6000 })
  t.after(async () => {
    await storage.close?.()
    await line.stop()
    await s3.stop()
    await rm(root, { recursive: true, force: true })
  })
  const path = join(root, 'local')
  // Takes longer than a silence may last.
  await writeFile(path, randomBytes(8 * 2 ** 20))
  await storage.put('ab/slow', path)
  assert.equal(line.connections(), 1)
})

test('local copies are fetched once, again after they were deleted, and the longest unused go first', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'dailies-cache-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  const fetched: string[] = []
  const cache = createFileCache({
    dir,
    bytesMax: 25,
    sparedMs: 0,
    async fetchTo(key, path) {
      fetched.push(key)
      if (key === 'broken') throw new Error('cut off')
      await writeFile(path, 'ten bytes.')
    },
  })
  await Promise.all([cache.path('a'), cache.path('a')])
  await cache.path('b')
  await cache.path('a')
  await assert.rejects(cache.path('broken'), /cut off/)
  await cache.path('c') // room for two: b goes
  assert.equal(await readFile(await cache.path('a'), 'utf8'), 'ten bytes.')
  await cache.path('b')
  assert.deepEqual(fetched, ['a', 'b', 'broken', 'c', 'b'])
  await rm(dir, { recursive: true })
  const [again, beside] = await Promise.all([cache.path('b'), cache.path('b')])
  assert.equal(await readFile(again, 'utf8'), 'ten bytes.')
  assert.equal(again, beside)
  await cache.path('a')
  assert.deepEqual(fetched.slice(5), ['b', 'a'])
  assert.equal(await readFile(await cache.path('b'), 'utf8'), 'ten bytes.')
})

describe('the storage URL', () => {
  const good: [string, object][] = [
    ['s3://b', { bucket: 'b', prefix: '', endpoint: null, region: 'us-east-1', pathStyle: false, credentials: null }],
    ['s3://b/a/c/?region=eu-west-1', { prefix: 'a/c/', region: 'eu-west-1' }],
    ['s3://b?endpoint=http://127.0.0.1:9000', { endpoint: 'http://127.0.0.1:9000', pathStyle: true }],
    ['s3://b?endpoint=https://s.example&pathStyle=false', { pathStyle: false }],
    ['s3://b?accessKeyId=k&secretAccessKey=s', { credentials: { accessKeyId: 'k', secretAccessKey: 's' } }],
  ]
  for (const [url, expected] of good) {
    test(`${url} is understood`, () => assert.partialDeepStrictEqual(parseS3Url(url, undefined), expected))
  }
  for (const url of ['http://b', 's3://', 's3://b?endpoint=b', 's3://b?accessKeyId=k', 's3://b?regoin=eu']) {
    test(`${url} is refused with a clear message`, () =>
      assert.throws(() => parseS3Url(url, undefined), /^OperatorError|DAILIES_STORAGE_URL/))
  }
})
