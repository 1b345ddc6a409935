// The packed client in a real browser, on a page of another origin than the service's.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { chromium } from 'playwright-core'
import { installClient } from '../client/support/install-client.ts'
import { chromiumArgs, findChromium } from '../support/browser/chromium.ts'
import { startService, testKey } from '../support/service/service.ts'

/** Runs in the page, which has the package under `/client/`. */
const script = `(async (baseUrl, apiKey) => {
  const { Dailies, InvalidRequest } = await import('/client/public.js')
  const dailies = new Dailies({ baseUrl, apiKey })
  const canvas = new OffscreenCanvas(64, 48)
  canvas.getContext('2d').fillRect(0, 0, 32, 48)
  const uploads = []
  const states = []
  const result = await dailies.generate({
    image: await canvas.convertToBlob({ type: 'image/png' }),
    prompt: 'a boat script: progress 40, wait 300ms',
    onUpload: (progress) => uploads.push(progress.sentBytes / progress.totalBytes),
    onProgress: (progress) => states.push(progress.state + ' ' + progress.progress),
  })
  const video = await dailies.download(result.videoUrl)
  const refused = await dailies.upload(new Blob(['text']), { onProgress() {} }).catch((error) => error)
  const aborted = await dailies
    .upload(new Blob([new Uint8Array(5e6)]), { signal: AbortSignal.timeout(1), onProgress() {} })
    .catch((error) => error.name)
  const broken = await dailies
    .upload(new Blob([new Uint8Array(5e6)]), { onProgress() { throw new RangeError('of the page') } })
    .catch((error) => error.name)
  return {
    broken,
    uploads,
    states,
    videoBytes: video.size,
    refused: refused instanceof InvalidRequest && refused.requestId !== null,
    aborted,
    tasks: (await Array.fromAsync(dailies.list({ limit: 1 }))).length,
  }
})`

test('generates a video from a page', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'dailies-browser-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await installClient(folder)
  const site = createServer(async (request, response) => {
    const name = /^\/client\/((?:[\w-]+\/)*[\w-]+\.js)$/.exec(request.url!)?.[1]
    if (!name) return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>')
    const code = await readFile(join(folder, 'node_modules/dailies-client/dist', name))
    return response.writeHead(200, { 'content-type': 'text/javascript' }).end(code)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    site.closeAllConnections()
    site.close()
  })
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  const service = await startService({ DAILIES_CORS_ORIGINS: origin })
  t.after(() => service.stop())
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArgs })
  t.after(() => browser.close())
  const page = await browser.newPage()
  await page.goto(origin)

  const seen = await page.evaluate(`${script}(${JSON.stringify(service.url)}, ${JSON.stringify(testKey)})`)
  const { uploads, states, videoBytes, ...rest } = seen as { uploads: number[]; states: string[]; videoBytes: number }
  assert.equal(uploads.at(-1), 1)
  assert.ok(states.includes('generating 40') && states.at(-1) === 'success 100', states.join(', '))
  assert.ok(videoBytes > 20)
  assert.deepEqual(rest, { refused: true, aborted: 'TimeoutError', broken: 'RangeError', tasks: 1 })
})
