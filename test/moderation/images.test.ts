// Image moderation with the real model in its child process: verdicts, formats, crash, time-out, replacement, close.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { ChildError } from '../../src/children/child-error.ts'
import { createModerator, judgeImage } from '../../src/moderation/moderation.ts'
import { createModerationChildren, type ModerationChildrenOptions } from '../../src/moderation/moderation-children.ts'
import { generateImages } from './fixtures/generated-images.ts'

const crashingModule = new URL('./fixtures/crashing-moderation-main.ts', import.meta.url)
const tester = { caller: { account: 'test', key: 'test' } }
const hasCode = (code: string) => (error: unknown) => error instanceof ChildError && error.code === code

/** The checks of one process, for one caller. */
function createImageClassifier(options: ModerationChildrenOptions = {}) {
  const children = createModerationChildren({ slots: 1, ...options })
  return {
    classify: (path: string) => children.scoreImage(path, tester),
    childPid: () => children.pids()[0] ?? null,
    close: children.close,
  }
}

let folder: string
let jpeg: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dailies-moderation-'))
  jpeg = join(folder, 'landscape.jpg')
  const landscape = generateImages().find(({ name }) => name.startsWith('landscape'))!
  await landscape.image.jpeg().toFile(jpeg)
})
after(() => rm(folder, { recursive: true }))

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it('judges by porn and hentai together, never by sexy', () => {
  const scores = { drawing: 0, hentai: 0, neutral: 0, porn: 0, sexy: 0 }
  const table: [Partial<typeof scores>, number, boolean][] = [
    [{ neutral: 1 }, 0.6, true],
    [{ sexy: 1 }, 0.6, true],
    [{ porn: 0.61 }, 0.6, false],
    [{ hentai: 0.61 }, 0.6, false],
    [{ porn: 0.31, hentai: 0.3 }, 0.6, false],
    [{ porn: 0.3, hentai: 0.3 }, 0.6, true],
    [{ porn: 0.5 }, 0.4, false],
    [{ porn: 0.9 }, 0.95, true],
  ]
  for (const [part, threshold, allowed] of table) {
    const verdict = judgeImage({ ...scores, ...part }, threshold)
    assert.equal(verdict.allowed, allowed, JSON.stringify([part, threshold]))
    if (!verdict.allowed) assert.equal(verdict.reason, 'nsfw_image')
  }
})

