// The API reference under its own policy: it breaks no rule of it, contacts no other origin, and sends an operation
// with a key that was typed in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser } from '../support/browser/chromium.ts'
import { startService, testKey } from '../support/service/service.ts'

test('the reference lists every operation and sends one', async (t) => {
  const service = await startService()
  t.after(() => service.stop())
  const { page, strangers, complaints, close } = await openBrowser(service.url)
  t.after(close)

  await page.goto(`${service.url}/docs/reference`)
  const documented = service.app.routes.filter((route) => route.operationId).length
  assert.equal(await page.locator('details.operation').count(), documented)

  const create = page.locator('#post-api-v1-jobs-createTask')
  await create.locator('summary').first().click()
  assert.match(await create.getByLabel('Body').inputValue(), /"image_url"/)

  const credit = page.locator('#get-api-v1-account-credit')
  await credit.locator('summary').first().click()
  await credit.getByRole('button', { name: 'Send' }).click()
  await credit.locator('output', { hasText: '"code": 401' }).waitFor()
  await page.getByLabel('API key for trying operations').fill(testKey)
  await credit.getByRole('button', { name: 'Send' }).click()
  await credit.locator('output', { hasText: '"data": 1000000' }).waitFor()

  assert.deepEqual(complaints, [])
  assert.deepEqual(strangers, [])
})
