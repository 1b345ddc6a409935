// Every method of the client against a real service.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import {
  Dailies,
  FeatureDisabled,
  InsufficientCredits,
  InvalidRequest,
  NotAuthenticated,
  NotFound,
  omniModel,
  ServiceUnavailable,
  SubKeyLimitReached,
  TaskFailed,
  type TaskProgress,
  turboModel,
  videoUrlOf,
} from '../../client/src/public.ts'
import { createAccount } from '../../src/accounts/accounts.ts'
import { createKey } from '../../src/accounts/keys/keys.ts'
import { plainBox } from '../support/plain-box.ts'
import { taskBody, variantA } from '../support/service/api.ts'
import { startService, type TestService, testKey } from '../support/service/service.ts'
import { startAnswerCutter } from './support/answer-cutter.ts'

let service: TestService
let client: Dailies
let png: Uint8Array<ArrayBuffer>

before(async () => {
  service = await startService()
  client = new Dailies({ baseUrl: `${service.url}/`, apiKey: testKey })
  png = new Uint8Array(
    await sharp({ create: { width: 64, height: 48, channels: 3, background: '#c63' } })
      .png()
      .toBuffer(),
  )
})
after(() => service?.stop())

const body = (prompt = 'a boat', input: object = {}) => ({
  model: turboModel,
  input: { prompt, image_url: 'http://127.0.0.1:9/a.png', ...input },
})

