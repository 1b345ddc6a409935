// Signing a browser in: the cookie's flags, what it counts for, and everything that ends a session.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { type Caller, newCaller, newSubKey } from '../support/service/callers.ts'
import { testKey } from '../support/service/service.ts'
import { describeService } from '../support/service/suite.ts'
import { within } from '../support/within.ts'

describeService('a browser session', {}, (service) => {
  const ofConsole = { 'x-dailies-console': '1' }
  const open = (key: string, headers: Record<string, string> = ofConsole, remember = false) =>
    fetch(`${service().url}/console/session`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ key, remember }),
    })
  const api = async (cookie: string, path: string, method = 'GET') => {
    const response = await fetch(`${service().url}${path}`, { method, headers: { ...ofConsole, cookie } })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  const cookieOf = (response: Response) => response.headers.getSetCookie()[0]!.split(';')[0]!
  const credit = async (cookie: string, headers: Record<string, string> = ofConsole) =>
    (await fetch(`${service().url}/api/v1/account/credit`, { headers: { ...headers, cookie } })).status

  test('is a cookie that no script reads and no other site sends, and is not the key', async () => {
    const response = await open(testKey, ofConsole, true)
    assert.equal(response.status, 200)
    const [cookie] = response.headers.getSetCookie()
    assert.match(cookie!, /^dailies_session=[\w-]{16,}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/)
    assert.ok(!cookie!.includes(testKey))
    assert.equal(await credit(cookieOf(response)), 200)
    assert.doesNotMatch((await open(testKey)).headers.getSetCookie()[0]!, /Max-Age/)
  })

  test('can be looked for without a 401', async () => {
    const signedIn = async (headers: Record<string, string>) =>
      (await service().as(null).get('/console/session', { headers })).body.data.signedIn
    const cookie = cookieOf(await open(testKey))
    assert.equal(await signedIn(ofConsole), false)
    assert.equal(await signedIn({ ...ofConsole, cookie: 'dailies_session=nonsense' }), false)
    assert.equal(await signedIn({ cookie }), false)
    assert.equal(await signedIn({ ...ofConsole, cookie }), true)
    const reader = await newSubKey(service(), await newCaller(service(), 0), { scopes: ['tasks:read'] })
    const own = { ...ofConsole, cookie: cookieOf(await open(reader.key)) }
    const { key } = (await service().as(null).get('/console/session', { headers: own })).body.data
    assert.deepEqual(key, { isSubKey: true, scopes: ['tasks:read'] })
  })

  test('counts only with the header that the console sends', async () => {
    const cookie = cookieOf(await open(testKey))
    assert.equal(await credit(cookie, {}), 401)
    assert.equal((await open(testKey, {})).status, 401)
    assert.equal(await credit('dailies_session=nonsense'), 401)
    // A key that is given is the one that counts.
    assert.equal(await credit(cookie, { ...ofConsole, authorization: 'Bearer wrong' }), 401)
  })

  test('is refused for a key that is not known', async () => {
    const response = await open('wrong')
    assert.equal(response.status, 401)
    assert.deepEqual(response.headers.getSetCookie(), [])
  })

  test("counts towards its key's rate and request limit, as every other request", async () => {
    const slow = await newCaller(service(), 0, { rate: '3/1h' })
    const few = await newSubKey(service(), await newCaller(service(), 0), { requestLimit: { requests: 2, per: 'day' } })
    for (const [{ key }, refusal, allowed] of [
      [slow, 429, 3],
      [few, 433, 2],
    ] as const) {
      const statuses = []
      for (let i = 0; i < allowed + 2; i++) statuses.push((await open(key)).status)
      assert.deepEqual(statuses, [...Array(allowed).fill(200), refusal, refusal])
    }
    assert.match((await open(slow.key)).headers.get('ratelimit')!, /r=0/)
  })

  test('ends when its key has opened twenty newer ones', async () => {
    const { key } = await newCaller(service(), 0)
    const cookies = []
    for (let i = 0; i < 22; i++) cookies.push(cookieOf(await open(key)))
    const statuses = await Promise.all(cookies.map((cookie) => credit(cookie)))
    assert.equal(statuses.filter((status) => status === 401).length, 2)
    assert.deepEqual([statuses[0], statuses.at(-1)], [401, 200])
    assert.equal((await api(cookies.at(-1)!, '/api/v1/account/sessions')).body.data.items.length, 20)
  })

  test('is listed and ended by the key that opened it, and by the parent of that key', async () => {
    const parent = await newCaller(service(), 0)
    const sub = await newSubKey(service(), parent)
    const stranger = await newCaller(service(), 0)
    const mine = cookieOf(await open(parent.key, { ...ofConsole, 'user-agent': 'Browser/1' }))
    const theirs = cookieOf(await open(sub.key, ofConsole, true))
    const list = async (caller: Caller) => (await caller.api.get('/api/v1/account/sessions')).body.data.items
    const { items } = (await api(mine, '/api/v1/account/sessions')).body.data
    assert.equal(items.length, 2)
    const own = items.find((each: { current: boolean }) => each.current)
    assert.deepEqual(Object.keys(own).sort(), [
      'address',
      'createdAt',
      'current',
      'expiresAt',
      'id',
      'keyId',
      'lastUsedAt',
      'userAgent',
    ])
    assert.deepEqual([own.keyId, own.address, own.userAgent], [parent.keyId, '127.0.0.1', 'Browser/1'])
    assert.equal(own.expiresAt - own.createdAt, 86_400_000)
    assert.ok(own.lastUsedAt >= own.createdAt)
    assert.ok(!JSON.stringify(items).includes(mine.split('=')[1]!), 'the token is not shown')
    const [listed] = await list(sub)
    assert.deepEqual([listed.keyId, listed.current, (await list(sub)).length], [sub.keyId, false, 1])
    assert.deepEqual(await list(stranger), [])

    for (const each of [stranger, sub]) {
      assert.equal((await each.api.delete(`/api/v1/account/sessions/${own.id}`)).status, 404)
    }
    const events = await fetch(`${service().url}/api/v1/webhooks/listen`, { headers: { ...ofConsole, cookie: mine } })
    assert.equal(events.status, 200)
    assert.deepEqual((await parent.api.delete(`/api/v1/account/sessions/${listed.id}`)).body.data, { id: listed.id })
    assert.equal(await credit(theirs), 401)
    assert.equal(await credit(mine), 200)
    assert.equal((await api(mine, `/api/v1/account/sessions/${own.id}`, 'DELETE')).status, 200)
    assert.equal(await credit(mine), 401)
    await within(
      3000,
      'the stream of the session to end',
      events.text().catch(() => ''),
    )
    const path = `/api/v1/operator/audit?action=session.end&actor=${parent.keyId}`
    const [ended] = (await service().api.get(path)).body.data.items
    assert.deepEqual([ended.target, ended.before.keyId], [own.id, parent.keyId])
    assert.equal((await parent.api.delete(`/api/v1/account/sessions/${own.id}`)).status, 404)
  })

  test('of a replaced secret lasts for the overlap, and ends no other', async () => {
    const caller = await newCaller(service(), 0)
    const cookie = cookieOf(await open(caller.key))
    const { key } = (await caller.api.post('/api/v1/keys/self/rotate', { overlap: '1h' })).body.data
    const renewed = cookieOf(await open(key))
    const { items } = (await api(renewed, '/api/v1/account/sessions')).body.data
    assert.equal(items.length, 2)
    for (const { id } of items)
      assert.equal((await api(cookie, `/api/v1/account/sessions/${id}`, 'DELETE')).status, 404)
    for (const each of [cookie, renewed]) assert.equal(await credit(each), 200)
  })

  test('ends by signing out, and with a rotated or revoked key', async () => {
    const first = cookieOf(await open(testKey))
    await fetch(`${service().url}/console/session`, { method: 'DELETE', headers: { ...ofConsole, cookie: first } })
    assert.equal(await credit(first), 401)
    for (const end of ['rotate', 'revoke']) {
      const { id, key } = (await service().api.post('/api/v1/keys', { name: end })).body.data
      const cookie = cookieOf(await open(key))
      assert.equal(await credit(cookie), 200)
      if (end === 'rotate') await service().api.post(`/api/v1/keys/${id}/rotate`, {})
      else await service().api.delete(`/api/v1/keys/${id}`)
      assert.equal(await credit(cookie), 401, end)
    }
  })
})

