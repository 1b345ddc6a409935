// Audio and video as they come, probed in the child: true lengths, damaged and disguised files, crashes, overruns.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { InputFailure } from '../../src/media/input-failure.ts'
import { makeAudio, makeVideo, turnMp4 } from '../support/files/av-files.ts'
import { jpeg } from '../support/files/image-files.ts'
import { type Inspectors, openInspectors } from '../support/files/inspectors.ts'

let folder: string
let av: Inspectors
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'av-'))
  av = openInspectors()
})
after(async () => {
  await av.close()
  await rm(folder, { recursive: true })
})

const at = (name: string) => join(folder, name)
const near = (found: number, expected: number) =>
  assert.ok(Math.abs(found - expected) <= 0.05, `${found} is not near ${expected}`)

async function refused(work: Promise<unknown>, message: RegExp): Promise<InputFailure> {
  const error = await work.then(
    () => assert.fail('it was taken'),
    (reason) => reason,
  )
  assert.ok(error instanceof InputFailure, String(error))
  assert.equal(error.reason, 'image_format')
  assert.match(error.message, message)
  return error
}

describe('audio', () => {
  const MIMES = {
    wav: 'audio/wav',
    mp3: 'audio/mpeg',
    m4a: 'audio/mp4',
    mp4: 'audio/mp4',
    aac: 'audio/aac',
    ogg: 'audio/ogg',
    flac: 'audio/flac',
    webm: 'audio/webm',
    mkv: 'audio/x-matroska',
  }
  for (const [extension, mime] of Object.entries(MIMES)) {
    test(`${extension} is taken, whatever it is called, with its length to 50 ms`, async () => {
      const path = await makeAudio(at(`tone.${extension}`), 5)
      const disguised = at(`${extension}.jpg`)
      await writeFile(disguised, await readFile(path))
      const inspected = await av.inspectAudio(disguised)
      assert.equal(inspected.mime, mime)
      near(inspected.seconds, 5)
    })
  }

  test('a video is not audio, nor is an image or a playlist', async () => {
    await refused(
      av.inspectAudio(await makeVideo(at('v.mp4'), { seconds: 1 })),
      /^The file is a video; it must be audio/,
    )
    await writeFile(at('i.mp3'), await jpeg(9, 9))
    await refused(av.inspectAudio(at('i.mp3')), /^The file is a JPEG image; it must be audio/)
    await writeFile(at('p.mp3'), '#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n')
    await refused(av.inspectAudio(at('p.mp3')), /^The file is a playlist;/)
  })

  test('a file that lies about its length is measured by what it holds', async () => {
    const bytes = await readFile(await makeAudio(at('long.mp3'), 8))
    await writeFile(at('cut.mp3'), bytes.subarray(0, bytes.length >> 1))
    near((await av.inspectAudio(at('cut.mp3'))).seconds, 4)
  })

  test('a file whose header promises much more than is there was cut off', async () => {
    for (const extension of ['wav', 'flac', 'm4a']) {
      const bytes = await readFile(await makeAudio(at(`whole.${extension}`), 8))
      await writeFile(at(`cut.${extension}`), bytes.subarray(0, bytes.length >> 1))
      const wav = extension === 'wav'
      // FFmpeg takes the length of a WAV from what is there, so a cut one is simply shorter.
      if (wav) near((await av.inspectAudio(at(`cut.${extension}`))).seconds, 4)
      else await refused(av.inspectAudio(at(`cut.${extension}`)), /damaged, incomplete or not supported/)
    }
  })
})