describe('tasks', () => {
  test('create, wait with progress, read both records, the timeline and the file', async () => {
    const steps: TaskProgress[] = []
    const taskId = await client.createTask(body('a boat script: progress 10, wait 300ms, progress 60, wait 300ms'))
    const record = await client.wait(taskId, { onProgress: (step) => steps.push(step) })
    assert.equal(record.state, 'success')
    assert.deepEqual(await client.getTask(taskId), record)
    const half = steps.find((step) => step.progress === 60)!
    assert.equal(half.state, 'generating')
    assert.ok(half.timeLeftMs! > 0 && half.timeLeftMs! < 5000, `time left ${half.timeLeftMs}`)
    assert.equal(steps.at(-1)!.state, 'success')
    const video = await client.getVideo(taskId)
    assert.equal(video.videoInfo!.videoUrl, videoUrlOf(record))
    assert.match(await (await client.download(video.videoInfo!.videoUrl)).text(), /scripted: a boat/)
    const moves = (await client.timeline(taskId)).items.map((move) => move.state)
    assert.deepEqual(moves, ['wait', 'queueing', 'generating', 'success'])
  })

  test('a task that fails is a TaskFailed with the service’s sentence', async () => {
    const taskId = await client.createTask(body('a boat script: fail The boat sank.'))
    const failure = await client.wait(taskId).catch((error) => error)
    assert.ok(failure instanceof TaskFailed)
    assert.equal(failure.code, 501)
    assert.equal(failure.failReason, 'engine_failed')
    assert.equal(failure.message, 'The boat sank.')
    assert.equal(failure.taskId, taskId)
  })

  test('generate uploads bytes, creates, waits and gives the video', async () => {
    const uploads: number[] = []
    let created = ''
    const result = await client.generate({
      image: png,
      tailImage: new Blob([png]),
      prompt: 'a boat',
      duration: 10,
      onUpload: ({ sentBytes }) => uploads.push(sentBytes),
      onTask: (taskId) => {
        created = taskId
      },
    })
    assert.equal(result.taskId, created)
    assert.match(await (await fetch(result.videoUrl)).text(), /ftyp/)
    assert.match(result.thumbnailUrl, /\/files\/.*\.jpg$/)
    const { model, input } = JSON.parse(result.record.param)
    assert.equal(model, turboModel)
    assert.equal(input.duration, 10)
    assert.deepEqual(new Uint8Array(await (await fetch(input.image_url)).arrayBuffer()), png)
    assert.notEqual(input.tail_image_url, input.image_url)
    assert.equal(uploads.at(-1), png.length)
    assert.deepEqual(result.record.ignoredFields, [])
  })

  test('generate with the other model and a URL', async () => {
    const image = 'http://127.0.0.1:9/a.png'
    const result = await client.generate({ model: omniModel, image, tailImage: image, prompt: 'a boat', duration: 4 })
    assert.deepEqual(JSON.parse(result.record.param).input, {
      prompt: 'a boat',
      duration: 4,
      image_url: [image, image],
    })
  })

  test('extend, cancel and delete', async () => {
    const first = await client.createTask(body())
    await client.wait(first)
    const extension = await client.extend({ taskId: first, prompt: 'it sails on', duration: 5 })
    await client.wait(extension)
    assert.equal((await client.getVideo(extension)).parentTaskId, first)

    const stalled = await client.createTask(body('a boat script: stall'))
    assert.deepEqual(await client.cancel(stalled), { taskId: stalled, state: 'fail' })
    await assert.rejects(client.wait(stalled), { name: 'TaskFailed', failReason: 'canceled' })
    await assert.rejects(client.cancel(stalled), InvalidRequest)

    assert.deepEqual(await client.deleteTask(stalled), { taskId: stalled })
    await assert.rejects(client.getTask(stalled), NotFound)
    await assert.rejects(client.wait(stalled), NotFound)
    await assert.rejects(client.deleteTask(stalled), NotFound)
  })

  test('a lost response makes no second task, and a cancel or delete that was done counts as done', async () => {
    for (const [request, act] of [
      ['POST /api/v1/jobs/createTask', (there: Dailies) => there.createTask(body('once'))],
      ['POST /api/v1/jobs/cancelTask', async (there: Dailies) => there.cancel(await stalledTask())],
      ['DELETE /api/v1/jobs/', async (there: Dailies) => there.deleteTask(await finishedTask())],
    ] as const) {
      const before = (await client.usage()).days.reduce((sum, day) => sum + day.tasks, 0)
      await using cutter = await startAnswerCutter(service.url, request, 2)
      await act(new Dailies({ baseUrl: cutter.url, apiKey: testKey }))
      assert.equal(cutter.cuts(), 2, request)
      const after = (await client.usage()).days.reduce((sum, day) => sum + day.tasks, 0)
      // One task for each line of the table; the last one deletes it again.
      assert.equal(after - before, request.startsWith('DELETE') ? 0 : 1, request)
    }
  })

  test('two calls with the same idempotency key create one task', async () => {
    const options = { idempotencyKey: 'order-7' }
    const taskId = await client.createTask(body(), options)
    assert.equal(await client.createTask(body(), options), taskId)
    await assert.rejects(client.createTask(body('another'), options), InvalidRequest)
  })

  test('list gives pages, or everything in turn, by filter', async () => {
    const lister = await clientOfNewAccount('lister', 10_000)
    const ids: string[] = []
    for (let count = 0; count < 5; count++) ids.unshift(await lister.createTask(body(`boat ${count}`)))
    for (const id of ids) await lister.wait(id)
    const page = await lister.list({ limit: 2 }).page()
    assert.deepEqual(
      page.items.map((task) => task.taskId),
      ids.slice(0, 2),
    )
    const second = await lister.list({ limit: 2 }).page(page.nextCursor)
    assert.deepEqual(
      second.items.map((task) => task.taskId),
      ids.slice(2, 4),
    )
    assert.deepEqual(
      (await Array.fromAsync(lister.list({ limit: 2, state: 'success', model: turboModel }))).map((t) => t.taskId),
      ids,
    )
    assert.deepEqual(await Array.fromAsync(lister.list({ state: 'fail' })), [])
    const kinds = (await Array.fromAsync(lister.ledger({ limit: 3 }))).map((entry) => entry.kind).sort()
    assert.deepEqual(kinds, ['grant', ...Array(5).fill('hold'), ...Array(5).fill('settle')])
    const held = await Array.fromAsync(lister.ledger({ taskId: ids[0]! }))
    assert.deepEqual(
      held.map((entry) => entry.amount),
      [0, -42],
    )
    assert.equal(await lister.credit(), 10_000 - 5 * 42)
    const usage = await lister.usage({ days: 2 })
    assert.deepEqual(usage.models, [{ model: variantA, tasks: 5, credits: 210 }])
    await assert.rejects(lister.operator.status(), NotFound)
  })
})

describe('files', () => {
  test('upload a blob with progress, and by URL', async () => {
    const steps: number[] = []
    const file = await client.upload(new Blob([png]), {
      fileName: 'a boat.png',
      onProgress: ({ sentBytes, totalBytes }) => steps.push(sentBytes / totalBytes),
    })
    assert.equal(file.mimeType, 'image/png')
    assert.equal(file.fileName, 'a boat.png')
    assert.equal(steps.at(-1), 1)
    assert.deepEqual(new Uint8Array(await (await client.download(file.downloadUrl)).arrayBuffer()), png)
    const again = await client.uploadFromUrl(file.downloadUrl, { fileName: 'again.png' })
    assert.equal(again.fileSize, png.length)
    await assert.rejects(client.upload(new TextEncoder().encode('no picture')), InvalidRequest)
    await assert.rejects(client.download(`${service.url}/files/none/none.mp4`), NotFound)
  })
})