for (const [how, env, headers] of [
  ['a public URL', { DAILIES_PUBLIC_URL: 'https://videos.example' }, { host: 'videos.example' }],
  ['a trusted proxy', { DAILIES_TRUST_PROXY: 'true' }, { 'x-forwarded-proto': 'https' }],
] as [string, Record<string, string>, Record<string, string>][]) {
  describeService(`a browser session over TLS, as ${how} says`, { env }, (service) => {
    const open = (more: Record<string, string>) =>
      sendTo(`${service().url}/console/session`, 'POST', { ...more, 'x-dailies-console': '1' }, { key: testKey })
    const credit = async (cookie: string, more: Record<string, string>) =>
      (await sendTo(`${service().url}/api/v1/account/credit`, 'GET', { ...more, cookie, 'x-dailies-console': '1' }))
        .status

    test('is a cookie of this host alone, and browsers stay with TLS', async () => {
      const answer = await open(headers)
      assert.equal(answer.headers['strict-transport-security'], 'max-age=31536000')
      const cookie = answer.headers['set-cookie']![0]!
      assert.match(cookie, /^__Host-dailies_session=[\w-]{16,}; Path=\/; HttpOnly; SameSite=Strict; Secure$/)
      const pair = cookie.split(';')[0]!
      assert.equal(await credit(pair, headers), 200)
      // Another site of the domain could have set one without the prefix.
      assert.equal(await credit(pair.replace('__Host-', ''), headers), 401)
    })

    test('works on this machine without TLS', async () => {
      const answer = await open({})
      assert.equal(answer.headers['strict-transport-security'], undefined)
      const pair = answer.headers['set-cookie']![0]!.split(';')[0]!
      assert.match(pair, /^dailies_session=/)
      assert.equal(await credit(pair, {}), 200)
    })
  })
}

/** With a Host of its own, which fetch does not send. */
async function sendTo(url: string, method: string, headers: Record<string, string>, body?: object) {
  const sent = request(url, {
    method,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
  })
  sent.end(body ? JSON.stringify(body) : '')
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  answer.resume()
  return { status: answer.statusCode, headers: answer.headers }
}
