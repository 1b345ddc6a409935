// When a callback is tried again, and what a signature covers, as tables.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { retryDelayMs } from '../../src/webhooks/deliver.ts'
import { signedHeaders } from '../../src/webhooks/secrets.ts'

const delays = [1000, 5000, 30_000]
const hourMs = 3_600_000

describe('retryDelayMs', () => {
  for (const [attempts, retryAfterMs, random, expected] of [
    [1, null, 0.5, 1000],
    [1, null, 0, 900],
    [1, null, 1, 1100],
    [2, null, 0.5, 5000],
    [3, null, 0, 27_000],
    [4, null, 0.5, null],
    [1, 500, 0.5, 1000],
    [1, 20_000, 0.5, 20_000],
    [3, 2 * hourMs, 0.5, hourMs],
    [4, 20_000, 0.5, null],
  ] as const) {
    test(`after ${attempts} attempts, Retry-After ${retryAfterMs}, random ${random}: ${expected}`, () => {
      assert.equal(retryDelayMs({ attempts, retryAfterMs, random }, delays), expected)
    })
  }
})

describe('signedHeaders', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const body = JSON.stringify({ text: 'naïve 🎬' })

  test('verifies with the reference library, and not with another body, id or secret', () => {
    const headers: Record<string, string> = {
      ...signedHeaders('id-1', body, { current: secret, previous: null }, Date.now()),
    }
    assert.deepEqual(new Webhook(secret).verify(body, headers), { text: 'naïve 🎬' })
    assert.throws(() => new Webhook(secret).verify(`${body} `, headers))
    assert.throws(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'id-2' }))
    assert.throws(() => new Webhook(`whsec_${Buffer.alloc(32, 8).toString('base64')}`).verify(body, headers))
  })

  test('equals what the reference library signs', () => {
    const at = new Date(1_800_000_000_999)
    const headers = signedHeaders('id-1', body, { current: secret, previous: null }, at.getTime())
    assert.equal(headers['webhook-timestamp'], '1800000000')
    assert.equal(headers['webhook-signature'], new Webhook(secret).sign('id-1', at, body))
  })
})
