// The documentation in a real browser: search, theme, trying an operation with the console's session, and axe at three
// widths, light and dark.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { before, test } from 'node:test'
import { signIn } from '../support/browser/chromium.ts'
import { clipboardText, ground, isFocused, runAxe, tooWidePx } from '../support/browser/in-page.ts'
import { describeInBrowser } from '../support/browser/suite.ts'

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

  test('is searched by keys alone, and says when nothing is found', async () => {
    const { page } = at
    await page.goto(`${at.service.url}/docs`)
    await page.keyboard.press('/')
    await page.keyboard.type('zzyzx')
    await page.getByText('Nothing found').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Nothing found').waitFor({ state: 'hidden' })
    await page.getByRole('searchbox').fill('idempotency-key')
    await page.locator('#found a').first().waitFor()
    await page.keyboard.press('ArrowDown')
    assert.ok(await page.locator('#found a').first().evaluate(isFocused))
    await page.keyboard.press('ArrowUp')
    assert.ok(await page.getByRole('searchbox').evaluate(isFocused))
  })

  test('has commands to copy that call this service', async () => {
    const { page } = at
    await at.browser.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${at.service.url}/docs`)
    const commands = page.locator('.copied', { hasText: '/api/v1/jobs/createTask' })
    await commands.hover()
    await commands.getByRole('button', { name: 'Copy' }).click()
    await commands.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate(clipboardText)
    assert.match(copied, new RegExp(`^curl ${at.service.url}/api/v1/jobs/createTask `, 'm'))
    assert.doesNotMatch(copied, /8080/)
  })

  test('lists what models take and cost in words', async () => {
    const { page } = at
    await page.goto(`${at.service.url}/docs/models`)
    await page.getByRole('row', { name: '10 seconds 84 credits' }).waitFor()
    await page.getByRole('row', { name: '4k with sound 67 credits per second' }).waitFor()
    await page.getByRole('row', { name: /^cfg_scale .*String or number, 0\.5 if omitted\.$/ }).waitFor()
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
