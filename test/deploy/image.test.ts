// The image of the Dockerfile, without building it: the files that it copies, beside this checkout's packages.
import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type ServiceProcess, startProcess } from '../support/service/process.ts'

const checkout = fileURLToPath(new URL('../../', import.meta.url))

describe('the image', () => {
  let folder: string
  let service: ServiceProcess

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'image-'))
    const dockerfile = await readFile(join(checkout, 'Dockerfile'), 'utf8')
    for (const path of copiedPaths(dockerfile)) await cp(join(checkout, path), join(folder, path), { recursive: true })
    await symlink(join(checkout, 'node_modules'), join(folder, 'node_modules'))
    const env = { DAILIES_DATA: join(folder, 'data'), TEST_ENGINE: 'studio' }
    service = await startProcess(env, ['serve', '--work'], { main: join(folder, 'src', 'main.ts') })
  })
  after(async () => {
    await service?.kill('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  })

  test('has every file that the service needs to start', async () => {
    assert.equal((await service.api.get('/readyz')).status, 200)
  })

  for (const path of ['/', '/favicon.ico', '/docs', '/docs/examples', '/openapi.json', '/metrics']) {
    test(`has the files behind GET ${path}`, async () => {
      assert.equal((await service.api.get(path)).status, 200)
    })
  }
})

/** What the build stage copies from the checkout. A file has its own path, or its folder, as the target. */
function copiedPaths(dockerfile: string): string[] {
  return [...dockerfile.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, sources]) => sources!.split(' '))
}
