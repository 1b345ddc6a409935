// Both records of a task, field by field, in every state, and what the clock does to them.
import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { test } from 'node:test'
import type { LedgerEntry } from '../../../src/contract/accounts.ts'
import type { HeldJob } from '../../../src/tasks/store/task-files.ts'
import { requestOf, type TaskRow } from '../../../src/tasks/store/task-row.ts'
import { fetchNothing } from '../../support/engines/fetch-nothing.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { engineName } from '../../support/places/places.ts'
import type { Api } from '../../support/service/api.ts'
import { taskBody } from '../../support/service/api.ts'
import { newCaller } from '../../support/service/callers.ts'
import { describeService } from '../../support/service/suite.ts'

const startMs = Date.UTC(2030, 0, 2, 3, 4, 5, 678)
const dayMs = 86_400_000

const videoFields = [
  'taskId',
  'parentTaskId',
  'generateParam',
  'state',
  'generateTime',
  'videoInfo',
  'failCode',
  'failMsg',
  'expireFlag',
]
const unifiedFields = [
  'taskId',
  'model',
  'state',
  'param',
  'resultJson',
  'failCode',
  'failMsg',
  'failReason',
  'progress',
  'queuePosition',
  'timeLeftMs',
  'ignoredFields',
  'creditsConsumed',
  'costTime',
  'createTime',
  'updateTime',
  'completeTime',
  'understood',
  'video',
]

async function readBoth(api: Api, taskId: string) {
  const [video, unified] = await Promise.all([
    api.get(`/api/v1/video/recordInfo?taskId=${taskId}`),
    api.get(`/api/v1/jobs/recordInfo?taskId=${taskId}`),
  ])
  for (const answer of [video, unified]) {
    assert.equal(answer.status, 200)
    assert.equal(answer.body.code, 200)
  }
  assert.deepEqual(Object.keys(video.body.data), videoFields)
  assert.deepEqual(Object.keys(unified.body.data), unifiedFields)
  return { video: video.body.data, unified: unified.body.data }
}

/** Holds input files back until the test lets them through. */
function createGate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

let clock = createManualClock(startMs)
let gate = createGate()

function overrides() {
  clock = createManualClock(startMs)
  gate = createGate()
  return {
    clock,
    fetchInputs: async (task: TaskRow, held: HeldJob) => {
      if (requestOf(task).prompt.startsWith('held')) await gate.opened
      return fetchNothing(task, held)
    },
  }
}

