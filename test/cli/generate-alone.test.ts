// dailies generate with a service of its own: on PostgreSQL, and with a real render. Long; see generate.test.ts for more.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { png } from '../support/files/image-files.ts'
import { createTestDatabase } from '../support/places/postgres.ts'
import { cliJson, runCli } from '../support/service/process.ts'
import { testKey } from '../support/service/service.ts'

let folder: string
let image: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dailies-test-'))
  image = join(folder, 'boat.png')
  await writeFile(image, await png(320, 240))
})
after(() => rm(folder, { recursive: true, force: true }))

let count = 0
const newOut = () => join(folder, `video-${++count}.mp4`)
const generate = (prompt: string, out: string) => ['generate', '--image', image, '--prompt', prompt, '--out', out]
const alone = (name: string) => ({
  DAILIES_DATA: join(folder, name),
  DAILIES_PORT: '1',
  TEST_ENGINE: 'scripted',
  DAILIES_API_KEY: '',
})

describe('dailies generate with a service of its own', () => {
  test('runs on PostgreSQL', async () => {
    const database = await createTestDatabase()
    try {
      const env = { ...alone('pg'), DAILIES_DATABASE_URL: database.url, DAILIES_API_KEY: testKey }
      const out = newOut()
      assert.equal((await cliJson(generate('a boat', out), env)).state, 'success')
      assert.match(await readFile(out, 'latin1'), /ftyp/)
    } finally {
      await database.stop()
    }
  })

  test('makes a real video with the studio', async () => {
    const out = newOut()
    const env = { ...alone('studio'), TEST_ENGINE: 'studio', DAILIES_MODERATION: 'off' }
    const { code, stderr } = await runCli(generate('slow push in', out), env)
    assert.equal(code, 0, stderr)
    const video = await readFile(out)
    assert.equal(video.toString('latin1', 4, 8), 'ftyp')
    assert.ok(video.includes('moov') && video.includes('avc1'))
    assert.match(stderr, /^Generating: \d+ %/m)
  })
})
