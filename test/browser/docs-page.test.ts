// The documentation page in a real browser: it renders, breaks no rule of its own policy, asks nobody else, and its
// "try it out" reaches the service.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chromium } from 'playwright-core'
import { chromiumArgs, findChromium } from '../support/browser/chromium.ts'
import { startService, testKey } from '../support/service/service.ts'

test('the documentation page works in a browser', async (t) => {
  const service = await startService()
  t.after(() => service.stop())
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArgs })
  t.after(() => browser.close())
  const page = await browser.newPage()
  const complaints: string[] = []
  const origins = new Set<string>()
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) origins.add(new URL(request.url()).origin)
  })

  await page.goto(`${service.url}/docs`)
  await page.locator('.opblock-tag-section').first().waitFor()
  assert.equal(await page.locator('.opblock').count(), service.app.routes.filter((route) => route.docs).length + 1)

  await page.locator('#operations-Tasks-postJobsCreateTask .opblock-summary-control').click()
  await page.getByText('A sailing boat leaves the harbour').first().waitFor()

  await page.getByRole('button', { name: 'Authorize' }).first().click()
  await page.locator('.auth-container input').fill(testKey)
  await page.locator('.auth-btn-wrapper button[type=submit]').click()
  await page.locator('.btn-done').click()
  const credit = page.locator('#operations-Account-getAccountCredit')
  await credit.locator('.opblock-summary-control').click()
  await credit.locator('.try-out__btn').click()
  await credit.locator('.execute').click()
  await credit.locator('.live-responses-table').getByText('1000000').first().waitFor()

  assert.deepEqual(complaints, [])
  assert.deepEqual([...origins], [service.url])
})
