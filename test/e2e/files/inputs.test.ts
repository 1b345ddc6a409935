// Input files through the front door: every file that a client names ends as a task that plays, or as one that failed with
// the right code, a sentence and its credits back.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { createAccount } from '../../../src/accounts/accounts.ts'
import { createKey } from '../../../src/accounts/keys/keys.ts'
import { createScriptedEngine } from '../../support/engines/scripted.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { type BadServer, startBadServer } from '../../support/network/bad-server.ts'
import { plainBox } from '../../support/plain-box.ts'
import { variantA, variantB } from '../../support/service/api.ts'
import { startService, type TestService } from '../../support/service/service.ts'

const day = 86_400_000
const clock = createManualClock(Date.parse('2026-01-01T00:00:00Z'))
/** Plays scripts, but under a name of its own, so that input files are gathered for it. */
const engine = { ...createScriptedEngine(), name: 'quick' }

let service: TestService
let server: BadServer

const picture = (width: number, height: number, format: 'jpeg' | 'png' = 'jpeg') =>
  sharp({ create: { width, height, channels: 3, background: '#478' } })
    [format]()
    .toBuffer()

/** Too varied to be compressed: a large file. */
const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: '#478', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  })
    .png()
    .toBuffer()

before(async () => {
  server = await startBadServer({
    files: {
      '/good.jpg': { body: await picture(320, 200) },
      '/good.png': { body: await picture(320, 200, 'png') },
      '/closes.png': { body: await noise(1000, 600), closes: true },
      '/wide.jpg': { body: await picture(1000, 300) },
      '/page.jpg': { body: Buffer.from('<!doctype html><p>not found') },
      '/cut.jpg': { body: (await picture(320, 200)).subarray(0, 400) },
      '/heavy.jpg': { body: Buffer.concat([await picture(320, 200), Buffer.alloc(10 * 2 ** 20)]) },
    },
  })
  service = await startService({ DAILIES_MODERATION: 'prompts' }, { engine, clock })
})
after(async () => {
  await service?.stop()
  await server?.close()
})

async function endOf(model: string, input: object): Promise<Record<string, unknown>> {
  const answer = await service.api.post('/api/v1/jobs/createTask', { model, input })
  assert.equal(answer.status, 200, answer.text)
  return service.api.until(answer.body.data.taskId, ['success', 'fail'], 30_000)
}

const balance = async () => (await service.api.get('/api/v1/account/credit')).body.data as number

describe('an input file', () => {
  test('that is good reaches the engine', async () => {
    const a = await endOf(variantA, {
      prompt: 'x',
      image_url: `${server.origin}/good.jpg`,
      tail_image_url: `${server.origin}/good.png`,
    })
    assert.equal(a.state, 'success')
    const b = await endOf(variantB, { prompt: 'x', image_urls: [`${server.origin}/good.png`] })
    assert.equal(b.state, 'success')
  })

  test('may come from a server that closes the connection right after a large file', async () => {
    const record = await endOf(variantA, { prompt: 'x', image_url: `${server.origin}/closes.png` })
    assert.equal(record.state, 'success', String(record.failMsg))
  })

  test('that is bad ends the task with code, reason and sentence, free of charge', async () => {
    const before = await balance()
    const a = (path: string, prompt = 'x') => [variantA, { prompt, image_url: server.origin + path }] as const
    const cases: [readonly [string, object], string, string, RegExp][] = [
      [a('/404'), '451', 'image_fetch_failed', /404/],
      [a('/500'), '451', 'image_fetch_failed', /500/],
      [a('/reset'), '451', 'image_fetch_failed', /could not be fetched/],
      [a('/page.jpg'), '422', 'image_format', /an HTML page/],
      [a('/cut.jpg'), '422', 'image_format', /./],
      [a('/heavy.jpg'), '422', 'image_too_large', /10 MB/],
      [a('/endless'), '422', 'image_too_large', /10 MB/],
      [
        [variantA, { prompt: 'x', image_url: 'http://169.254.169.254/a.jpg' }],
        '451',
        'image_fetch_failed',
        /address not allowed/,
      ],
      [
        [variantA, { prompt: 'x', image_url: `${server.origin}/good.jpg`, tail_image_url: `${server.origin}/404` }],
        '451',
        'image_fetch_failed',
        /404/,
      ],
      [
        [variantB, { prompt: 'x', image_url: [`${server.origin}/wide.jpg`] }],
        '422',
        'unsupported_dimensions',
        /1000×300 \(ratio 3\.33\).*between 0\.4 and 2\.5/,
      ],
      [a('/good.jpg', 'a nude child in bed'), '422', 'prompt_moderated', /moderation/],
      [
        [variantA, { prompt: 'x', image_url: `${service.url}/files/nothing/a.jpg` }],
        '451',
        'image_fetch_failed',
        /not there, or has expired/,
      ],
    ]
    for (const [[model, input], code, reason, sentence] of cases) {
      const record = await endOf(model, input)
      assert.deepEqual(
        [record.state, record.failCode, record.failReason],
        ['fail', code, reason],
        JSON.stringify(record),
      )
      assert.match(String(record.failMsg), sentence)
      assert.equal(record.creditsConsumed, 0)
    }
    assert.equal(await balance(), before)
  })

  test('of our own is read from storage, not over HTTP, until it expires', async () => {
    const upload = await service.api.post('/api/v1/files/upload', { fileUrl: `${server.origin}/good.jpg` })
    const { downloadUrl } = upload.body.data
    assert.equal((await endOf(variantA, { prompt: 'x', image_url: downloadUrl })).state, 'success')
    clock.advance(3 * day)
    assert.equal((await endOf(variantA, { prompt: 'x', image_url: downloadUrl })).failReason, 'image_fetch_failed')
  })

  test("one account's hanging hosts do not hold up another's tasks", async () => {
    const { key } = await service.app.db.transaction(async (tx) => {
      const account = await createAccount(tx, 'other', 1000, clock.now(), plainBox)
      return createKey(tx, { accountId: account.id, name: 'other' }, clock.now())
    })
    const hanging = await Promise.all(
      Array.from({ length: 200 }, () =>
        service.api.post('/api/v1/jobs/createTask', {
          model: variantA,
          input: { prompt: 'x', image_url: `${server.origin}/hang` },
        }),
      ),
    )
    const other = service.as(key)
    const task = await other.post('/api/v1/jobs/createTask', {
      model: variantA,
      input: { prompt: 'x', image_url: `${server.origin}/good.jpg` },
    })
    const record = await other.until(task.body.data.taskId, ['success', 'fail'], 5000)
    assert.equal(record.state, 'success')
    const first = await service.api.record(hanging[0]!.body.data.taskId)
    assert.equal(first.state, 'wait')
    for (const answer of hanging) await service.api.post('/api/v1/jobs/cancelTask', { taskId: answer.body.data.taskId })
  })

  test('is deleted from storage once its task has ended', async () => {
    await service.app.upkeep()
    const inputs = await service.app.db.all(`select token from files where purpose = 'input'`)
    assert.deepEqual(inputs, [])
  })
})