describe('account', () => {
  test('sub-keys are made, listed, used, rotated and revoked', async () => {
    const limits = { creditLimit: 50, requestLimit: { requests: 100, per: 'day' as const } }
    const made = await client.keys.create({ name: 'shop', ...limits })
    const shop = new Dailies({ baseUrl: service.url, apiKey: made.key })
    await shop.wait(await shop.createTask(body()))
    await assert.rejects(shop.createTask(body()), SubKeyLimitReached)
    const listed = (await client.keys.list()).find((key) => key.id === made.id)!
    assert.equal(listed.name, 'shop')
    assert.equal(listed.creditUsed, 42)
    assert.deepEqual(listed.requestLimit, limits.requestLimit)
    const first = await client.keys.pages({ limit: 1 }).page()
    await client.keys.create({ name: 'another' })
    assert.equal(first.items.length, 1)
    const names = []
    for await (const { name } of client.keys.pages({ limit: 1 })) names.push(name)
    assert.deepEqual(
      names,
      (await client.keys.list()).map(({ name }) => name),
    )
    assert.equal(names.at(-1), 'another')
    const rotated = await client.keys.rotate(made.id)
    await assert.rejects(shop.credit(), NotAuthenticated)
    const shopAgain = new Dailies({ baseUrl: service.url, apiKey: rotated.key })
    await shopAgain.credit()
    assert.deepEqual(await client.keys.revoke(made.id), { id: made.id })
    await assert.rejects(shopAgain.credit(), NotAuthenticated)
  })

  test('models come with schema and prices', async () => {
    const models = await client.models()
    const turbo = models.find((model) => model.id === turboModel)!
    assert.equal(turbo.prices['5'], 42)
    assert.ok('prompt' in (turbo.inputSchema.properties as object))
  })
})

describe('operator', () => {
  test('status, maintenance, features, accounts and credits', async () => {
    const once = new Dailies({ baseUrl: service.url, apiKey: testKey, retries: 0 })
    await client.operator.setMaintenance(true)
    await assert.rejects(once.createTask(body()), ServiceUnavailable)
    assert.equal((await client.operator.status()).maintenance, true)
    assert.deepEqual(await client.operator.setMaintenance(false), { maintenance: false })
    assert.ok(await once.createTask(body()))

    await client.operator.setFeature('extend', false)
    const finished = await finishedTask()
    await assert.rejects(client.extend({ taskId: finished, prompt: 'on' }), FeatureDisabled)
    await client.operator.setFeature('extend', true)

    const account = (await client.operator.accounts()).find(({ name }) => name === 'default')!
    const { balance } = await client.operator.grant('default', 5)
    assert.equal(balance, account.balance + 5)
    const status = await client.operator.status()
    assert.ok(status.features.some(({ name, enabled }) => name === 'extend' && enabled))
    assert.ok(Array.isArray(status.queues))
  })
})

describe('errors', () => {
  test('say their code, the request and every wrong field', async () => {
    const error = await client.createTask({ model: turboModel, input: { duration: 7 } } as never).catch((e) => e)
    assert.ok(error instanceof InvalidRequest)
    assert.equal(error.code, 422)
    assert.match(error.requestId!, /^[\w-]+$/)
    assert.equal(error.tries, 1)
    assert.deepEqual(error.problems.map((problem) => problem.field).sort(), [
      'input.duration',
      'input.image_url',
      'input.prompt',
    ])
    assert.match(error.problems.find(({ field }) => field === 'input.duration')!.sentence, /"?5"? or "?10"?/)
    const input = { prompt: 'a boat', image_urls: ['https://example.com/a.png'] }
    const misnamed = await client.createTask({ model: turboModel, input } as never).catch((e) => e)
    assert.deepEqual(misnamed.problems, [
      { field: 'input.image_url', sentence: 'is required', suggestion: 'this model takes image_url, not image_urls' },
    ])
    await assert.rejects(new Dailies({ baseUrl: service.url, apiKey: 'wrong' }).credit(), NotAuthenticated)
    const poor = await clientOfNewAccount('poor', 1)
    await assert.rejects(poor.createTask(body()), InsufficientCredits)
  })

  test('a client without an address or key is a mistake of the program', () => {
    assert.throws(() => new Dailies({ baseUrl: 'localhost:8080', apiKey: 'k' }), TypeError)
    assert.throws(() => new Dailies({ baseUrl: service.url, apiKey: '' }), TypeError)
  })
})

async function clientOfNewAccount(name: string, credits: number): Promise<Dailies> {
  const nowMs = Date.now()
  const { key } = await service.app.db.transaction(async (tx) => {
    const { id } = await createAccount(tx, name, credits, nowMs, plainBox)
    return createKey(tx, { accountId: id, name: 'main' }, nowMs)
  })
  return new Dailies({ baseUrl: service.url, apiKey: key })
}

function stalledTask(): Promise<string> {
  return client.createTask(body('a boat script: stall'))
}

async function finishedTask(): Promise<string> {
  const taskId = await client.createTask(taskBody() as never)
  await client.wait(taskId)
  return taskId
}
