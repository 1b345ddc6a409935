// What the responses to creations tell in headers: credits held, credits left, and fields that were ignored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, taskBody, variantA } from '../../support/service/api.ts'
import { balanceOf, newCaller, newSubKey } from '../../support/service/callers.ts'
import { describeService } from '../../support/service/suite.ts'

const createPath = '/api/v1/jobs/createTask'

function creditsOf({ status, headers, text }: Answer): { held: number; left: number } {
  assert.equal(status, 200, text)
  const [held, left] = ['x-credits-held', 'x-credits-left'].map((name) => headers.get(name) ?? '')
  assert.match(`${held} ${left}`, /^\d+ \d+$/)
  return { held: Number(held), left: Number(left) }
}

const ignoredOf = (answer: Answer) => answer.headers.get('x-ignored-fields')

describeService('headers of creations', {}, (service) => {
  test('name the credits that are held and left', async () => {
    const { api } = await newCaller(service(), 200)
    const first = await api.post(createPath, taskBody('a'))
    assert.deepEqual(creditsOf(first), { held: 42, left: 158 })
    assert.equal(ignoredOf(first), null)
    const many = await Promise.all([1, 2, 3].map(() => api.post(createPath, taskBody('a'))))
    assert.deepEqual(
      many.map((answer) => creditsOf(answer).left).toSorted((a, b) => a - b),
      [32, 74, 116],
    )
    const refused = await api.post(createPath, taskBody('a'))
    assert.equal(refused.status, 402)
    assert.equal(refused.headers.get('x-credits-left'), null)
  })

  test('a repeat names what the first one holds, and what is left now', async () => {
    const { api } = await newCaller(service(), 200)
    const headers = { 'idempotency-key': 'again' }
    const body = { ...taskBody('a'), foo: 1 }
    const first = await api.post(createPath, body, { headers })
    await api.post(createPath, taskBody('b'))
    const again = await api.post(createPath, body, { headers })
    assert.equal(again.body.data.taskId, first.body.data.taskId)
    assert.deepEqual(creditsOf(again), { held: 42, left: 116 })
    assert.equal(ignoredOf(again), 'foo')
  })

  test('a sub-key is told of its own allowance', async () => {
    const caller = await newCaller(service(), 1000)
    const { api } = await newSubKey(service(), caller, { creditLimit: 100 })
    assert.deepEqual(creditsOf(await api.post(createPath, taskBody('a'))), { held: 42, left: 58 })
    const unlimited = await newSubKey(service(), caller)
    assert.deepEqual(creditsOf(await unlimited.api.post(createPath, taskBody('a'))), { held: 42, left: 916 })
  })

  test('name the ignored fields, and nothing that a header cannot hold', async () => {
    const unknown = { foo: 1, 'a, b': 1, 'Größe%': 1, 'line\r\nx-evil: 1': 1 }
    const answer = await service().api.post(createPath, { ...taskBody('a', { seeds: 1 }), ...unknown })
    assert.equal(ignoredOf(answer), 'input.seeds, foo, a%2C%20b, Gr%C3%B6%C3%9Fe%25, line%EF%BF%BD%EF%BF%BDx-evil:%201')
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`${i}${'ü'.repeat(60)}`, 1]))
    const long = ignoredOf(await service().api.post(createPath, { ...taskBody('a'), ...many }))!
    assert.ok(long.length > 1000 && long.length <= 2000, String(long.length))
    for (const name of long.split(', ')) assert.ok(decodeURIComponent(name) in many)
  })

  test('extensions, with their repeats', async () => {
    const { api } = await newCaller(service(), 1000)
    const taskId = await api.createTask('a boat')
    await api.until(taskId, ['success'])
    const before = (await api.get('/api/v1/account/credit')).body.data
    const headers = { 'idempotency-key': 'longer' }
    const body = { taskId, prompt: 'on it goes', duration: '10', foo: 1 }
    for (let repeat = 0; repeat < 2; repeat++) {
      const answer = await api.post('/api/v1/video/extend', body, { headers })
      assert.deepEqual(creditsOf(answer), { held: 84, left: before - 84 })
      assert.equal(ignoredOf(answer), 'foo')
    }
  })

  test('inference, and videos in the shape of OpenAI', async () => {
    const caller = await newCaller(service(), 1000)
    const { api } = caller
    const webhook = 'http://127.0.0.1:9/'
    const { input } = taskBody('a')
    const video = await api.post(`/v1/inference/${variantA}`, { input: { ...input, foo: 1 }, webhook })
    assert.deepEqual(creditsOf(video), { held: 42, left: 958 })
    assert.equal(ignoredOf(video), 'input.foo')
    const embeddings = await api.post('/v1/inference/google/universal-sentence-encoder', { inputs: ['a'], foo: 1 })
    const { held, left } = creditsOf(embeddings)
    assert.ok(held >= 1 && left === 958 - held, `${held} ${left}`)
    assert.equal(ignoredOf(embeddings), 'foo')
    const before = await balanceOf(caller)
    const headers = { 'idempotency-key': 'clip' }
    const clip = { prompt: 'a', input_reference: 'http://127.0.0.1:9/a.png', quality: 'high' }
    for (let repeat = 0; repeat < 2; repeat++) {
      const answer = await api.post('/v1/videos', clip, { headers })
      assert.deepEqual(creditsOf(answer), { held: 42, left: before - 42 })
      assert.equal(ignoredOf(answer), 'quality')
    }
  })
})
