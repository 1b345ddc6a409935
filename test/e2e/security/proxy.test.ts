// Behind a proxy the service is not for this machine alone any more: loopback targets are refused.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startBadServer } from '../../support/network/bad-server.ts'
import { newCaller } from '../../support/service/callers.ts'
import { startService } from '../../support/service/service.ts'

const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('a proxy in front', () => {
  test('that is not trusted takes loopback targets away with its first request', async () => {
    const target = await startBadServer()
    const service = await startService()
    try {
      const upload = (headers = {}) =>
        service.api.post('/api/v1/files/upload', { fileUrl: `${target.origin}/a` }, { headers })
      await upload()
      assert.equal(target.requests.length, 1)
      for (const headers of [{ 'x-forwarded-for': '203.0.113.7' }, {}]) {
        const refused = await upload(headers)
        assert.equal(refused.status, 422)
        assert.match(refused.body.msg, /address not allowed/)
      }
      assert.equal(target.requests.length, 1)
    } finally {
      await service.stop()
      await target.close()
    }
  })

  test('changes nothing where a setting allows the targets', async () => {
    const target = await startBadServer()
    const service = await startService({ DAILIES_ALLOW_PRIVATE_NETWORK: '127.0.0.0/8' })
    try {
      const headers = { 'x-forwarded-for': '203.0.113.7' }
      await service.api.post('/api/v1/files/upload', { fileUrl: `${target.origin}/a` }, { headers })
      assert.equal(target.requests.length, 1)
    } finally {
      await service.stop()
      await target.close()
    }
  })

  test('that is trusted decides what links begin with, while no setting does', async () => {
    const linkOf = async (env: Record<string, string>, headers: Record<string, string>) => {
      const service = await startService(env)
      try {
        const form = { base64Data: `data:image/png;base64,${onePixel}`, fileName: 'a.png' }
        const answer = await service.api.post('/api/v1/files/upload', form, { headers })
        assert.equal(answer.status, 200, answer.text)
        return new URL(answer.body.data.downloadUrl).origin.replace(service.url, 'the listening address')
      } finally {
        await service.stop()
      }
    }
    const forwarded = { 'x-forwarded-host': 'videos.example', 'x-forwarded-proto': 'https' }
    const trusted = { DAILIES_TRUST_PROXY: '127.0.0.1' }
    assert.equal(await linkOf(trusted, forwarded), 'https://videos.example')
    assert.equal(await linkOf(trusted, {}), 'the listening address')
    assert.equal(await linkOf(trusted, { ...forwarded, 'x-forwarded-host': 'a@b/c' }), 'the listening address')
    assert.equal(await linkOf({}, forwarded), 'the listening address')
    assert.equal(await linkOf({ DAILIES_TRUST_PROXY: '10.0.0.0/8' }, forwarded), 'the listening address')
    const named = { ...trusted, DAILIES_PUBLIC_URL: 'https://named.example' }
    assert.equal(await linkOf(named, forwarded), 'https://named.example')
  })

  test('that is trusted alone names the client: what the client wrote itself is not believed', async () => {
    const creditPath = '/api/v1/account/credit'
    const bound = '203.0.113.7'
    for (const [trust, before, after] of [
      ['true', '', ''],
      ['1', '', ''],
      ['2', '', ', 10.0.0.9'],
      ['127.0.0.1,10.0.0.0/8', '', ', 10.0.0.9'],
      ['true', '10.0.0.9, ', ''],
    ] as const) {
      const service = await startService({ DAILIES_TRUST_PROXY: trust })
      try {
        const caller = await newCaller(service, 1000, { addresses: [bound] })
        const from = (entries: string) => ({ headers: { 'x-forwarded-for': `${before}${entries}${after}` } })
        const statusFrom = async (entries: string) => (await caller.api.get(creditPath, from(entries))).status
        assert.equal(await statusFrom(bound), 200, trust)
        // The proxy appends the address that it saw to what the client sent.
        assert.equal(await statusFrom(`${bound}, 198.51.100.1`), 401, trust)
        assert.equal(await statusFrom(`198.51.100.1, ${bound}`), 200, trust)

        // An attacker who names another address with each request is counted as one.
        const attempts = []
        for (let i = 0; i < 101; i++) {
          attempts.push(await service.as('dk_wrong').get(creditPath, from(`192.0.2.${i}, 198.51.100.2`)))
        }
        assert.deepEqual([attempts[99]!.status, attempts[100]!.status], [401, 429], trust)

        const links = {
          ...from('198.51.100.1').headers,
          'x-forwarded-host': 'evil.example, videos.example',
          'x-forwarded-proto': 'http, https',
        }
        const { body } = await service.as(null).get('/openapi.json', { headers: links })
        assert.deepEqual(body.servers, [{ url: 'https://videos.example' }], trust)
      } finally {
        await service.stop()
      }
    }
  })

  test('that is trusted gives each client the address of the service in the OpenAPI document', async () => {
    const service = await startService({ DAILIES_TRUST_PROXY: '127.0.0.1' })
    try {
      for (const host of ['videos.example', 'other.example']) {
        const headers = { 'x-forwarded-host': host, 'x-forwarded-proto': 'https' }
        const { body } = await service.as(null).get('/openapi.json', { headers })
        assert.deepEqual(body.servers, [{ url: `https://${host}` }])
      }
    } finally {
      await service.stop()
    }
  })
})
