// Input files from a real server that behaves badly in every way: each ends as one InputFailure with its sentence.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { mebibytes } from '../../src/contract/limits.ts'
import type { FailReason } from '../../src/contract/tasks/fail-reasons.ts'
import { createSlots } from '../../src/limits/slots.ts'
import { fetchInput } from '../../src/media/fetch-input.ts'
import { InputFailure } from '../../src/media/input-failure.ts'
import type { InputUse } from '../../src/media/inspect-input.ts'
import { parsePrivateNetwork } from '../../src/outbound/address-rules.ts'
import { createGuardedFetch, type GuardedFetch } from '../../src/outbound/guarded-fetch.ts'
import { makeAudio, makeVideo } from '../support/files/av-files.ts'
import { animatedPng, bombPng, jpeg, noisePng, picture, png, SVG } from '../support/files/image-files.ts'
import { type Inspectors, openInspectors, tester } from '../support/files/inspectors.ts'
import { type BadServer, type ServedFile, startBadServer } from '../support/network/bad-server.ts'

const frame: InputUse = { kind: 'frame', bytesMax: mebibytes(10) }
const element: InputUse = { kind: 'element', startMs: 0, endMs: null }
const audio: InputUse = { kind: 'element_audio' }
const HLS = Buffer.from('#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttp://127.0.0.1/x.ts\n#EXT-X-ENDLIST\n')

let folder: string
let server: BadServer
let fetch: GuardedFetch
/** For servers that are slow on purpose. */
let impatient: GuardedFetch
let inspector: Inspectors
let closedPort: number

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'material-'))
  const files: Record<string, ServedFile> = {
    '/good.jpg': { body: await jpeg(60, 40), type: 'image/jpeg' },
    '/good.png': { body: await png(60, 40), type: 'image/png' },
    // The bytes count, not what the server calls them.
    '/called-text': { body: await png(60, 40), type: 'text/plain' },
    '/called-jpeg': { body: await png(60, 40), type: 'image/jpeg' },
    '/page.png': { body: Buffer.from('<!doctype html><h1>Sign in</h1>'), type: 'text/html' },
    '/lie.png': { body: Buffer.from('<!doctype html><h1>Sign in</h1>'), type: 'image/png' },
    '/svg.png': { body: SVG, type: 'image/png' },
    '/hls.png': { body: HLS, type: 'image/png' },
    '/hls.mp4': { body: HLS, type: 'video/mp4' },
    '/hls.mp3': { body: HLS, type: 'audio/mpeg' },
    '/bomb.png': { body: bombPng(), type: 'image/png' },
    '/animated.png': { body: await animatedPng(60, 40), type: 'image/png' },
    '/heavy.png': { body: await noisePng(10.5), type: 'image/png' },
    '/half.jpg': { body: (await jpeg(300, 200)).subarray(0, 900), type: 'image/jpeg' },
    '/half.png': { body: (await png(300, 200)).subarray(0, 400), type: 'image/png' },
    '/empty.png': { body: Buffer.alloc(0), type: 'image/png' },
    '/wide.png': { body: await png(1000, 300) },
    '/turned.jpg': { body: await (await picture(60, 40)).withMetadata({ orientation: 6 }).jpeg().toBuffer() },
    '/cmyk.jpg': { body: await (await picture(60, 40)).toColourspace('cmyk').jpeg().toBuffer() },
    '/deep.png': { body: await (await picture(60, 40)).toColourspace('rgb16').png().toBuffer() },
    '/palette.png': { body: await (await picture(60, 40)).png({ palette: true }).toBuffer() },
    '/clip.mp4': { body: await readFile(await makeVideo(join(folder, 'clip.mp4'), { seconds: 4 })) },
    '/tone.mp3': { body: await readFile(await makeAudio(join(folder, 'tone.mp3'), 6)) },
    '/short.mp3': { body: await readFile(await makeAudio(join(folder, 'short.mp3'), 1.92)) },
  }
  for (const name of await readdir(folder)) await rm(join(folder, name))
  server = await startBadServer({ files })
  const door = { policy: parsePrivateNetwork(undefined, true), lookup: async () => [] }
  fetch = createGuardedFetch(door)
  impatient = createGuardedFetch({ ...door, timeouts: { connectMs: 300, headersMs: 300, wholeMs: 800 } })
  inspector = openInspectors()
  const gone = await startBadServer()
  closedPort = gone.port
  await gone.close()
})
after(async () => {
  await Promise.all([fetch.close(), impatient.close(), inspector.close(), server.close()])
  await rm(folder, { recursive: true })
})
afterEach(async () => {
  assert.deepEqual(await readdir(folder), [], 'no file is left behind')
})

