// The console's list of tasks in a real browser: filters, the gallery, deleting, and a narrow screen. Texts of clients stay
// texts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeInBrowser } from '../support/browser/suite.ts'
import { within } from '../support/within.ts'
import { goTo } from './in-page.ts'

const xss = '<img src=x onerror="document.title=\'owned\'">'

describeInBrowser('the list of tasks', { signedIn: true }, (at) => {
  const go = (place: string) => at.page.evaluate(goTo, place)

  test('lists tasks, filters them, and keeps texts texts', async () => {
    await at.service.api.until(await at.service.api.createTask('it sails on'), ['success'])
    const failed = await at.service.api.createTask(`${xss} script: fail ${xss}`)
    await at.service.api.until(failed, ['fail'])
    await go('tasks')
    await at.page.getByRole('link', { name: /onerror/ }).waitFor()
    await at.page.getByLabel('Prompt or task id').fill('it sails')
    await at.page.getByRole('link', { name: /onerror/ }).waitFor({ state: 'detached' })
    await at.page
      .getByRole('link', { name: /it sails on/ })
      .first()
      .waitFor()
    assert.match(at.page.url(), /q=it\+sails/)
    await at.page.reload()
    assert.equal(await at.page.getByLabel('Prompt or task id').inputValue(), 'it sails')
    await at.page.getByLabel('Prompt or task id').fill('')
    await at.page.getByLabel('State').selectOption('fail')
    await at.page
      .getByRole('link', { name: /it sails on/ })
      .first()
      .waitFor({ state: 'detached' })
    await at.page.getByRole('link', { name: /onerror/ }).click()
    await at.page.getByRole('heading', { name: /onerror/ }).waitFor()
    await at.page.getByRole('heading', { name: 'Request' }).waitFor()
    assert.notEqual(await at.page.title(), 'owned')
    assert.equal(await at.page.locator('img[src="x"]').count(), 0)
    await at.page.getByRole('button', { name: 'Delete' }).click()
    await at.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await at.page.getByRole('heading', { name: 'Tasks' }).waitFor()
    assert.equal((await at.service.api.get(`/api/v1/jobs/recordInfo?taskId=${failed}`)).status, 404)
  })

  /** More than a page of the list holds. */
  const batch = 120
  const linkOf = (place: number) => at.page.locator(`[aria-posinset="${place}"]`).getByRole('link')
  const scrollTo = async (place: number) => {
    while ((await linkOf(place).count()) === 0) await at.page.keyboard.press('End')
  }

  test('shows every task of a batch that is created while the list is open', async () => {
    await go('tasks')
    await at.page.getByRole('link', { name: /it sails on/ }).waitFor()
    await Promise.all(Array.from({ length: batch }, (_, i) => at.service.api.createTask(`one of many, ${i}`)))
    await at.page
      .getByRole('link', { name: /one of many/ })
      .first()
      .waitFor({ timeout: 30_000 })
    await within(15_000, 'the end of the list', scrollTo(batch))
  })

  test('returns from a task to the part of the list that was left, by keyboard alone', async () => {
    await go('tasks')
    await at.page
      .getByRole('link', { name: /one of many/ })
      .first()
      .waitFor()
    await within(15_000, 'the end of the list', scrollTo(batch))
    const link = linkOf(batch)
    await link.focus()
    const prompt = await link.locator('.task-prompt').textContent()
    await at.page.keyboard.press('Enter')
    await at.page.getByRole('heading', { name: prompt! }).waitFor()
    await at.page.goBack()
    await link.waitFor()
    assert.equal(await link.locator('.task-prompt').textContent(), prompt)
    const { y } = (await link.boundingBox())!
    assert.ok(y > 0 && y < at.page.viewportSize()!.height, String(y))
  })

  test('says on a phone why a task failed, and leads to the documentation', async () => {
    const failed = await at.service.api.createTask('a torn sail script: fail the sail tore')
    await at.service.api.until(failed, ['fail'])
    await at.page.setViewportSize({ width: 390, height: 844 })
    await go('tasks')
    await at.page.reload()
    const row = at.page.getByRole('link', { name: /a torn sail/ })
    const { failMsg } = (await at.service.api.get(`/api/v1/jobs/recordInfo?taskId=${failed}`)).body.data
    await row.getByText(failMsg, { exact: true }).waitFor()
    await at.page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Docs' }).waitFor()
    await at.page.setViewportSize({ width: 1440, height: 900 })
  })

  test('shows tasks as pictures, packs chosen ones and deletes them', async () => {
    await at.service.api.until(await at.service.api.createTask('pack me script: wait 10ms'), ['success'])
    await go('tasks?as=gallery&q=pack')
    const card = at.page.locator('.gallery-card', { hasText: 'pack me' })
    await card.getByRole('link').hover()
    await card.locator('video').waitFor()
    await card.getByRole('checkbox').check()
    const download = at.page.waitForEvent('download')
    await at.page.getByRole('button', { name: 'Download 1 as zip' }).click()
    assert.equal((await download).suggestedFilename(), 'dailies-1-videos.zip')
    await at.page.getByRole('region', { name: 'Selected tasks' }).getByRole('button', { name: 'Delete' }).click()
    await at.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await card.waitFor({ state: 'detached' })
  })
})
