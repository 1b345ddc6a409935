// Two services in a row: what a client sees of the front one is what it would see of one alone.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { places, type TestPlace } from '../../support/places/places.ts'
import { type Chain, startChain, uploadImage } from '../../support/service/chain.ts'
import { untilTrue } from '../../support/until.ts'

describe('a task through two services', () => {
  let place: TestPlace
  let chain: Chain
  let image_url: string
  before(async () => {
    place = await places[0].create()
    chain = await startChain(place.env)
    image_url = await uploadImage(chain.front)
  })
  after(async () => {
    await chain?.stop()
    await place?.stop()
  })

  const run = async (prompt: string, states = ['success', 'fail']) => {
    const taskId = await chain.front.api.createTask(prompt, { image_url })
    return chain.front.api.until(taskId, states, 30_000)
  }
  const backTasks = async () => (await chain.back.api.get('/api/v1/jobs/list?limit=100')).body.data.items

  test('succeeds with a file of our own', async () => {
    const before = (await backTasks()).length
    const record = await run('a boat script: progress 40, wait 100ms')
    assert.equal(record.state, 'success', JSON.stringify(record))
    const [url] = JSON.parse(record.resultJson as string).resultUrls
    assert.ok(url.startsWith(chain.front.url))
    const file = await fetch(url)
    assert.equal(file.headers.get('content-type'), 'video/mp4')
    assert.ok((await file.arrayBuffer()).byteLength > 1000)
    assert.equal((await backTasks()).length, before + 1)
  })

  test('reports the progress of the back', async () => {
    const taskId = await chain.front.api.createTask('a boat script: progress 40, wait 3s', { image_url })
    await chain.front.api.until(taskId, ['generating'])
    await untilTrue('the front shows the progress', async () => (await chain.front.api.record(taskId)).progress === 40)
    await chain.front.api.post('/api/v1/jobs/cancelTask', { taskId })
  })

  test('passes the failure on and releases the credits', async () => {
    const balance = async () => (await chain.front.api.get('/api/v1/account/credit')).body.data
    const before = await balance()
    const record = await run('a boat script: fail the sea is too rough')
    assert.deepEqual([record.state, record.failCode, record.failReason], ['fail', '501', 'engine_failed'])
    assert.match(record.failMsg as string, /the sea is too rough/)
    assert.equal(await balance(), before)
  })

  test('cancels at the back too', async () => {
    const taskId = await chain.front.api.createTask('a slow boat script: stall', { image_url })
    await chain.front.api.until(taskId, ['generating'])
    const open = async () =>
      (await backTasks()).find((task: { state: string; param: string }) => task.param.includes('a slow boat'))
    await untilTrue('the back has the task', async () => Boolean(await open()))
    await chain.front.api.post('/api/v1/jobs/cancelTask', { taskId })
    await untilTrue('the task at the back fails', async () => (await open()).state === 'fail')
    assert.equal((await open()).failReason, 'canceled')
  })

  test('a cancel at any moment leaves nothing at work at the back', async () => {
    const create = () => chain.front.api.createTask('a boat script: stall', { image_url })
    const taskIds = await Promise.all(Array.from({ length: 30 }, create))
    const { api } = chain.front
    const left = new Set(taskIds)
    for (let i = 0; left.size > 0; i++) {
      // In whichever order their images were ready.
      let taskId = ''
      await untilTrue('a task is generated', async () => {
        const { items } = (await api.get('/api/v1/jobs/list?state=generating')).body.data
        taskId = items.find((item: { taskId: string }) => left.has(item.taskId))?.taskId ?? ''
        return taskId !== ''
      })
      left.delete(taskId)
      // From before it is handed over to after it was.
      await sleep(i)
      assert.equal((await api.post('/api/v1/jobs/cancelTask', { taskId })).status, 200)
    }
    const isOpen = ({ state }: { state: string }) => state !== 'success' && state !== 'fail'
    await untilTrue('the back is idle', async () => !(await backTasks()).some(isOpen))
  })
})
