// Signing a browser in: the cookie's flags, what it counts for, and everything that ends a session.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startService, type TestService, testKey } from '../support/service/service.ts'

describe('a browser session', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service?.stop())

  const ofConsole = { 'x-dailies-console': '1' }
  const open = (key: string, headers: Record<string, string> = ofConsole, remember = false) =>
    fetch(`${service.url}/console/session`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ key, remember }),
    })
  const cookieOf = (response: Response) => response.headers.getSetCookie()[0]!.split(';')[0]!
  const credit = async (cookie: string, headers: Record<string, string> = ofConsole) =>
    (await fetch(`${service.url}/api/v1/account/credit`, { headers: { ...headers, cookie } })).status

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
      (await service.as(null).get('/console/session', { headers })).body.data.signedIn
    const cookie = cookieOf(await open(testKey))
    assert.equal(await signedIn(ofConsole), false)
    assert.equal(await signedIn({ ...ofConsole, cookie: 'dailies_session=nonsense' }), false)
    assert.equal(await signedIn({ cookie }), false)
    assert.equal(await signedIn({ ...ofConsole, cookie }), true)
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

  test('ends by signing out, and with a rotated or revoked key', async () => {
    const first = cookieOf(await open(testKey))
    await fetch(`${service.url}/console/session`, { method: 'DELETE', headers: { ...ofConsole, cookie: first } })
    assert.equal(await credit(first), 401)
    for (const end of ['rotate', 'revoke']) {
      const { id, key } = (await service.api.post('/api/v1/keys', { name: end })).body.data
      const cookie = cookieOf(await open(key))
      assert.equal(await credit(cookie), 200)
      if (end === 'rotate') await service.api.post(`/api/v1/keys/${id}/rotate`, {})
      else await service.api.delete(`/api/v1/keys/${id}`)
      assert.equal(await credit(cookie), 401, end)
    }
  })
})
