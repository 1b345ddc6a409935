// The envelope and its errors: which code a bad request gets, in which words, and in which order checks are made.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { setFeature, setMaintenance } from '../../../src/accounts/switches.ts'
import { serviceActor } from '../../../src/audit/audit.ts'
import { type Answer, taskBody, variantA, variantB } from '../../support/service/api.ts'
import { newCaller, newSubKey } from '../../support/service/callers.ts'
import type { TestService } from '../../support/service/service.ts'
import { describeService } from '../../support/service/suite.ts'
import { untilStatus } from '../../support/until.ts'

const createPath = '/api/v1/jobs/createTask'

function assertError(answer: Answer, code: number, message?: RegExp): void {
  assert.equal(answer.status, code, answer.text)
  assert.deepEqual(Object.keys(answer.body), ['code', 'msg', 'data', ...(code === 422 ? ['errors'] : [])])
  assert.equal(answer.body.code, code)
  assert.equal(answer.body.data, null)
  assert.match(answer.body.msg, message ?? /\S/)
  assert.match(answer.headers.get('x-request-id') ?? '', /^\S{8,}$/)
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
}

describeService('errors', {}, (service) => {
  const switchOn = (change: (tx: Parameters<typeof setMaintenance>[0]) => Promise<void>) =>
    service().app.db.transaction(change)

  test('a success has code 200, msg success and its data', async () => {
    const answer = await service().api.get('/api/v1/account/credit')
    assert.equal(answer.status, 200)
    assert.equal(answer.text, '{"code":200,"msg":"success","data":1000000}')
    assert.match(answer.headers.get('content-type')!, /^application\/json/)
    assert.ok(answer.headers.get('x-request-id'))
  })

  test('every request id is another', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await service().api.get('/livez')).headers.get('x-request-id')),
    )
    assert.equal(new Set(ids).size, 20)
  })

  test('an unrouted path or method is 404, with and without a key', async () => {
    for (const api of [service().api, service().as(null)]) {
      assertError(await api.get('/api/v1/nothing'), 404)
      assertError(await api.get(createPath), 404)
      assertError(await api.post('/api/v1/jobs/list', {}), 404)
      assertError(await api.delete('/api/v1/account/credit'), 404)
      assertError(await api.post('/api/v1/nothing', undefined, { raw: '{' }), 404)
      // Whatever the body is: the path comes first.
      const headers = { 'content-type': 'application/json' }
      assertError(await api.post('/api/v1/nothing', undefined, { raw: '{', headers }), 404)
      assertError(await api.post('/api/v1/nothing', undefined, { raw: ' '.repeat(2 ** 20 + 1), headers }), 404)
      assertError(await api.get('//'), 404)
      assertError(await api.get('/api/v1/jobs/%zz'), 404)
      assertError(await api.get('/v1/nothing'), 404)
    }
    assertError(await service().api.delete(`/api/v1/jobs/${'x'.repeat(5000)}`), 404)
  })

  test('a missing or wrong key is 401 with WWW-Authenticate', async () => {
    const headers = ['', 'Bearer', 'Bearer ', 'Bearer wrong', 'Basic dGVzdDp0ZXN0', 'test-key-of-sixteen', 'Bearer a b']
    for (const authorization of headers) {
      const answer = await service().as(null).get('/api/v1/account/credit', { headers: { authorization } })
      assertError(answer, 401)
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
      assert.equal(answer.headers.get('ratelimit'), null)
    }
  })

  test('the scheme Bearer is taken in any case', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
      const authorization = `${scheme} test-key-of-sixteen`
      const answer = await service().as(null).get('/api/v1/account/credit', { headers: { authorization } })
      assert.equal(answer.status, 200)
    }
  })

  test('bodies that are no JSON object are 422 with a clear message', async () => {
    const json = { 'content-type': 'application/json' }
    const latin1 = (text: string) => Buffer.from(text, 'latin1')
    const table: [string | Uint8Array, Record<string, string>, RegExp][] = [
      ['{', json, /^body: is not valid JSON$/],
      ['{"model": undefined}', json, /^body: is not valid JSON$/],
      ['', json, /^body: must be a JSON object$/],
      ['[]', json, /^body: must be a JSON object$/],
      ['null', json, /^body: must be a JSON object$/],
      ['"text"', json, /^body: must be a JSON object$/],
      ['7', json, /^body: must be a JSON object$/],
      [new Uint8Array([0xff, 0xfe, 0x00]), json, /^body: is not valid UTF-8$/],
      [latin1('{"model": "caf\xe9"}'), json, /^body: is not valid UTF-8$/],
      [latin1(`{"model": "${'\xe9'.repeat(100_000)}"}`), json, /^body: is not valid UTF-8$/],
      ['a=b', { 'content-type': 'application/x-www-form-urlencoded' }, /^content-type: must be application\/json$/],
      ['{}', { 'content-type': 'text/plain' }, /^content-type: must be application\/json$/],
      [JSON.stringify(taskBody()), { 'content-type': 'nonsense' }, /^content-type: must be application\/json$/],
      ['['.repeat(100_000), json, /^body: is nested too deeply$/],
      [
        gzipSync(JSON.stringify(taskBody())),
        { ...json, 'content-encoding': 'gzip' },
        /^content-encoding: must be left out/,
      ],
      ['x'.repeat(300_000), json, /^body: is larger than allowed \(at most 256 kB\)$/],
    ]
    for (const [raw, headers, message] of table) {
      assertError(await service().api.post(createPath, undefined, { raw, headers }), 422, message)
    }
    assertError(await service().api.post(createPath), 422)
    const image = { raw: new Uint8Array([0xff, 0xd8]), headers: { 'content-type': 'image/jpeg' } }
    const forUpload = /^content-type: must be application\/json or multipart\/form-data$/
    assertError(await service().api.post('/api/v1/files/upload', undefined, image), 422, forUpload)
  })

  test('a body of 256 kB is read, one byte more is 422, and unknown fields are not stored', async () => {
    const headers = { 'content-type': 'application/json' }
    const frame = JSON.stringify({ ...taskBody(), extra: '' })
    const fits = frame.replace('"extra":""', `"extra":"${'x'.repeat(2 ** 18 - frame.length)}"`)
    assert.equal(fits.length, 2 ** 18)
    const accepted = await service().api.post(createPath, undefined, { raw: fits, headers })
    assert.equal(accepted.status, 200)
    const record = await service().api.record(accepted.body.data.taskId)
    assert.deepEqual(record.ignoredFields, ['extra'])
    assert.deepEqual(JSON.parse(record.param as string), taskBody())
    const over = `${fits} `
    assertError(await service().api.post(createPath, undefined, { raw: over, headers }), 422, /^body: is larger/)
  })

  test('a 422 names every wrong field at once', async () => {
    const wrong = { prompt: ' ', image_url: 'ftp://x', duration: '7', cfg_scale: 3 }
    const answer = await service().api.post(createPath, { model: variantA, input: wrong, callBackUrl: 'no url' })
    assertError(answer, 422)
    const fields = answer.body.msg.split('; ').map((part: string) => part.split(':')[0])
    assert.deepEqual(fields.sort(), [
      'callBackUrl',
      'input.cfg_scale',
      'input.duration',
      'input.image_url',
      'input.prompt',
    ])
    assert.match(answer.body.msg, /input\.duration: must be "?5"? or "?10"?/)
    assertError(await service().api.post(createPath, { ...taskBody(), model: 'somebody/else' }), 422, /^model: /)
    assertError(await service().api.post(createPath, { input: {} }), 422, /^model: /)
    assertError(await service().api.post(createPath, { model: variantB }), 422, /^input: /)
  })

  test('missing, empty, repeated and overlong query parameters are 422', async () => {
    for (const path of ['/api/v1/video/recordInfo', '/api/v1/jobs/recordInfo', '/api/v1/jobs/events']) {
      for (const query of ['', '?', '?taskId=', '?taskId', '?taskId=a&taskId=b', `?taskId=${'x'.repeat(300)}`]) {
        assertError(await service().api.get(path + query), 422, /taskId/)
      }
    }
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'limit=', 'limit=1&limit=2', 'cursor=x', 'state=done']) {
      assertError(await service().api.get(`/api/v1/jobs/list?${query}`), 422, new RegExp(query.split('=')[0]!))
    }
  })

  test('ids of every shape are simply not found', async () => {
    const ids = ['%00', 'x', "'%20or%201=1--", '%F0%9F%98%80', '%ED%A0%80', '00000000-0000-7000-8000-000000000000']
    for (const id of ids) {
      for (const path of ['/api/v1/jobs/recordInfo', '/api/v1/video/recordInfo', '/api/v1/jobs/timeline']) {
        assertError(await service().api.get(`${path}?taskId=${id}`), 404, /^There is no task with this id\.$/)
      }
      const api = service().api
      if (id !== '%ED%A0%80') assertError(await api.delete(`/api/v1/jobs/${id}`), 404, /^There is no task/)
      if (id !== '%ED%A0%80') assertError(await api.delete(`/api/v1/keys/${id}`), 404)
      if (id !== '%ED%A0%80') assertError(await api.post(`/api/v1/keys/${id}/rotate`, {}), 404)
      if (id !== '%ED%A0%80') {
        assertError(await api.post(`/api/v1/operator/accounts/${id}/credit`, { credits: 1 }), 404)
      }
    }
    for (const taskId of ['\0', '\ud800', 'x']) {
      assertError(await service().api.post('/api/v1/jobs/cancelTask', { taskId }), 404, /^There is no task/)
    }
  })

  test('odd characters in lists, names and prompts never break anything', async () => {
    for (const query of ['model=%00', 'model=%ED%A0%80', 'model=x']) {
      const answer = await service().api.get(`/api/v1/jobs/list?${query}`)
      assert.ok([200, 422].includes(answer.status), answer.text)
    }
    assert.ok([200, 422].includes((await service().api.get('/api/v1/account/ledger?taskId=%00')).status))
    for (const name of ['\ud800', '\0', '\u{1f600}']) {
      const answer = await service().api.post('/api/v1/keys', { name })
      assert.ok([200, 422].includes(answer.status), answer.text)
    }
    for (const text of ['\ud800', 'a\0b', '\u{1f600}', '\u202e']) {
      const answer = await service().api.post(createPath, { ...taskBody(`boat ${text}`), [text]: text })
      assert.ok([200, 422].includes(answer.status), answer.text)
    }
  })

  test("another account's task gets byte for byte the response of an unknown id", async () => {
    const taskId = await service().api.createTask()
    const { api } = await newCaller(service(), 0)
    const unknown = '01890000-0000-7000-8000-000000000000'
    const comparable = (answer: Answer) => ({
      status: answer.status,
      text: answer.text,
      headers: [...answer.headers].filter(([name]) => !['x-request-id', 'date'].includes(name)),
    })
    const calls: ((id: string) => Promise<Answer>)[] = [
      (id) => api.get(`/api/v1/jobs/recordInfo?taskId=${id}`),
      (id) => api.get(`/api/v1/video/recordInfo?taskId=${id}`),
      (id) => api.get(`/api/v1/jobs/timeline?taskId=${id}`),
      (id) => api.get(`/api/v1/jobs/events?taskId=${id}`),
      (id) => api.post('/api/v1/jobs/cancelTask', { taskId: id }),
      (id) => api.delete(`/api/v1/jobs/${id}`),
    ]
    for (const call of calls) {
      const foreign = await call(taskId)
      assertError(foreign, 404)
      assert.deepEqual(comparable(foreign), comparable(await call(unknown)))
    }
  })

  test('checks come in the order of the contract, pair by pair', async () => {
    const rich = await newCaller(service(), 1_000_000)
    const post = (api: TestService['api'], body: unknown, headers = {}) => api.post(createPath, body, { headers })
    const bad = { model: variantA, input: {} }
    const fourK = { model: variantB, input: { prompt: 'p', image_url: ['http://127.0.0.1:9/a.png'], resolution: '4k' } }
    const remembered = { 'idempotency-key': 'pairs' }
    assert.equal((await post(rich.api, fourK, remembered)).status, 200)

    // 401 before 429: a wrong key uses nothing and is never slowed down.
    const slow = await newCaller(service(), 0, { rate: '1/1h' })
    assertError(await post(service().as('wrong'), bad), 401)
    assertError(await post(slow.api, bad), 422)
    const limited = await post(slow.api, bad)
    assertError(limited, 429)
    assert.match(limited.headers.get('retry-after')!, /^\d+$/)

    // 429 before 433, and what 429 refuses uses no request.
    const requestLimit = { requests: 1, per: 'total' } as const
    const both = await newSubKey(service(), rich, { rate: '1/1h', requestLimit })
    assertError(await post(both.api, bad), 422)
    assertError(await post(both.api, bad), 429)
    // 433 before 455, 422 and everything after.
    const spent = await newSubKey(service(), rich, { requestLimit })
    assertError(await spent.api.get('/api/v1/jobs/recordInfo'), 422)
    const none = await newSubKey(service(), rich, { requestLimit: { requests: 0, per: 'day' } })

    await switchOn((tx) => setMaintenance(tx, serviceActor, true, Date.now()))
    await switchOn((tx) => setFeature(tx, serviceActor, '4k', false, Date.now()))
    try {
      await untilStatus(() => post(rich.api, taskBody()), 455)
      assertError(await post(service().as('wrong'), bad), 401)
      assertError(await post(spent.api, bad), 433)
      assertError(await none.api.get('/api/v1/account/credit'), 433)
      // 455 before 422, and before a replay; reads and cancels go on.
      const closed = await post(rich.api, bad)
      assertError(closed, 455)
      assert.equal(closed.statusText, 'Service Unavailable')
      assertError(await service().as(null).post('/api/v1/nothing', bad), 404)
      const refused = await post(rich.api, fourK, remembered)
      assertError(refused, 455, /maintenance/)
      assert.match(refused.headers.get('retry-after')!, /^\d+$/)
      assert.equal((await rich.api.get('/api/v1/account/credit')).status, 200)
      assertError(await rich.api.post('/api/v1/jobs/cancelTask', { taskId: 'x' }), 404)
    } finally {
      await switchOn((tx) => setMaintenance(tx, serviceActor, false, Date.now()))
    }
    await untilStatus(() => post(rich.api, bad), 422)
    // 422 before replay; replay before 505; 505 before the credit limit; the credit limit before 402.
    assertError(await post(rich.api, bad, remembered), 422, /^input/)
    assert.equal((await post(rich.api, fourK, remembered)).status, 200)
    const poor = await newCaller(service(), 10)
    const capped = await newSubKey(service(), poor, { creditLimit: 20 })
    const disabled = await post(capped.api, fourK)
    assertError(disabled, 505, /4k/)
    assert.equal(disabled.statusText, 'Feature Disabled')
    assertError(await post(poor.api, fourK), 505, /4k/)
    assertError(await post(capped.api, taskBody()), 433, /costs 42 credits.* leaves 20/)
    assertError(await post(poor.api, taskBody()), 402, /costs 42 credits.* 10/)
    await switchOn((tx) => setFeature(tx, serviceActor, '4k', true, Date.now()))
  })

  test('a wrong body is reported even where uploads are switched off', async () => {
    const upload = (body: unknown) => service().api.post('/api/v1/files/upload', body)
    await switchOn((tx) => setFeature(tx, serviceActor, 'uploads', false, Date.now()))
    try {
      await untilStatus(() => upload({ base64Data: 'AAAA' }), 505)
      assertError(await upload({}), 422, /base64Data/)
      assertError(await upload({ fileUrl: 'ftp://a/b' }), 422, /fileUrl/)
      assertError(await upload({ base64Data: 'AAAA' }), 505, /uploads/)
    } finally {
      await switchOn((tx) => setFeature(tx, serviceActor, 'uploads', true, Date.now()))
    }
  })

  test('an operator route does not exist for other keys, nor keys and ledger for a sub-key', async () => {
    const { api } = await newCaller(service(), 0)
    assertError(await api.get('/api/v1/operator/status'), 404)
    assertError(await api.post('/api/v1/operator/maintenance', { on: true }), 404)
    const parent = await newCaller(service(), 0)
    const sub = await newSubKey(service(), parent, {})
    for (const path of ['/api/v1/keys', '/api/v1/account/ledger']) assertError(await sub.api.get(path), 404)
  })
})
