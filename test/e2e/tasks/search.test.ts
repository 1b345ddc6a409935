// Finding tasks in the list: by text, key and time; pages that stay under their size; and reading a prompt beforehand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LedgerEntry } from '../../../src/contract/accounts.ts'
import type { Param } from '../../../src/db/db.ts'
import { scannedMax } from '../../../src/db/where-clause.ts'
import { newId } from '../../../src/platform/ids.ts'
import { type Api, variantA, variantB } from '../../support/service/api.ts'
import { newCaller, newSubKey } from '../../support/service/callers.ts'
import { describeService } from '../../support/service/suite.ts'

const listPath = '/api/v1/jobs/list'

async function found(api: Api, query: Record<string, string>): Promise<string[]> {
  const answer = await api.get(`${listPath}?${new URLSearchParams(query)}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.items.map((item: { taskId: string }) => item.taskId)
}

describeService('searching tasks', {}, (service) => {
  test('by a part of the prompt, whatever its case', async () => {
    const { api } = await newCaller(service(), 10_000)
    const boat = await api.createTask('A red BOAT leaves')
    const percent = await api.createTask('100% wool, "quoted" _under')
    assert.deepEqual(await found(api, { q: 'boat' }), [boat])
    assert.deepEqual(await found(api, { q: 'Red b' }), [boat])
    assert.deepEqual(await found(api, { q: '%' }), [percent])
    assert.deepEqual(await found(api, { q: '"quoted"' }), [percent])
    assert.deepEqual(await found(api, { q: 'image_url' }), [], 'only the prompt is searched')
    assert.deepEqual(await found(api, { q: 'boat', state: 'fail' }), [])
  })

  test('in capitals of any script, and in prompts too long for the index', async () => {
    const { api } = await newCaller(service(), 10_000)
    const summer = await api.createTask('ÉTÉ, ЛЕТО')
    const long = await api.createTask(`${'é'.repeat(1200)} a Lighthouse`)
    assert.deepEqual(await found(api, { q: 'été, лето' }), [summer])
    assert.deepEqual(await found(api, { q: 'lightHOUSE' }), [long])
    await service().app.db.run('update tasks set search_text = null where id = ?', [summer])
    assert.deepEqual(await found(api, { q: ', ' }), [summer])
    assert.deepEqual(await found(api, { q: 'lighthouse' }), [long])
  })

  test('by the words of a shot, also where they are too many for the index', async () => {
    const { api } = await newCaller(service(), 10_000)
    const film = async (shots: string[]) => {
      const input = {
        prompt: 'A day at the sea',
        image_url: ['http://127.0.0.1:9/a.png'],
        customize_multi_shots: true,
        multi_prompt: shots.map((prompt) => ({ prompt, duration: 2 })),
      }
      const answer = await api.post('/api/v1/jobs/createTask', { model: variantB, input })
      assert.equal(answer.status, 200, answer.text)
      return answer.body.data.taskId as string
    }
    const short = await film(['Wide, slow pan left', 'Push in on the Waterfall'])
    const long = await film(['a', 'b', 'c', 'd', 'e'].map((letter) => `${letter.repeat(500)} Lighthouse`))
    const findsBoth = async () => {
      assert.deepEqual(await found(api, { q: 'waterfall' }), [short])
      assert.deepEqual(
        await found(api, { q: 'LEFT / push in' }),
        [short],
        'as the console and the command line show it',
      )
      assert.deepEqual(await found(api, { q: 'lighthouse' }), [long])
      assert.deepEqual(await found(api, { q: 'a day at' }), [long, short])
      assert.deepEqual(await found(api, { q: 'seconds' }), [], 'only prompts are searched')
    }
    await findsBoth()
    await service().app.db.run('update tasks set search_text = null where id = ?', [short])
    await findsBoth()
  })

  test('by the end of an id, as pages show it, with every task whose id ends so', async () => {
    const caller = await newCaller(service(), 10_000)
    const { api } = caller
    const boat = await api.createTask('a boat')
    await api.until(boat, ['success'])
    const end = boat.slice(-8)
    await api.createTask('a ship')
    assert.deepEqual(await found(api, { q: end }), [boat])
    assert.deepEqual(await found(api, { q: boat.slice(-13).toUpperCase() }), [boat])
    assert.deepEqual(await found(api, { q: boat }), [boat])
    assert.deepEqual(await found(api, { q: end, state: 'fail' }), [])
    assert.deepEqual(await found(api, { q: boat.slice(-7) }), [], 'seven characters are a part of a prompt')
    const told = await api.createTask(`as in ${end}`)
    const row = await service().app.db.one<Record<string, Param>>('select * from tasks where id = ?', [boat])
    const twin = newId(Date.now()).slice(0, -8) + end
    await service().app.db.insert('tasks', [{ ...row, id: twin }])
    assert.deepEqual(await found(api, { q: end }), [twin, told, boat])
    const subKey = await newSubKey(service(), caller)
    assert.deepEqual(await found(subKey.api, { q: end }), [])
    const everywhere = await service().api.get(`/api/v1/operator/tasks?q=${end}`)
    assert.equal(everywhere.body.data.items.length, 3)
    const ledger = await api.get(`/api/v1/account/ledger?taskId=${end}`)
    assert.deepEqual(
      ledger.body.data.items.map(({ kind, taskId }: LedgerEntry) => [kind, taskId]),
      [
        ['settle', boat],
        ['hold', boat],
      ],
    )
    await service().app.db.run('delete from tasks where id = ?', [twin])
  })

  test('canceled ones apart from those that failed', async () => {
    const { api } = await newCaller(service(), 10_000)
    const failed = await api.createTask('script: fail words')
    await api.until(failed, ['fail'])
    const canceled = await api.createTask('script: stall')
    await api.post('/api/v1/jobs/cancelTask', { taskId: canceled })
    assert.deepEqual(await found(api, { state: 'canceled' }), [canceled])
    assert.deepEqual(await found(api, { state: 'fail' }), [canceled, failed])
    assert.deepEqual(await found(api, { state: 'canceled', q: 'stall' }), [canceled])
  })

  test('half a character in a request becomes U+FFFD, and does not disturb the search', async () => {
    const { api } = await newCaller(service(), 10_000)
    const boat = await api.createTask('a boat')
    const half = await api.createTask('a \ud83d cat \\ud83d \u{1f600}', { 'ex\udc00tra': 1 })
    assert.deepEqual(await found(api, { q: 'boat' }), [boat])
    assert.deepEqual(await found(api, { q: 'cat \\ud83d \u{1f600}' }), [half])
    const record = (await api.record(half)) as { param: string; ignoredFields: string[] }
    assert.equal(JSON.parse(record.param).input.prompt, 'a \ufffd cat \\ud83d \u{1f600}')
    assert.deepEqual(record.ignoredFields, ['input.ex\ufffdtra'])
  })

  test('by key and by time', async () => {
    const caller = await newCaller(service(), 10_000)
    const { api } = caller
    const own = await api.createTask()
    const sub = await newSubKey(service(), caller)
    const theirs = await sub.api.createTask()
    assert.deepEqual(await found(api, { key: sub.keyId }), [theirs])
    assert.deepEqual(await found(sub.api, { key: 'another' }), [])
    const { createTime } = (await api.record(own)) as { createTime: number }
    assert.deepEqual((await found(api, { since: String(createTime) })).sort(), [own, theirs].sort())
    assert.deepEqual(await found(api, { until: String(createTime) }), [])
    assert.equal((await found(api, { until: String(createTime + 60_000) })).length, 2)
    const wrong = await api.get(`${listPath}?since=yesterday`)
    assert.equal(wrong.status, 422)
    assert.match(wrong.body.msg, /^query\.since: must be a whole number/)
  })

  test('a page reads a bounded number of tasks, and its cursor leads to what is further back', async () => {
    const { api } = await newCaller(service(), 10_000)
    const { db } = service().app
    const failed = await api.createTask('script: fail')
    const wanted = await api.createTask('a lighthouse')
    await api.until(failed, ['fail'])
    await api.until(wanted, ['success'])
    const row = await db.one<Record<string, Param>>('select * from tasks where id = ?', [failed])
    const copies = Array.from({ length: scannedMax + 100 }, () => ({ ...row, id: newId(Date.now()) }))
    await db.insert('tasks', copies)
    const queries: Record<string, string>[] = [
      { state: 'success' },
      { q: 'lighthouse' },
      { state: 'success', q: 'lighthouse' },
    ]
    for (const query of queries) {
      const pages: string[][] = []
      let cursor: string | null = null
      do {
        const answer = await api.get(`${listPath}?${new URLSearchParams({ ...query, ...(cursor && { cursor }) })}`)
        pages.push(answer.body.data.items.map((item: { taskId: string }) => item.taskId))
        cursor = answer.body.data.nextCursor
      } while (cursor !== null)
      assert.deepEqual(pages, [[], [wanted]], JSON.stringify(query))
    }
    assert.deepEqual(await found(api, { state: 'wait' }), [])
    assert.equal((await found(api, { state: 'fail', limit: '100' })).length, 100)
    const newest = copies
      .map(({ id }) => id)
      .sort()
      .reverse()
    assert.deepEqual(await found(api, { limit: '3' }), newest.slice(0, 3))
  })

  test('a page is at most 1 MiB, and its cursor leads on', async () => {
    const { api } = await newCaller(service(), 10_000)
    // Long URLs make long records: of about 170 kB each.
    const urls = (count: number) =>
      Array.from({ length: count }, (_, at) => `http://127.0.0.1:9/${'é'.repeat(2000)}${at}.png`)
    const elements = ['a', 'b', 'c'].map((name) => ({
      name,
      description: 'a subject',
      element_input_urls: urls(4),
      element_input_audio_urls: urls(10),
    }))
    const input = { prompt: 'a boat', image_url: ['http://127.0.0.1:9/a.png'], elements }
    const ids: string[] = []
    for (let index = 0; index < 8; index++) {
      const answer = await api.post('/api/v1/jobs/createTask', { model: variantB, input })
      assert.equal(answer.status, 200, answer.text)
      ids.unshift(answer.body.data.taskId)
    }
    const seen: string[] = []
    let cursor: string | null = null
    let pages = 0
    do {
      pages++
      const answer = await api.get(`${listPath}?limit=100${cursor === null ? '' : `&cursor=${cursor}`}`)
      assert.ok(Buffer.byteLength(answer.text) <= 2 ** 20 + 200, `${answer.text.length}`)
      seen.push(...answer.body.data.items.map((item: { taskId: string }) => item.taskId))
      cursor = answer.body.data.nextCursor
    } while (cursor !== null)
    assert.deepEqual(seen, ids)
    assert.ok(pages > 1)
  })

  test('a prompt can be explained without a task', async () => {
    const { api } = await newCaller(service(), 10)
    const answer = await api.post('/api/v1/prompts/explain', { prompt: 'slow push in, rain', model: variantA })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(Object.keys(answer.body.data).sort(), ['effects', 'framing', 'moves', 'notDone'])
    assert.equal((await api.post('/api/v1/prompts/explain', { prompt: '' })).status, 422)
    assert.equal((await api.post('/api/v1/prompts/explain', { prompt: 'p', model: 'x' })).status, 422)
    assert.deepEqual(await found(api, {}), [])
  })
})