describe('video', () => {
  const MIMES = { mp4: 'video/mp4', mov: 'video/quicktime', webm: 'video/webm', mkv: 'video/x-matroska' }
  for (const [extension, mime] of Object.entries(MIMES)) {
    test(`${extension} is taken with its size and its length to 50 ms`, async () => {
      const path = await makeVideo(at(`clip.${extension}`), { seconds: 3, width: 96, height: 64 })
      const { seconds, ...rest } = await av.inspectVideo(path)
      assert.deepEqual(rest, { width: 96, height: 64, mime })
      near(seconds, 3)
    })
  }

  test('a video that is stored lying is measured as it is shown', async () => {
    const lying = await makeVideo(at('lying.mp4'), { seconds: 1, width: 96, height: 64 })
    await writeFile(at('turned.mp4'), turnMp4(await readFile(lying)))
    const { width, height } = await av.inspectVideo(at('turned.mp4'))
    assert.deepEqual([width, height], [64, 96])
  })

  test('audio alone has no picture', async () => {
    for (const extension of ['mp4', 'm4a', 'mp3']) {
      await refused(
        av.inspectVideo(await makeAudio(at(`sound.${extension}`), 1)),
        /without a picture; it must be a JPEG/,
      )
    }
  })

  test('playlists and lists of files are refused whatever they pretend to be', async () => {
    const whole = await makeVideo(at('inner.mp4'), { seconds: 1 })
    const disguises: readonly (readonly [string, string])[] = [
      ['hls.mp4', `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${whole}\n#EXT-X-ENDLIST\n`],
      ['concat.mp4', `ffconcat version 1.0\nfile ${whole}\n`],
      ['dash.mp4', '<?xml version="1.0"?><MPD><Period><BaseURL>file:///etc/passwd</BaseURL></Period></MPD>'],
      ['sdp.mp4', 'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n'],
    ]
    for (const [name, text] of disguises) {
      await writeFile(at(name), text)
      await refused(av.inspectVideo(at(name)), /^The file is (a playlist|of an unknown type); it must be/)
    }
  })

  test('a playlist behind the head of a real format is still refused', async () => {
    const playlist = Buffer.from('#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n')
    const heads = ['0000001866747970', '1a45dfa3', '49443303']
    for (const head of heads) {
      await writeFile(at('headed'), Buffer.concat([Buffer.from(head, 'hex'), playlist]))
      await refused(av.inspectVideo(at('headed')), /damaged, incomplete or not supported/)
    }
  })

  test('files that end early or hold nonsense are refused', async () => {
    for (const extension of ['mp4', 'webm', 'mkv']) {
      const bytes = await readFile(await makeVideo(at(`whole.${extension}`), { seconds: 4 }))
      await writeFile(at(`cut.${extension}`), bytes.subarray(0, bytes.length >> 1))
      await refused(av.inspectVideo(at(`cut.${extension}`)), /damaged, incomplete or not supported/)
      await writeFile(at(`noise.${extension}`), Buffer.concat([bytes.subarray(0, 64), Buffer.alloc(9999, 7)]))
      await refused(av.inspectVideo(at(`noise.${extension}`)), /damaged, incomplete or not supported/)
    }
  })

  test('a picture of too many pixels is refused before it is decoded', async () => {
    const bytes = await readFile(await makeVideo(at('huge.mp4'), { seconds: 1 }))
    const entry = bytes.indexOf('avc1', bytes.indexOf('stsd'))
    bytes.writeUInt16BE(16_000, entry + 28)
    bytes.writeUInt16BE(16_000, entry + 30)
    await writeFile(at('huge.mp4'), bytes)
    const error = await refused(av.inspectVideo(at('huge.mp4')), /not supported/)
    assert.match(String((error.cause as Error).message), /too large/)
  })
})

describe('the children', () => {
  const module = new URL('./fixtures/crashing-inspect-main.ts', import.meta.url)
  const WAV_HEAD = Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1')
  let rude: Inspectors
  before(() => {
    rude = openInspectors({ module, slots: 1, jobMsMax: 2000 })
  })
  after(() => rude.close())

  /** The rude child gives its own pid as the length. */
  const ask = async (name: string) => {
    await writeFile(at(name), WAV_HEAD)
    return (await rude.inspectAudio(at(name))).seconds
  }

  test('are reused from file to file', async () => {
    assert.equal(await ask('one'), await ask('two'))
  })

  test('are replaced after a crash, which costs one file', async () => {
    const before = await ask('one')
    const failures = await Promise.allSettled([ask('crash'), ask('exit'), ask('after')])
    assert.deepEqual(
      failures.map(({ status }) => status),
      ['rejected', 'rejected', 'fulfilled'],
    )
    for (const failed of failures.slice(0, 2)) {
      const { reason } = failed as PromiseRejectedResult
      assert.ok(reason instanceof InputFailure)
      assert.match(reason.message, /the process that inspected it crashed/)
      assert.equal(reason.passing?.of, 'child')
    }
    assert.notEqual(await ask('one'), before)
  })

  test('are ended and replaced when they take too long', async () => {
    const before = await ask('one')
    const startedAt = performance.now()
    const error = await refused(ask('hang'), /damaged, incomplete or not supported/)
    assert.match(String((error.cause as Error).message), /took longer than 2000 ms/)
    assert.ok(performance.now() - startedAt < 5000)
    assert.notEqual(await ask('one'), before)
    assert.throws(() => process.kill(before, 0), { code: 'ESRCH' }, 'the old child is gone')
  })

  test('are ended and replaced when they outgrow their memory', async () => {
    const hungry = openInspectors({ module, slots: 1 })
    await writeFile(at('grow'), WAV_HEAD)
    const error = await refused(hungry.inspectAudio(at('grow')), /damaged, incomplete or not supported|crashed/)
    assert.match(String((error.cause as Error).message), /more than 900 MB|allocate|ended with/)
    await hungry.close()
  })

  test('do not blame the file for an error of our own', async () => {
    await assert.rejects(ask('broken'), (error) => !(error instanceof InputFailure))
  })

  test('end on close, and what still waited is rejected', async () => {
    const own = openInspectors({ module, slots: 1 })
    await writeFile(at('hang'), WAV_HEAD)
    await writeFile(at('plain'), WAV_HEAD)
    const pid = (await own.inspectAudio(at('plain'))).seconds
    const pending = [own.inspectAudio(at('hang')), own.inspectAudio(at('plain'))]
    const outcomes = Promise.allSettled(pending)
    await own.close()
    assert.deepEqual(
      (await outcomes).map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
    await assert.rejects(own.inspectAudio(at('plain')), /closed/)
  })
})
