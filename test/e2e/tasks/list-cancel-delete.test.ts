// Listing tasks page by page, and what a client may do to its own: cancel and delete, in every state.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, taskBody, variantA, variantB } from '../../support/service/api.ts'
import { balanceOf, entriesOf, newCaller, newSubKey } from '../../support/service/callers.ts'
import { describeService } from '../../support/service/suite.ts'

const listPath = '/api/v1/jobs/list'
const cancel = (api: Api, taskId: string) => api.post('/api/v1/jobs/cancelTask', { taskId })

async function listedIds(api: Api, query = ''): Promise<string[]> {
  const answer = await api.get(listPath + query)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.items.map((item: { taskId: string }) => item.taskId)
}

describeService('lists', { env: { DAILIES_RENDER_SLOTS: '1' } }, (service) => {
  test('pages through all tasks once, newest first, also while new ones arrive', async () => {
    const { api } = await newCaller(service(), 10_000)
    const created: string[] = []
    for (let i = 0; i < 23; i++) created.unshift(await api.createTask())
    const seen: string[] = []
    let cursor = ''
    let pages = 0
    do {
      const { items, nextCursor } = (await api.get(`${listPath}?limit=5${cursor}`)).body.data
      seen.push(...items.map((item: { taskId: string }) => item.taskId))
      cursor = nextCursor === null ? '' : `&cursor=${nextCursor}`
      pages++
      if (pages === 2) await api.createTask()
    } while (cursor !== '')
    assert.equal(pages, 5)
    assert.deepEqual(seen, created)
    assert.equal((await listedIds(api)).length, 20)
    assert.equal((await listedIds(api, '?limit=100')).length, 24)
    assert.equal((await listedIds(api, '?limit=24')).length, 24)
    assert.equal((await api.get(`${listPath}?limit=24`)).body.data.nextCursor, null)
  })

  test('filters by state and model, and shows unified records', async () => {
    const { api } = await newCaller(service(), 10_000)
    const done = await api.createTask()
    await api.until(done, ['success'])
    const failed = await api.createTask('a boat script: fail')
    await api.until(failed, ['fail'])
    const running = (
      await api.post('/api/v1/jobs/createTask', {
        model: variantB,
        input: { prompt: 'a boat script: stall', image_url: ['http://127.0.0.1:9/a.png'] },
      })
    ).body.data.taskId
    await api.until(running, ['generating'])
    assert.deepEqual(await listedIds(api, '?state=success'), [done])
    assert.deepEqual(await listedIds(api, '?state=fail'), [failed])
    assert.deepEqual(await listedIds(api, '?state=generating'), [running])
    assert.deepEqual(await listedIds(api, '?state=wait'), [])
    assert.deepEqual(await listedIds(api, `?model=${encodeURIComponent(variantB)}`), [running])
    assert.deepEqual(await listedIds(api, `?model=${encodeURIComponent(variantA)}&state=fail`), [failed])
    const { items } = (await api.get(listPath)).body.data
    assert.deepEqual(items[1], await api.record(failed))
    await cancel(api, running)
  })

  test('a sub-key sees its own tasks, its parent sees all of the account, others none', async () => {
    const parent = await newCaller(service(), 10_000)
    const sub = await newSubKey(service(), parent)
    const sibling = await newSubKey(service(), parent)
    const stranger = await newCaller(service(), 0)
    const ofParent = await parent.api.createTask()
    const ofSub = await sub.api.createTask()
    assert.deepEqual(await listedIds(sub.api), [ofSub])
    assert.deepEqual(await listedIds(sibling.api), [])
    assert.deepEqual(await listedIds(stranger.api), [])
    assert.deepEqual(await listedIds(parent.api), [ofSub, ofParent])
    for (const taskId of [ofParent, ofSub]) {
      assert.equal((await sibling.api.get(`/api/v1/jobs/recordInfo?taskId=${taskId}`)).status, 404)
      assert.equal((await cancel(sibling.api, taskId)).status, 404)
      assert.equal((await sibling.api.delete(`/api/v1/jobs/${taskId}`)).status, 404)
    }
    assert.equal((await parent.api.get(`/api/v1/jobs/recordInfo?taskId=${ofSub}`)).status, 200)
  })
})

