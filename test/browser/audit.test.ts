// The audit log in the console: readable for an operator, narrowed by filters that stay in the address, downloadable.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import { openBrowser, signIn } from '../support/browser/chromium.ts'
import { describeInBrowser } from '../support/browser/suite.ts'
import { newCaller } from '../support/service/callers.ts'

describeInBrowser('the audit page', {}, (at) => {
  before(async () => {
    await at.service.api.post('/api/v1/operator/features', { name: '4k', enabled: false })
    await at.service.api.post('/api/v1/operator/accounts/default/credit', { credits: 1500 })
    await at.service.api.post('/api/v1/keys', { name: '<img src=x onerror="document.title=1">' })
  })

  test('shows who changed what, before and after', async () => {
    const { page } = at
    await signIn(page, at.service.url)
    await page.getByRole('link', { name: 'Audit', exact: true }).click()
    await page.getByRole('heading', { name: 'Audit', exact: true }).waitFor()
    const credit = page.getByRole('row', { name: /account\.credit/ })
    await credit.waitFor()
    assert.match(await credit.innerText(), /127\.0\.0\.1[\s\S]*default[\s\S]*balance\s+1,000,000 → 1,001,500/)
    assert.match(await page.getByRole('row', { name: /feature\.disable/ }).innerText(), /4k[\s\S]*enabled\s+yes → no/)
    assert.match(await page.getByRole('row', { name: /account\.create/ }).innerText(), /service[\s\S]*credits/)
    assert.equal(await page.title(), 'Audit · Dailies')
  })

  test('is narrowed by action and actor, also after a reload, and downloads what matches', async () => {
    const { page } = at
    await page.getByLabel('Action').selectOption('account.credit')
    await page.getByRole('row', { name: /feature\.disable/ }).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('row', { name: /account\.credit/ }).waitFor()
    assert.equal(await page.getByRole('row').count(), 2)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download NDJSON' }).click()
    const lines = (await readFile(await (await downloading).path(), 'utf8')).trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).action),
      ['account.credit'],
    )
    await page.getByLabel('Action').selectOption('')
    await page.getByRole('button', { name: 'service' }).first().click()
    await page.getByRole('row', { name: /account\.credit/ }).waitFor({ state: 'detached' })
    assert.equal(await page.getByLabel('Actor').inputValue(), 'service')
  })

  test('is not there for a key without the operator right', async () => {
    const { key } = await newCaller(at.service, 10)
    const other = await openBrowser(at.service.url)
    try {
      await signIn(other.page, at.service.url, key)
      assert.equal(await other.page.getByRole('link', { name: 'Audit', exact: true }).count(), 0)
      await other.page.goto(`${at.service.url}/#/audit`)
      await other.page.getByRole('heading', { name: 'Not for this key' }).waitFor()
    } finally {
      await other.close()
    }
  })
})
