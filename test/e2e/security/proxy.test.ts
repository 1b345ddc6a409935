// Behind a proxy the service is not for this machine alone any more: loopback targets are refused.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startBadServer } from '../../support/network/bad-server.ts'
import { startService } from '../../support/service/service.ts'

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
})