describeService('cancel and delete', { env: { DAILIES_RENDER_SLOTS: '1' } }, (service) => {
  test('a task is canceled in queueing and generating, once, and costs nothing', async () => {
    const caller = await newCaller(service(), 1000)
    const { api } = caller
    const generating = await api.createTask('a boat script: stall')
    await api.until(generating, ['generating'])
    const queueing = await api.createTask()
    await api.until(queueing, ['queueing'])
    for (const taskId of [queueing, generating]) {
      const early = await api.delete(`/api/v1/jobs/${taskId}`)
      assert.equal(early.status, 422)
      assert.match(early.body.msg, /^taskId: the task has not ended \(state (queueing|generating)\)/)
      const answer = await cancel(api, taskId)
      assert.deepEqual(answer.body, { code: 200, msg: 'success', data: { taskId, state: 'fail' } })
      const again = await cancel(api, taskId)
      assert.equal(again.status, 422)
      assert.match(again.body.msg, /^taskId: .*state fail/)
      assert.deepEqual(await entriesOf(caller, taskId), ['hold', 'release'])
    }
    assert.equal(await balanceOf(caller), 1000)
    // The slot is free again.
    await api.until(await api.createTask(), ['success'])
  })

  for (const path of ['/api/v1/jobs', '/v1/videos']) {
    test(`a task that ends in the moment of its deletion is deleted: ${path}`, async () => {
      const { api } = await newCaller(service(), 1000)
      const taskId = await api.createTask('a boat script: stall')
      await api.until(taskId, ['generating'])
      const { db } = service().app
      const { one, transaction } = db
      let ended = false
      const end = async () => {
        if (ended) return
        ended = true
        assert.equal((await cancel(api, taskId)).status, 200)
      }
      // It ends after it was not deleted because it ran, or after it was found running, before it is canceled.
      if (path === '/api/v1/jobs') {
        db.transaction = async (work) => {
          const result = await transaction.call(db, work)
          if (result === false) await end()
          return result as never
        }
      } else {
        db.one = async (text, params) => {
          const row = await one.call(db, text, params)
          if ((row as { id?: string } | undefined)?.id === taskId) await end()
          return row as never
        }
      }
      try {
        const answer = await api.delete(`${path}/${taskId}`)
        assert.equal(answer.status, 200, answer.text)
        assert.ok(ended)
      } finally {
        Object.assign(db, { one, transaction })
      }
      assert.equal((await api.get(`/api/v1/jobs/recordInfo?taskId=${taskId}`)).status, 404)
    })
  }

  test('a finished task cannot be canceled and can be deleted, files and all', async () => {
    const caller = await newCaller(service(), 1000)
    const { api } = caller
    for (const [prompt, state] of [
      ['a boat', 'success'],
      ['a boat script: fail', 'fail'],
    ] as const) {
      const taskId = await api.createTask(prompt)
      await api.until(taskId, [state])
      assert.equal((await cancel(api, taskId)).status, 422)
      assert.deepEqual((await api.delete(`/api/v1/jobs/${taskId}`)).body.data, { taskId })
      assert.equal((await api.get(`/api/v1/jobs/recordInfo?taskId=${taskId}`)).status, 404)
      assert.equal((await api.get(`/api/v1/jobs/timeline?taskId=${taskId}`)).status, 404)
      assert.equal((await api.delete(`/api/v1/jobs/${taskId}`)).status, 404)
      assert.deepEqual(await entriesOf(caller, taskId), ['hold', state === 'success' ? 'settle' : 'release'])
      await service().app.upkeep()
      const rows = await service().app.db.all('select token from files where task_id = ?', [taskId])
      assert.deepEqual(rows, [])
    }
    assert.equal(await balanceOf(caller), 1000 - 42)
    assert.deepEqual(await listedIds(api), [])
  })

  test('racing cancels and the end itself: one release or one settle, never both', async () => {
    const caller = await newCaller(service(), 100_000)
    const taskIds = await Promise.all(Array.from({ length: 20 }, () => caller.api.createTask('a boat')))
    const answers = await Promise.all(
      taskIds.flatMap((taskId) => Array.from({ length: 3 }, () => cancel(caller.api, taskId))),
    )
    assert.ok(answers.every((answer) => [200, 422].includes(answer.status)))
    let spent = 0
    for (const taskId of taskIds) {
      const record = await caller.api.until(taskId, ['success', 'fail'])
      spent += record.state === 'success' ? 42 : 0
      const end = record.state === 'success' ? 'settle' : 'release'
      assert.deepEqual(await entriesOf(caller, taskId), ['hold', end])
    }
    assert.equal(await balanceOf(caller), 100_000 - spent)
  })

  test('bad bodies are 422', async () => {
    for (const body of [undefined, {}, { taskId: '' }, { taskId: 7 }, [], { taskId: 'x'.repeat(300) }]) {
      const answer = await service().api.post('/api/v1/jobs/cancelTask', body)
      assert.equal(answer.status, 422, JSON.stringify(body))
    }
    assert.equal((await cancel(service().api, taskBody().model)).status, 404)
  })
})