async function take(url: string, use: InputUse) {
  const toPath = join(folder, crypto.randomUUID())
  const door = /hang|drip/.test(url) ? impatient : fetch
  const inspected = await fetchInput(
    { fetch: door, ...inspector },
    new URL(url, server.origin).href,
    use,
    toPath,
    tester,
  )
  await rm(toPath)
  return inspected
}

describe('taken', () => {
  const IMAGES: readonly (readonly [string, string, number, number])[] = [
    ['/good.jpg', 'image/jpeg', 60, 40],
    ['/good.png', 'image/png', 60, 40],
    ['/called-text', 'image/png', 60, 40],
    ['/called-jpeg', 'image/png', 60, 40],
    ['/hops?left=3&end=/good.jpg', 'image/jpeg', 60, 40],
    ['/turned.jpg', 'image/jpeg', 40, 60],
    ['/cmyk.jpg', 'image/jpeg', 60, 40],
    ['/deep.png', 'image/png', 60, 40],
    ['/palette.png', 'image/png', 60, 40],
  ]
  for (const [path, mime, width, height] of IMAGES) {
    test(`${path}`, async () => {
      const { bytes, ...rest } = await take(path, frame)
      assert.ok(bytes > 0)
      assert.deepEqual(rest, { kind: 'image', mime, width, height })
    })
  }

  test('a video and audio for elements', async () => {
    assert.equal((await take('/clip.mp4', element)).kind, 'video')
    assert.equal((await take('/good.png', element)).kind, 'image')
    assert.equal((await take('/tone.mp3', audio)).kind, 'audio')
  })
})

