// Invalid keys from one address: refused with 429 beyond a limit, while valid keys are served from the same address.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createManualClock } from '../../support/manual-clock.ts'
import { newCaller } from '../../support/service/callers.ts'
import { describeService } from '../../support/service/suite.ts'

const creditPath = '/api/v1/account/credit'
const clock = createManualClock(Date.now())
const env = { DAILIES_TRUST_PROXY: '127.0.0.1' }

describeService('failed authentication', { env, overrides: () => ({ clock }) }, (service) => {
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  const attempt = (address: string) => service().as('dk_wrong').get(creditPath, from(address))

  test('is slowed down by address, and never stops a valid key', async () => {
    const address = '203.0.113.7'
    const caller = await newCaller(service(), 1000)
    for (let i = 0; i < 100; i++) assert.equal((await attempt(address)).status, 401)
    const refused = await attempt(address)
    assert.equal(refused.status, 429)
    const retryAfterS = Number(refused.headers.get('retry-after'))
    assert.ok(retryAfterS >= 1 && retryAfterS <= 60)
    assert.match(refused.body.msg, /no valid API key\. Try again in \d+ s/)

    assert.equal((await caller.api.get(creditPath, from(address))).status, 200)
    assert.equal((await attempt('203.0.113.8')).status, 401)
    // Without a key there is nothing to guess.
    assert.equal((await service().as(null).get(creditPath, from(address))).status, 401)
    const signIn = (key: string) =>
      service()
        .as(null)
        .post('/console/session', { key }, { headers: { ...from(address).headers, 'x-dailies-console': '1' } })
    assert.equal((await signIn('dk_wrong')).status, 429)
    assert.equal((await signIn(caller.key)).status, 200)

    clock.advance(retryAfterS * 1000)
    assert.equal((await attempt(address)).status, 401)
  })

  test('counts keys that may not be used from their address', async () => {
    const caller = await newCaller(service(), 1000, { addresses: ['127.0.0.1'] })
    const statuses = []
    for (let i = 0; i < 101; i++) statuses.push((await caller.api.get(creditPath, from('203.0.113.9'))).status)
    assert.deepEqual([statuses.indexOf(429), statuses[99]], [100, 401])
  })
})
