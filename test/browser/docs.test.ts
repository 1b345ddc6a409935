// The documentation in a real browser: search, theme, trying an operation with the console's session, and axe at three
// widths, light and dark.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { before, test } from 'node:test'
import { signIn } from '../support/browser/chromium.ts'
import { describeInBrowser } from '../support/browser/suite.ts'
import { ground, runAxe, tooWidePx } from './in-page.ts'

describeInBrowser('the documentation', { context: { bypassCSP: true } }, (at) => {
  let axe: string
  before(async () => {
    // axe is put into the page by the test, which the page's policy would forbid.
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  })

  test('finds operations and headings, and changes its theme', async () => {
    const { page } = at
    await page.goto(`${at.service.url}/docs`)
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
    const { page } = at
    await signIn(page, at.service.url)
    await page.goto(`${at.service.url}/docs/reference#get-api-v1-account-credit`)
    const operation = page.locator('#get-api-v1-account-credit')
    await operation.getByRole('button', { name: 'Send' }).click()
    await operation.getByText('"data": 1000000').waitFor()
  })

  for (const width of [390, 820, 1440]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`passes axe and fits at ${width} px, ${colorScheme}`, async () => {
        const { page } = at
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        for (const path of ['docs', 'docs/api', 'docs/reference', 'docs/models']) {
          await page.goto(`${at.service.url}/${path}`)
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
