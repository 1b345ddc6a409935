// Refusals that say what to do: which header or key is wrong, which method or path was meant, and when a limit resets.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consoleHeader } from '../../../src/http/server/browsers.ts'
import { type Answer, taskBody } from '../../support/service/api.ts'
import { newCaller, newSubKey } from '../../support/service/callers.ts'
import { describeService } from '../../support/service/suite.ts'

const creditPath = '/api/v1/account/credit'

describeService('hints', {}, (service) => {
  const anonymous = (headers: Record<string, string>) => service().as(null).get(creditPath, { headers })

  function assertUnauthorized(answer: Answer, msg: RegExp): void {
    assert.equal(answer.status, 401)
    assert.match(answer.body.msg, msg)
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
  }

  test('a 401 says what is wrong with the key', async () => {
    assertUnauthorized(await anonymous({}), /no API key: send the header `Authorization: Bearer <API key>`/)
    for (const authorization of ['Basic dGVzdDp0ZXN0', 'test-key-of-sixteen', 'Bearer', 'Bearer a b', '']) {
      assertUnauthorized(await anonymous({ authorization }), /header must have the form `Bearer <API key>`/)
    }
    assertUnauthorized(await anonymous({ authorization: 'Bearer dk_unknown' }), /no such API key/)
    assertUnauthorized(
      await anonymous({ cookie: 'dailies_session=over', [consoleHeader]: '1' }),
      /session of this browser has ended/,
    )
  })

  test('an expired and a revoked key are told apart, with their sub-keys', async () => {
    const parent = await newCaller(service(), 100)
    const [revoked, expired] = [await newSubKey(service(), parent), await newSubKey(service(), parent)]
    assert.equal((await revoked.api.get(creditPath)).status, 200)
    assert.equal((await parent.api.delete(`/api/v1/keys/${revoked.keyId}`)).status, 200)
    assertUnauthorized(await revoked.api.get(creditPath), /was revoked/)
    await service().app.db.run('update keys set expires_at = 1 where id = ?', [expired.keyId])
    assertUnauthorized(await expired.api.get(creditPath), /has expired/)
    const child = await newSubKey(service(), parent)
    await service().app.db.run('update keys set revoked_at = 1 where id = ?', [parent.keyId])
    assertUnauthorized(await child.api.get(creditPath), /was revoked/)
  })

  test('a 404 of a known path with another method names the right one, before the key is looked at', async () => {
    for (const api of [service().api, service().as(null)]) {
      const read = await api.get('/api/v1/jobs/createTask?a=b')
      assert.equal(read.status, 404)
      assert.equal(read.body.msg, 'There is no such path with this method; use POST /api/v1/jobs/createTask.')
      assert.equal(read.headers.get('allow'), 'POST')
      const keys = await api.patch('/api/v1/keys', {})
      assert.match(keys.body.msg, /use POST or GET \/api\/v1\/keys\.$/)
      const video = await api.post('/v1/videos/abc', {})
      assert.match(video.body.error.message, /use GET \/v1\/videos\/\{videoId\}\.$/)
      assert.equal(video.headers.get('allow'), 'GET, DELETE')
    }
  })

  test('nothing is led to a deletion', async () => {
    const answer = await service().api.get('/api/v1/jobs/0199a3c2-7b1e-7000-8f3a-5d2c1b0a9e8d')
    assert.equal(answer.body.msg, 'There is no such path.')
    assert.equal(answer.headers.get('allow'), 'DELETE')
  })

  test('a 404 of another spelling names the right one', async () => {
    const spellings: [string, string][] = [
      ['/api/v1/jobs/createtask', '/api/v1/jobs/createTask'],
      ['/API/V1/Jobs/CREATETASK', '/api/v1/jobs/createTask'],
      ['/api/v1/jobs/createTask/', '/api/v1/jobs/createTask'],
      ['/api/v1/video/recordinfo//', '/api/v1/video/recordInfo'],
      ['/v1/Inference/requests/abc/', '/v1/inference/requests/{requestId}'],
    ]
    for (const [path, meant] of spellings) {
      for (const answer of [await service().api.get(path), await service().api.post(path, {})]) {
        assert.equal(answer.status, 404)
        assert.equal(answer.body.msg, `There is no such path; did you mean ${meant}?`)
      }
    }
    for (const path of ['/api/v1/nothing', '/api/v1/jobs', '/console/session/', '//']) {
      assert.equal((await service().api.get(path)).body.msg, 'There is no such path.')
    }
  })

  test('limits name what is used and allowed, and when they reset', async () => {
    const parent = await newCaller(service(), 1000)
    for (const [per, mostS] of [
      ['hour', 3600],
      ['day', 86_400],
    ] as const) {
      const sub = await newSubKey(service(), parent, { requestLimit: { requests: 1, per } })
      await sub.api.get(creditPath)
      const refused = await sub.api.get(creditPath)
      assert.equal(refused.status, 433)
      const afterS = Number(refused.headers.get('retry-after'))
      assert.ok(afterS >= 1 && afterS <= mostS, String(afterS))
      const sentence = `This sub-key may make 1 request per ${per} and has made 1. Try again in ${afterS} s.`
      assert.equal(refused.body.msg, sentence)
    }
    const once = await newSubKey(service(), parent, { requestLimit: { requests: 1, per: 'total' } })
    await once.api.get(creditPath)
    assert.equal((await once.api.get(creditPath)).headers.get('retry-after'), null)
    const spender = await newSubKey(service(), parent, { creditLimit: 50 })
    await spender.api.createTask()
    const poor = await spender.api.post('/api/v1/jobs/createTask', taskBody())
    assert.equal(poor.status, 433)
    assert.match(poor.body.msg, /leaves 8 \(42 of 50 are used\)\./)
    const fast = await newCaller(service(), 0, { rate: '2/1h' })
    for (let i = 0; i < 2; i++) await fast.api.get(creditPath)
    const limited = await fast.api.get(creditPath)
    assert.match(limited.body.msg, /all 2 of 2 in 3600 s are used\. Try again in \d+ s\./)
  })
})
