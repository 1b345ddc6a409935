// verifyWebhook against signatures that the standardwebhooks package makes.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { type TaskCallback, verifyWebhook, WebhookNotVerified } from '../../client/src/public.ts'

const secret = `whsec_${randomBytes(32).toString('base64')}`
const other = `whsec_${randomBytes(32).toString('base64')}`
const payload = { code: 200, msg: 'success', data: { taskId: 't1', failMsg: 'Käse 船 😀' } }
const body = JSON.stringify(payload)

function sign(by: string[], text = body, at = new Date(), id = 'msg_1') {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': by.map((one) => new Webhook(one).sign(id, at, text)).join(' '),
  }
}

const notVerified = (words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof WebhookNotVerified)
  assert.match(error.message, words)
  return true
}

test('a good signature gives the payload, whatever form headers and body have', async () => {
  const headers = sign([secret])
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
  const bytes = new TextEncoder().encode(body)
  for (const form of [headers, upper, new Headers(headers)]) {
    for (const raw of [body, bytes, bytes.buffer, Buffer.from(body)]) {
      assert.deepEqual(await verifyWebhook<TaskCallback>(secret, form, raw), payload)
    }
  }
})

test('a body, id or time that was changed is refused', async () => {
  const headers = sign([secret])
  const nowS = Math.floor(Date.now() / 1000)
  await assert.rejects(verifyWebhook(secret, headers, `${body} `), notVerified(/no signature matches/))
  await assert.rejects(verifyWebhook(secret, { ...headers, 'webhook-id': 'msg_2' }, body), WebhookNotVerified)
  await assert.rejects(
    verifyWebhook(secret, { ...headers, 'webhook-timestamp': String(nowS - 9) }, body),
    notVerified(/no signature matches/),
  )
  await assert.rejects(verifyWebhook(other, headers, body), notVerified(/no signature matches/))
  for (const signature of ['', 'v1', 'v1,', 'v1,***', headers['webhook-signature'].replace('v1', 'v2')]) {
    await assert.rejects(
      verifyWebhook(secret, { ...headers, 'webhook-signature': signature }, body),
      WebhookNotVerified,
    )
  }
  for (const name of Object.keys(headers)) {
    await assert.rejects(verifyWebhook(secret, { ...headers, [name]: undefined }, body), notVerified(/missing/))
  }
})

test('an old time, and one from the future, is refused unless it is tolerated', async () => {
  for (const awayS of [-400, 400]) {
    const headers = sign([secret], body, new Date(Date.now() + awayS * 1000))
    await assert.rejects(verifyWebhook(secret, headers, body), notVerified(/too far from now/))
    assert.deepEqual(await verifyWebhook(secret, headers, body, { toleranceS: 500 }), payload)
    assert.deepEqual(await verifyWebhook(secret, headers, body, { nowMs: Date.now() + awayS * 1000 }), payload)
  }
  const odd = { ...sign([secret]), 'webhook-timestamp': '1e9' }
  await assert.rejects(verifyWebhook(secret, odd, body), notVerified(/not a number/))
})

test('while a secret is rotated, the old and the new one both count', async () => {
  const both = sign([other, secret])
  assert.deepEqual(await verifyWebhook(secret, both, body), payload)
  assert.deepEqual(await verifyWebhook(other, both, body), payload)
  assert.deepEqual(await verifyWebhook([other, secret], sign([secret]), body), payload)
})

test('a malformed secret is a mistake of the program', async () => {
  await assert.rejects(verifyWebhook('whsec_', sign([secret]), body), TypeError)
  await assert.rejects(verifyWebhook([], sign([secret]), body), WebhookNotVerified)
})

test('works where crypto is no global, as in Node 18', async () => {
  const client = fileURLToPath(new URL('../../client/src/public.ts', import.meta.url))
  const script = `
    delete globalThis.crypto
    if (globalThis.crypto) throw new Error('crypto is still there')
    const { verifyWebhook } = await import(${JSON.stringify(client)})
    const payload = await verifyWebhook(${JSON.stringify(secret)}, ${JSON.stringify(sign([secret]))}, ${JSON.stringify(body)})
    console.log(payload.data.taskId)`
  const flags = ['--input-type=module', '-e', script]
  const { stdout } = await promisify(execFile)(process.execPath, flags)
  assert.equal(stdout.trim(), 't1')
})