describe('image moderation', () => {
  it('allows a harmless picture, and refuses it when the threshold says so', async () => {
    const moderator = createModerator({ mode: 'on' })
    const strict = createModerator({ mode: 'on', thresholds: { imageExplicit: -1 } })
    try {
      assert.deepEqual(await moderator.checkImage(jpeg, tester), { allowed: true })
      const verdict = await strict.checkImage(jpeg, tester)
      assert.ok(!verdict.allowed && verdict.reason === 'nsfw_image')
      assert.doesNotMatch(verdict.message, /landscape|\//)
    } finally {
      await Promise.all([moderator.close(), strict.close()])
    }
  })
})

describe('image classifier', () => {
  const classifier = createImageClassifier()
  after(() => classifier.close())

  it('gives probabilities, the same each time, from one child', async () => {
    const first = await classifier.classify(jpeg)
    const pid = classifier.childPid()
    const again = await Promise.all([classifier.classify(jpeg), classifier.classify(jpeg)])
    assert.deepEqual(again, [first, first])
    assert.equal(classifier.childPid(), pid)
    assert.ok(Math.abs(Object.values(first).reduce((sum, value) => sum + value, 0) - 1) < 1e-4)
  })

  it('reads CMYK, 16-bit, palette and transparent images', async () => {
    const files = {
      'cmyk.jpg': sharp(jpeg).toColourspace('cmyk').jpeg(),
      'deep.png': sharp(jpeg).toColourspace('rgb16').png(),
      'palette.png': sharp(jpeg).png({ palette: true }),
      'grey.png': sharp(jpeg).greyscale().png(),
      'alpha.png': sharp(jpeg).ensureAlpha(0.5).png(),
    }
    for (const [name, image] of Object.entries(files)) {
      await image.toFile(join(folder, name))
      const scores = await classifier.classify(join(folder, name))
      assert.ok(scores.porn + scores.hentai < 0.6, name)
    }
  })

  it('looks at rotated images upright', async () => {
    const upright = join(folder, 'upright.png')
    const turned = join(folder, 'turned.png')
    await sharp(jpeg).png().toFile(upright)
    // Orientation 6: shown after a quarter turn clockwise, so the pixels are stored a quarter turn back.
    await sharp(jpeg).rotate(270).withMetadata({ orientation: 6 }).png().toFile(turned)
    assert.equal((await sharp(turned).metadata()).orientation, 6)
    const [a, b] = [await classifier.classify(upright), await classifier.classify(turned)]
    for (const key of ['drawing', 'hentai', 'neutral', 'porn', 'sexy'] as const)
      assert.ok(Math.abs(a[key] - b[key]) < 0.02, `${key}: ${a[key]} and ${b[key]}`)
  })

  it('rejects what it cannot read, other formats in disguise included, and keeps its child', async () => {
    await classifier.classify(jpeg)
    const pid = classifier.childPid()
    const svg = join(folder, 'vector.png')
    const gif = join(folder, 'moving.png')
    const text = join(folder, 'text.jpg')
    await writeFile(
      svg,
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
    )
    await sharp(jpeg).gif().toFile(gif)
    await writeFile(text, 'no picture')
    for (const path of [svg, gif, text, join(folder, 'missing.jpg')])
      await assert.rejects(classifier.classify(path), hasCode('failed'), path)
    await classifier.classify(jpeg)
    assert.equal(classifier.childPid(), pid)
  })

  it('does not let an image suffer for a child that was killed', async () => {
    const before = await classifier.classify(jpeg)
    const pid = classifier.childPid()!
    process.kill(pid, 'SIGKILL')
    assert.deepEqual(await classifier.classify(jpeg), before)
    assert.notEqual(classifier.childPid(), pid)
  })
})

describe('image classifier failures', () => {
  for (const [file, code] of [
    ['crash.jpg', 'crashed'],
    ['abort.jpg', 'crashed'],
    ['hang.jpg', 'timed_out'],
  ] as const)
    it(`rejects ${file} as ${code}, in the end, and serves what waits from a fresh child`, async () => {
      const classifier = createImageClassifier({ module: crashingModule, jobMsMax: 8_000 })
      try {
        const before = await classifier.classify(jpeg)
        const pid = classifier.childPid()!
        const [failed, queued] = await Promise.allSettled([
          classifier.classify(join(folder, file)),
          classifier.classify(jpeg),
        ])
        assert.ok(failed.status === 'rejected' && hasCode(code)(failed.reason), JSON.stringify(failed))
        assert.ok(queued.status === 'fulfilled', JSON.stringify(queued))
        assert.deepEqual(queued.value, before)
        assert.notEqual(classifier.childPid(), pid)
      } finally {
        await classifier.close()
      }
    })

  it('reports a child that cannot start', async () => {
    const classifier = createImageClassifier({ module: new URL('./fixtures/missing.ts', import.meta.url) })
    await assert.rejects(classifier.classify(jpeg), hasCode('start_failed'))
    await classifier.close()
  })

  it('refuses more than it can queue', async () => {
    const classifier = createImageClassifier({ waitingMax: 1 })
    try {
      const kept = [classifier.classify(jpeg), classifier.classify(jpeg)]
      await assert.rejects(classifier.classify(jpeg), hasCode('busy'))
      assert.equal((await Promise.all(kept)).length, 2)
    } finally {
      await classifier.close()
    }
  })

  it('ends its child and rejects what is open when closed', async () => {
    const classifier = createImageClassifier()
    await classifier.classify(jpeg)
    const pid = classifier.childPid()!
    const open = [classifier.classify(jpeg), classifier.classify(jpeg)].map((call) =>
      assert.rejects(call, hasCode('closed')),
    )
    await classifier.close()
    await Promise.all(open)
    assert.equal(isAlive(pid), false)
    await assert.rejects(classifier.classify(jpeg), hasCode('closed'))
  })
})