describeService('records', { env: { DAILIES_RENDER_SLOTS: '1' }, overrides }, (service) => {
  const prompt = 'held  a boat script: progress 30, wait 60s'

  test('every field in wait, queueing, generating and fail', async () => {
    const { api } = await newCaller(service(), 1000)
    const body = taskBody(prompt)
    const taskId = (await api.post('/api/v1/jobs/createTask', body)).body.data.taskId
    const generateParam = { prompt, imageUrl: body.input.image_url, expandPrompt: false }
    const videoRecord = {
      taskId,
      parentTaskId: '',
      generateParam,
      videoInfo: null,
      failCode: null,
      failMsg: null,
      expireFlag: 0,
    }
    const unifiedRecord = {
      taskId,
      model: body.model,
      param: JSON.stringify(body),
      resultJson: '',
      failCode: '',
      failMsg: '',
      failReason: '',
      progress: 0,
      queuePosition: null,
      timeLeftMs: null,
      ignoredFields: [],
      creditsConsumed: 42,
      costTime: null,
      createTime: startMs,
      completeTime: null,
      understood: null,
      video: null,
    }

    const waiting = await readBoth(api, taskId)
    assert.deepEqual(waiting.video, { ...videoRecord, state: 'wait', generateTime: '2030-01-02 03:04:05' })
    assert.deepEqual(waiting.unified, { ...unifiedRecord, state: 'wait', updateTime: startMs })

    // Another task takes the only slot, so that this one waits for it.
    const blocker = await api.createTask('a boat script: stall')
    await api.until(blocker, ['generating'])
    clock.advance(2000)
    gate.open()
    await api.until(taskId, ['queueing'])
    const queued = await readBoth(api, taskId)
    assert.deepEqual(queued.video, { ...videoRecord, state: 'queueing', generateTime: '2030-01-02 03:04:07' })
    assert.deepEqual(queued.unified, {
      ...unifiedRecord,
      state: 'queueing',
      queuePosition: 1,
      updateTime: startMs + 2000,
    })

    clock.advance(3000)
    await api.post('/api/v1/jobs/cancelTask', { taskId: blocker })
    const progressed = await untilProgress(api, taskId, 30)
    assert.deepEqual(progressed, {
      ...unifiedRecord,
      state: 'generating',
      progress: 30,
      updateTime: startMs + 5000,
    })
    const generating = await readBoth(api, taskId)
    assert.deepEqual(generating.video, { ...videoRecord, state: 'generating', generateTime: '2030-01-02 03:04:10' })

    clock.advance(4000)
    await api.post('/api/v1/jobs/cancelTask', { taskId })
    const failed = await readBoth(api, taskId)
    const sentence = 'The task was canceled by its owner.'
    assert.deepEqual(failed.video, {
      ...videoRecord,
      state: 'fail',
      generateTime: '2030-01-02 03:04:14',
      failCode: '501',
      failMsg: sentence,
    })
    const endedMs = startMs + 9000
    assert.deepEqual(failed.unified, {
      ...unifiedRecord,
      state: 'fail',
      failCode: '501',
      failMsg: sentence,
      failReason: 'canceled',
      progress: 30,
      creditsConsumed: 0,
      costTime: 9000,
      updateTime: endedMs,
      completeTime: endedMs,
    })
  })

  test('success has the video, which expires after exactly 14 days and stays named', async () => {
    const { api } = await newCaller(service(), 1000)
    const taskId = await api.createTask()
    await api.until(taskId, ['success'])
    const { video, unified } = await readBoth(api, taskId)
    assert.deepEqual(Object.keys(video.videoInfo), ['videoId', 'taskId', 'videoUrl', 'imageUrl'])
    assert.equal(video.videoInfo.taskId, taskId)
    assert.match(video.videoInfo.videoId, /\S/)
    assert.match(video.videoInfo.videoUrl, new RegExp(`^${service().url}/files/[\\w-]{22,}/`))
    assert.match(video.videoInfo.imageUrl, new RegExp(`^${service().url}/files/[\\w-]{22,}/`))
    assert.notEqual(video.videoInfo.videoUrl, video.videoInfo.imageUrl)
    assert.deepEqual(JSON.parse(unified.resultJson), { resultUrls: [video.videoInfo.videoUrl] })
    assert.equal(unified.progress, 100)
    assert.deepEqual(unified.understood, { moves: [], effects: [], framing: null, notDone: [] })
    const { seconds, engine, bytes } = unified.video
    assert.deepEqual([seconds, engine], [5, engineName])
    assert.equal(bytes, Number((await fetch(video.videoInfo.videoUrl)).headers.get('content-length')))
    assert.equal(unified.creditsConsumed, 42)
    assert.equal(unified.failCode + unified.failMsg + unified.failReason, '')
    assert.equal(video.expireFlag, 0)

    clock.advance(14 * dayMs - 1)
    assert.deepEqual((await readBoth(api, taskId)).video, video)
    clock.advance(1)
    await service().app.upkeep()
    assert.deepEqual((await readBoth(api, taskId)).video, { ...video, expireFlag: 1 })
    assert.deepEqual((await readBoth(api, taskId)).unified, unified)
  })

  test('old records all go in one round of upkeep, however many there are', async () => {
    const caller = await newCaller(service(), 1_000_000)
    const ids = await Promise.all(Array.from({ length: 120 }, () => caller.api.createTask()))
    await Promise.all(ids.map((id) => caller.api.until(id, ['success'], 180_000)))
    clock.advance(90 * dayMs + 1)
    const young = await caller.api.createTask()
    await caller.api.until(young, ['success'])
    await service().app.upkeep()
    const { items } = (await caller.api.get('/api/v1/jobs/list')).body.data
    assert.deepEqual(
      items.map((item: { taskId: string }) => item.taskId),
      [young],
    )
    assert.equal((await caller.api.get(`/api/v1/jobs/timeline?taskId=${ids[0]}`)).status, 404)
  })

  test('a record goes after its time to live, and its ledger stays', async () => {
    const caller = await newCaller(service(), 1000)
    const taskId = await caller.api.createTask()
    await caller.api.until(taskId, ['success'])
    clock.advance(90 * dayMs)
    await service().app.upkeep()
    assert.equal((await caller.api.get(`/api/v1/jobs/recordInfo?taskId=${taskId}`)).status, 200)
    clock.advance(1)
    await service().app.upkeep()
    assert.equal((await caller.api.get(`/api/v1/jobs/recordInfo?taskId=${taskId}`)).status, 404)
    const ledger = await caller.api.get(`/api/v1/account/ledger?taskId=${taskId}`)
    assert.deepEqual(
      ledger.body.data.items.map((entry: LedgerEntry) => [entry.kind, entry.amount, entry.cost]),
      [
        ['settle', 0, 42],
        ['hold', -42, null],
      ],
    )
  })

  test('the timeline has every move with its time', async () => {
    const { api } = await newCaller(service(), 1000)
    const taskId = await api.createTask('a boat script: fail the sea was rough')
    await api.until(taskId, ['fail'])
    const { data } = (await api.get(`/api/v1/jobs/timeline?taskId=${taskId}`)).body
    assert.equal(data.taskId, taskId)
    const moves = data.items.map(({ state, attempt, note }: Record<string, unknown>) => [state, attempt, note])
    assert.deepEqual(moves, [
      ['wait', 0, 'accepted'],
      ['queueing', 0, null],
      ['generating', 1, `engine ${engineName} on worker ${hostname()}:${process.pid}`],
      ['fail', 1, 'engine_failed'],
    ])
    for (const { at } of data.items) assert.equal(at, clock.now())
  })

  test('queue positions follow the fair order', async () => {
    const one = await newCaller(service(), 10_000)
    const two = await newCaller(service(), 10_000)
    const blocker = await one.api.createTask('a boat script: stall')
    await one.api.until(blocker, ['generating'])
    const large = []
    for (let i = 0; i < 4; i++) large.push(await one.api.createTask('a boat', { duration: '10' }))
    const small = await two.api.createTask()
    const position = async (api: Api, taskId: string) => {
      await api.until(taskId, ['queueing'])
      return (await api.record(taskId)).queuePosition
    }
    for (const taskId of large) await one.api.until(taskId, ['queueing'])
    assert.equal(await position(two.api, small), 1)
    const positions = []
    for (const taskId of large) positions.push(await position(one.api, taskId))
    assert.deepEqual(positions, [2, 3, 4, 5])
    await one.api.post('/api/v1/jobs/cancelTask', { taskId: blocker })
    for (const taskId of large) await one.api.until(taskId, ['success'])
  })
})

async function untilProgress(api: Api, taskId: string, progress: number) {
  const deadline = performance.now() + 5000
  for (;;) {
    const record = await api.record(taskId)
    if (record.progress === progress) return record
    assert.ok(performance.now() < deadline, `no progress of ${progress} in time`)
  }
}