describe('refused', () => {
  const fetching = 'The image could not be fetched:'
  const TABLE: readonly (readonly [string, InputUse, FailReason, string | RegExp])[] = [
    ['/404', frame, 'image_fetch_failed', `${fetching} the server responded with 404.`],
    ['/500', frame, 'image_fetch_failed', `${fetching} the server responded with 500.`],
    ['/reset', frame, 'image_fetch_failed', /the connection broke/],
    ['/ends-early', frame, 'image_fetch_failed', /the connection broke/],
    ['/hang', frame, 'image_fetch_failed', `${fetching} the server took too long.`],
    ['/drip', frame, 'image_fetch_failed', `${fetching} the server took too long.`],
    ['/loop', frame, 'image_fetch_failed', /redirects too often/],
    ['/gzip', frame, 'image_fetch_failed', /compressed/],
    ['/to?url=http://10.0.0.1/', frame, 'image_fetch_failed', `${fetching} address not allowed.`],
    ['http://169.254.169.254/latest/', frame, 'image_fetch_failed', `${fetching} address not allowed.`],
    ['http://unknown.example/', frame, 'image_fetch_failed', `${fetching} the host name could not be resolved.`],
    [
      '/404',
      element,
      'image_fetch_failed',
      "The element's image or video could not be fetched: the server responded with 404.",
    ],
    ['/404', audio, 'image_fetch_failed', "The element's audio could not be fetched: the server responded with 404."],
    ['/endless', frame, 'image_too_large', 'The image is too large: more than 10 MB are not accepted.'],
    [
      '/announced?bytes=10485761',
      frame,
      'image_too_large',
      'The image is too large: more than 10 MB are not accepted.',
    ],
    [
      '/endless',
      element,
      'image_too_large',
      "The element's image or video is too large: more than 10 MB are not accepted.",
    ],
    ['/endless', audio, 'image_too_large', "The element's audio is too large: more than 50 MB are not accepted."],
    ['/heavy.png', frame, 'image_too_large', 'The image is too large: more than 10 MB are not accepted.'],
    ['/page.png', frame, 'image_format', 'The file is an HTML page; it must be a still JPEG or PNG image.'],
    ['/lie.png', frame, 'image_format', 'The file is an HTML page; it must be a still JPEG or PNG image.'],
    ['/svg.png', frame, 'image_format', 'The file is an SVG image; it must be a still JPEG or PNG image.'],
    ['/hls.png', frame, 'image_format', 'The file is a playlist; it must be a still JPEG or PNG image.'],
    ['/hls.mp4', element, 'image_format', /^The file is a playlist; it must be a JPEG or PNG image or an MP4/],
    ['/hls.mp3', audio, 'image_format', /^The file is a playlist; it must be audio/],
    ['/animated.png', frame, 'image_format', 'The file is an animated PNG; it must be a still JPEG or PNG image.'],
    ['/half.jpg', frame, 'image_format', /^The image is damaged or incomplete/],
    ['/half.png', frame, 'image_format', /^The image is damaged or incomplete/],
    ['/empty.png', frame, 'image_format', 'The file is an empty file; it must be a still JPEG or PNG image.'],
    ['/bomb.png', frame, 'unsupported_dimensions', /^The image is 16000×16000 \(256 megapixels\); at most 50/],
    [
      '/wide.png',
      { ...frame, ratio: { min: 0.4, max: 2.5 } },
      'unsupported_dimensions',
      'The image is 1000×300 (ratio 3.33); the ratio must be between 0.4 and 2.5.',
    ],
    ['/clip.mp4', { ...element, endMs: 8000 }, 'capture_window', /0 to 8000 ms, but the video lasts 4000 ms/],
    ['/clip.mp4', frame, 'image_format', /^The file is an MP4 file/],
    ['/short.mp3', audio, 'audio_length', 'The audio lasts 1.92 seconds; it must last 5 to 30 seconds.'],
  ]
  for (const [url, use, reason, message] of TABLE) {
    test(`${url} as ${use.kind}: ${reason}`, async () => {
      await assert.rejects(take(url, use), (error) => {
        assert.ok(error instanceof InputFailure, String(error))
        assert.equal(error.reason, reason)
        if (message instanceof RegExp) assert.match(error.message, message)
        else assert.equal(error.message, message)
        return true
      })
      await server.drained()
    })
  }

  test('a port without a listener', async () => {
    await assert.rejects(take(`http://127.0.0.1:${closedPort}/`, frame), {
      reason: 'image_fetch_failed',
      message: `${fetching} the server could not be reached.`,
    })
  })
})

test("a failure that is not the file's fault passes through", async () => {
  const reason = new Error('task was canceled')
  const toPath = join(folder, 'file')
  const url = `${server.origin}/good.png`
  const parts = { fetch, ...inspector }
  await assert.rejects(fetchInput(parts, url, frame, toPath, { ...tester, signal: AbortSignal.abort(reason) }), reason)
  await assert.rejects(fetchInput(parts, url, frame, join(folder, 'no', 'file'), tester), { code: 'ENOENT' })
})

test('one account with 200 fetches from hanging hosts delays no other', async () => {
  const lanes = createSlots({ total: 16, perAccount: 8, perKey: 8, perHost: 4, perTask: 4 })
  // With the usual time-outs, a fetch that waited for the hanging ones would wait for 10 seconds.
  const giveUp = new AbortController()
  const arrived = server.nextRequest()
  const hanging = Array.from({ length: 200 }, (_, i) =>
    lanes.run(
      { account: 'slow', key: 'slow', host: `h${i % 50}`, task: `t${i}` },
      () =>
        fetchInput({ fetch, ...inspector }, `${server.origin}/hang`, frame, join(folder, `h${i}`), {
          ...tester,
          signal: giveUp.signal,
        }),
      { signal: giveUp.signal },
    ),
  )
  const ended = Promise.allSettled(hanging)
  await arrived
  const startedAt = performance.now()
  const others = Array.from({ length: 8 }, (_, i) =>
    lanes.run({ account: 'quick', key: 'quick', host: 'h0', task: `t${i}` }, () => take('/good.png', frame)),
  )
  assert.equal((await Promise.all(others)).length, 8)
  assert.ok(performance.now() - startedAt < 5000)
  assert.deepEqual([lanes.running, lanes.waiting], [8, 192], 'the hanging ones still hang')
  giveUp.abort(new Error('enough'))
  await ended
  assert.deepEqual([lanes.running, lanes.waiting], [0, 0])
})
