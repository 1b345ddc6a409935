// The rights of sub-keys in the console: given when a key is made, shown on its card, and changed later.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Param } from '../../src/db/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { openBrowser, signIn } from '../support/browser/chromium.ts'
import { goTo, isFocused, overflow } from '../support/browser/in-page.ts'
import { describeInBrowser } from '../support/browser/suite.ts'
import { newCaller, newSubKey } from '../support/service/callers.ts'

describeInBrowser('the keys page', { signedIn: true }, (at) => {
  const shown = async () => (await at.service.api.get('/api/v1/keys')).body.data.items[0]

  test('gives a sub-key rights, names a wrong address, and changes them', async () => {
    const { page } = at
    await page.evaluate(goTo, 'keys')
    await page.getByRole('button', { name: 'New sub-key' }).click()
    await page.getByLabel('Name').fill('dashboard')
    await page.getByLabel('Create, cancel and delete tasks').uncheck()
    await page.getByLabel('Upload files').uncheck()
    await page.getByLabel('Addresses it may be used from').fill('127.0.0.1, the office')
    await page.getByRole('button', { name: 'Make the key' }).click()
    await page.getByText('must be an address or a network').waitFor()
    await page.getByLabel('Addresses it may be used from').fill('127.0.0.1, 203.0.113.0/24')
    await page.getByLabel('Expires').fill('2090-01-31T12:00')
    await page.getByRole('button', { name: 'Make the key' }).click()
    const secret = await page.locator('.secret-text').innerText()
    await page.getByRole('button', { name: 'Done' }).click()
    const card = page.locator('.key', { hasText: 'dashboard' })
    await card.getByText('may tasks:read').waitFor()
    await card.getByText('from 127.0.0.1, 203.0.113.0/24').waitFor()
    await card.getByText('expires Jan 31, 2090').waitFor()
    await card.getByText('never used').waitFor()
    // Requests are counted only towards a limit.
    assert.match(await card.locator('.use', { hasText: 'Requests' }).innerText(), /^Requests\s+no limit$/)
    const { scopes, addresses, expiresAt } = await shown()
    assert.deepEqual([scopes, addresses], [['tasks:read'], ['127.0.0.1', '203.0.113.0/24']])
    assert.equal(new Date(expiresAt).getFullYear(), 2090)
    assert.equal((await at.service.as(secret).get('/api/v1/jobs/list')).status, 200)

    await card.getByRole('button', { name: 'Change dashboard' }).click()
    const dialog = page.getByRole('dialog')
    assert.equal(await dialog.getByLabel('Upload files').isChecked(), false)
    await dialog.getByLabel('Name').fill('reports')
    await dialog.getByLabel('Upload files').check()
    await dialog.getByLabel('Addresses it may be used from').fill('')
    await dialog.getByLabel('Expires').fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.locator('.key', { hasText: 'reports' }).getByText('may tasks:read, files:write').waitFor()
    const changed = await shown()
    assert.deepEqual([changed.name, changed.addresses, changed.expiresAt], ['reports', null, null])
  })

  test('takes no half-written limit or date for none, and keeps a long name in its place', async () => {
    const { page } = at
    await page.getByRole('button', { name: 'New sub-key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('n'.repeat(100))
    await dialog.getByLabel('Credits it may spend').pressSequentially('1e')
    await dialog.getByRole('button', { name: 'Make the key' }).click()
    assert.equal(await dialog.getByLabel('Credits it may spend').evaluate(isFocused), true)
    await dialog.getByLabel('Credits it may spend').fill('10')
    await dialog.getByLabel('Expires').focus()
    await page.keyboard.type('12312090')
    await dialog.getByRole('button', { name: 'Make the key' }).click()
    assert.equal(await dialog.getByLabel('Expires').evaluate(isFocused), true)
    assert.equal((await at.service.api.get('/api/v1/keys')).body.data.items.length, 1, 'no key was made')
    await dialog.getByLabel('Expires').fill('')
    await dialog.getByRole('button', { name: 'Make the key' }).click()
    await page.locator('.secret-text').waitFor()
    assert.equal(await page.evaluate(`${overflow}('.dialog h2')`), 0)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.locator('.key', { hasText: 'nnn' }).waitFor()
    assert.equal(await page.evaluate(`${overflow}('.key-words')`), 0)
  })

  test('offers a key only what it may do', async () => {
    const { service } = at
    const taskId = await service.api.createTask('seen by all script: wait 10ms')
    await service.api.until(taskId, ['success'])
    const views = (page: typeof at.page) =>
      page.getByRole('navigation', { name: 'Views' }).getByRole('link').allTextContents()
    const reader = await newCaller(service, 1000, { scopes: ['tasks:read'] })
    const row = { ...(await service.app.db.one<Record<string, Param>>('select * from tasks where id = ?', [taskId])) }
    await service.app.db.insert('tasks', [
      { ...row, id: newId(Date.now()), account_id: reader.accountId, key_id: reader.keyId },
    ])
    const subKey = await newSubKey(service, await newCaller(service, 1000))
    const other = await openBrowser(service.url)
    try {
      const { page } = other
      await page.goto(service.url)
      await page.getByLabel('API key').fill(reader.key)
      await page.getByRole('button', { name: 'Sign in' }).click()
      // What a page opens with is the first that the key may see.
      await page.getByRole('link', { name: /seen by all/ }).click()
      await page.getByRole('link', { name: 'Download' }).waitFor()
      assert.deepEqual(await views(page), ['Tasks', 'Usage'])
      for (const name of ['Extend', 'Share', 'Delete'])
        assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
      assert.equal(await page.getByRole('link', { name: 'Change and run again' }).count(), 0)
      await page.goto(`${service.url}/#/play`)
      await page.getByRole('heading', { name: 'Not for this key' }).waitFor()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await signIn(page, service.url, subKey.key)
      await page.getByRole('button', { name: 'Make the video' }).waitFor()
      assert.deepEqual(await views(page), ['Playground', 'Tasks', 'Usage'])
      await page.goto(`${service.url}/#/usage`)
      await page.getByText('Tasks by day', { exact: true }).first().waitFor()
      assert.equal(await page.getByRole('heading', { name: /edger/ }).count(), 0)
    } finally {
      await other.close()
    }
  })

  test('shows more keys than a page has, and still shows them after one was changed', async () => {
    const { page, service } = at
    const { id } = await shown()
    const { db } = service.app
    const row = await db.one<Record<string, Param>>('select * from keys where id = ?', [id])
    const copies = Array.from({ length: 1000 }, (_, index) => {
      const copy = newId(Date.now())
      return { ...row, id: copy, hash: copy, name: `many ${index}`, revoked_at: Date.now() }
    })
    await db.insert('keys', copies)
    await service.api.post('/api/v1/keys', { name: 'the last one' })
    await page.reload()
    await page.getByRole('button', { name: 'More keys' }).click()
    const last = page.locator('.key', { hasText: 'the last one' })
    await last.getByRole('button', { name: 'Revoke the last one' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await last.waitFor({ state: 'detached' })
    await page.getByText('1001 revoked').waitFor()
    assert.equal(await page.getByRole('button', { name: 'More keys' }).count(), 0)
  })
})
