// The documentation in a real browser: search, theme, trying an operation with the console's session, and axe at three
// widths, light and dark.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import { openBrowser, signIn, type TestBrowser } from '../support/browser/chromium.ts'
import { startService, type TestService } from '../support/service/service.ts'
import { ground, runAxe, tooWidePx } from './in-page.ts'

describe('the documentation', () => {
  let service: TestService
  let browser: TestBrowser
  let axe: string
  before(async () => {
    service = await startService()
    // axe is put into the page by the test, which the page's policy would forbid.
    browser = await openBrowser(service.url, { bypassCSP: true })
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  test('finds operations and headings, and changes its theme', async () => {
    const { page } = browser
    await page.goto(`${service.url}/docs`)
    await page.keyboard.press('/')
    await page.keyboard.type('canceltask')
    await page.getByRole('link', { name: /POST \/api\/v1\/jobs\/cancelTask/ }).click()
    await page.waitForURL(/\/docs\/reference#post-api-v1-jobs-cancelTask$/)
    await page.locator('details.operation[open]').waitFor()
    const before = await page.evaluate(ground)
    await page.getByRole('button', { name: 'Switch between dark and light' }).click()
    assert.notEqual(await page.evaluate(ground), before)
  })

  test('tries an operation with the session of the console', async () => {
    const { page } = browser
    await signIn(page, service.url)
    await page.goto(`${service.url}/docs/reference#get-api-v1-account-credit`)
    const operation = page.locator('#get-api-v1-account-credit')
    await operation.getByRole('button', { name: 'Send' }).click()
    await operation.getByText('"data": 1000000').waitFor()
  })

  for (const width of [390, 820, 1440]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`passes axe and fits at ${width} px, ${colorScheme}`, async () => {
        const { page } = browser
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        for (const path of ['docs', 'docs/api', 'docs/reference', 'docs/models']) {
          await page.goto(`${service.url}/${path}`)
          assert.equal(await page.evaluate(tooWidePx), 0, path)
          await page.evaluate(axe)
          const { violations } = (await page.evaluate(runAxe)) as { violations: { id: string }[] }
          assert.deepEqual(
            violations.map(({ id }) => id),
            [],
            path,
          )
        }
      })
    }
  }
})
