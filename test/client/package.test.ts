// The package as its users get it: packed, installed into an empty folder elsewhere, run by whatever Node is there.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { build } from 'vite'
import { startService, type TestService, testKey } from '../support/service/service.ts'
import { installClient, run, tools } from './support/install-client.ts'

let folder: string
let service: TestService

before(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'dailies-client-'))
  await installClient(folder)
  const png = sharp({ create: { width: 64, height: 48, channels: 3, background: '#c63' } }).png()
  await writeFile(join(folder, 'boat.png'), await png.toBuffer())
})
after(async () => {
  await service?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const script = `
import { readFile, writeFile } from 'node:fs/promises'
import { Dailies, verifyWebhook } from 'dailies-client'

const dailies = new Dailies()
const { videoUrl } = await dailies.generate({
  image: await readFile('boat.png'),
  prompt: 'slow push in',
  onProgress: ({ state, progress }) => console.log(state, progress),
})
await writeFile('boat.mp4', (await dailies.download(videoUrl)).stream())
console.log(typeof verifyWebhook)
`

test('ten lines make a video from a folder outside the project', async () => {
  await writeFile(join(folder, 'make.js'), script)
  const env = { ...process.env, DAILIES_URL: service.url, DAILIES_KEY: testKey }
  for (const node of await nodes()) {
    const { stdout } = await run(node, ['make.js'], { cwd: folder, env })
    assert.match(stdout, /success 100\nfunction\n$/, node)
    assert.match(await readFile(join(folder, 'boat.mp4'), 'latin1'), /^.{4}ftypisom.*scripted: slow push in/s)
    await rm(join(folder, 'boat.mp4'))
  }
})

test('CommonJS programs can require it', async () => {
  await writeFile(
    join(folder, 'make.cjs'),
    "const { Dailies } = require('dailies-client')\nnew Dailies().credit().then((credits) => console.log(credits > 0))",
  )
  const env = { ...process.env, DAILIES_URL: service.url, DAILIES_KEY: testKey }
  for (const node of await nodes()) {
    assert.equal((await run(node, ['make.cjs'], { cwd: folder, env })).stdout, 'true\n', node)
  }
})

test('a bundler takes what a page uses of it, and nothing of Node', async () => {
  await writeFile(join(folder, 'page.js'), "import { Dailies } from 'dailies-client'\nglobalThis.Dailies = Dailies")
  const bundled = await build({
    root: folder,
    logLevel: 'silent',
    build: { write: false, lib: { entry: join(folder, 'page.js'), formats: ['es'] } },
  })
  const [{ output }] = bundled as unknown as [{ output: [{ code: string; imports: string[] }] }]
  assert.deepEqual(output[0].imports, [])
  assert.doesNotMatch(output[0].code, /node:/)
  assert.ok(output[0].code.length < 40_000, `${output[0].code.length} bytes`)
})

test('it brings nothing but its own JavaScript and types, which hold under strict checks', async () => {
  const installed = join(folder, 'node_modules')
  assert.deepEqual(
    (await readdir(installed)).filter((name) => !name.startsWith('.')),
    ['dailies-client'],
  )
  assert.deepEqual((await readdir(join(installed, 'dailies-client'))).sort(), [
    'LICENSE',
    'README.md',
    'dist',
    'package.json',
  ])
  const dist = await readdir(join(installed, 'dailies-client', 'dist'), { recursive: true, withFileTypes: true })
  const files = dist.filter((entry) => entry.isFile()).map(({ name }) => name)
  assert.ok(files.includes('public.js') && files.includes('public.d.ts'))
  assert.deepEqual(
    files.filter((name) => !/\.(js|d\.ts)$/.test(name)),
    [],
  )
  const use = `
import { Dailies, omniModel, TaskFailed, turboModel, type TaskRecord } from 'dailies-client'
const dailies = new Dailies({ baseUrl: 'http://127.0.0.1', apiKey: 'k', fetch })
export const taskId: Promise<string> = dailies.createTask({ model: turboModel, input: { prompt: 'p', image_url: 'u' } })
export const record: Promise<TaskRecord> = dailies.wait('t').catch((error: unknown) => {
  if (error instanceof TaskFailed) return error.record
  throw error
})
dailies.generate({ model: omniModel, image: new Blob(), prompt: 'p', resolution: '1080p', duration: 7 })
// @ts-expect-error the first model has no resolution
dailies.generate({ image: new Blob(), prompt: 'p', resolution: '1080p' })
// @ts-expect-error nor seven seconds
dailies.createTask({ model: turboModel, input: { prompt: 'p', image_url: 'u', duration: 7 } })
// @ts-expect-error the second takes a list
dailies.createTask({ model: omniModel, input: { prompt: 'p', image_url: 'u' } })
`
  await writeFile(join(folder, 'use.ts'), use)
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--lib', 'es2022,dom', '--types', '', 'use.ts']
  await run(join(tools, 'tsc'), ['--ignoreConfig', ...options], { cwd: folder }).catch((error) =>
    assert.fail(error.stdout || error.message),
  )
})

/** This Node, and the machine's own where that is another one. */
async function nodes(): Promise<string[]> {
  const path = (process.env.PATH ?? '').split(delimiter).filter((part) => !part.includes('node_modules'))
  const own = await run('node', ['-p', 'process.execPath'], {
    env: { ...process.env, PATH: path.join(delimiter) },
  }).then(
    ({ stdout }) => stdout.trim(),
    () => process.execPath,
  )
  return [...new Set([process.execPath, own])]
}
