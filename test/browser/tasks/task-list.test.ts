// The console's list of tasks in a real browser: filters, the gallery, deleting, and a narrow screen. Texts of clients stay
// texts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { busyAfter, goTo, isFocused, painted, setVisibility, tooWidePx } from '../../support/browser/in-page.ts'
import { describeInBrowser } from '../../support/browser/suite.ts'
import { taskBody, variantB } from '../../support/service/api.ts'
import { within } from '../../support/within.ts'

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
    assert.ok(await at.page.getByRole('main').evaluate(isFocused))
    await at.page.goBack()
    await link.waitFor()
    assert.equal(await link.locator('.task-prompt').textContent(), prompt)
    await at.page.locator('.task-row:focus').waitFor()
    assert.ok(await link.evaluate(isFocused))
    const { y } = (await link.boundingBox())!
    assert.ok(y > 0 && y < at.page.viewportSize()!.height, String(y))
  })

  test('keeps the rows on the screen in place while tasks are created', async () => {
    await go('tasks')
    await at.page.keyboard.press('Home')
    await linkOf(1).waitFor()
    await at.page.mouse.wheel(0, 2000)
    await linkOf(1).waitFor({ state: 'detached' })
    const count = at.page.locator('.view-head .figures')
    const before = await count.textContent()
    // Some rows before the first on the screen exist, too.
    const link = at.page.locator('.task-row').nth(9)
    const address = await link.getAttribute('href')
    const { y } = (await link.boundingBox())!
    await at.service.api.until(await at.service.api.createTask('a newcomer script: wait 10ms'), ['success'])
    await at.page.locator('.view-head .figures').filter({ hasNotText: before! }).waitFor({ timeout: 30_000 })
    await at.page.evaluate(painted)
    assert.equal((await at.page.locator(`a[href="${address}"]`).boundingBox())!.y, y)
  })

  test('searches by id and by the prompt that was sent, and empties the field with the filter', async () => {
    const shots = [{ prompt: 'wide, slow pan left', duration: 3 }]
    const { input } = taskBody('a day at the sea', { customize_multi_shots: true, multi_prompt: shots })
    const body = { model: variantB, input: { ...input, image_url: [input.image_url] } }
    const { taskId } = (await at.service.api.post('/api/v1/jobs/createTask', body)).body.data
    await go('tasks')
    const field = at.page.getByLabel('Prompt or task id')
    const rows = at.page.locator('.task-row')
    for (const text of [taskId, taskId.slice(-8), 'DAY at the sea']) {
      await field.fill(text)
      await at.page.waitForURL(/q=/)
      await rows.nth(1).waitFor({ state: 'detached' })
      await at.page.getByRole('link', { name: /wide, slow pan left/ }).waitFor()
    }
    await at.page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Tasks' }).click()
    await rows.nth(1).waitFor()
    await field.and(at.page.locator(':placeholder-shown')).waitFor()
    // The pause after the last key ends before the page has followed the link.
    await field.fill('DAY at the sea')
    await at.page.waitForURL(/q=DAY/)
    await field.fill('DAY at the seaside')
    await at.page.evaluate(busyAfter, { hash: '#/tasks', ms: 400 })
    await rows.nth(1).waitFor()
    await field.and(at.page.locator(':placeholder-shown')).waitFor()
  })

  test('deletes what is selected although some of it was deleted elsewhere', async () => {
    const taskIds = []
    for (const name of ['first', 'second']) {
      taskIds.push(await at.service.api.createTask(`twice gone, ${name} script: wait 10ms`))
      await at.service.api.until(taskIds.at(-1)!, ['success'])
    }
    await go('tasks?q=twice')
    for (const name of ['first', 'second']) {
      await at.page.getByRole('checkbox', { name: new RegExp(`twice gone, ${name}`) }).check()
    }
    await at.service.api.delete(`/api/v1/jobs/${taskIds[1]}`)
    await at.page.getByRole('region', { name: 'Selected tasks' }).getByRole('button', { name: 'Delete' }).click()
    await at.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await at.page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
  })

  test('cancels the selected tasks that have not ended', async () => {
    for (const time of ['60s', '59s', '10ms']) await at.service.api.createTask(`to be stopped script: wait ${time}`)
    await go('tasks?q=stopped')
    await at.page.locator('.task-row[data-state=success]').waitFor()
    await at.page.getByRole('checkbox', { name: 'Select all' }).check()
    await at.page.getByRole('button', { name: 'Cancel 2 tasks' }).click()
    // A list with tasks that have not ended is refreshed often from the beginning.
    await at.page.locator('.task-row[data-state=canceled]').nth(1).waitFor({ timeout: 8000 })
    await at.page.locator('.selection', { hasText: '1 selected' }).waitFor()
    const states = () =>
      at.page.locator('.task-row').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-state')))
    await at.page.getByLabel('State').selectOption({ label: 'Canceled' })
    await at.page.locator('.task-row').nth(2).waitFor({ state: 'detached' })
    assert.deepEqual(await states(), ['canceled', 'canceled'])
    await at.page.getByLabel('State').selectOption({ label: 'Failed' })
    await at.page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
  })

  test('selects all tasks at once, leaves the rows in place, and keeps the focus when nothing is selected anymore', async () => {
    for (const width of [1440, 768, 360]) {
      await at.page.setViewportSize({ width, height: 900 })
      for (const place of ['tasks?q=stopped', 'tasks?q=stopped&as=gallery']) {
        await go(place)
        const all = at.page.getByRole('checkbox', { name: 'Select all' })
        const boxes = at.page.getByRole('checkbox', { name: /^Select: to be stopped/ })
        const bar = at.page.getByRole('region', { name: 'Selected tasks' })
        await boxes.nth(2).waitFor()
        const { y } = (await boxes.first().boundingBox())!
        await boxes.first().check()
        await bar.getByText('1 selected').waitFor()
        assert.equal((await boxes.first().boundingBox())!.y, y, `${place} at ${width} px`)
        assert.ok(await all.evaluate((box) => (box as unknown as { indeterminate: boolean }).indeterminate))
        await all.click()
        await bar.getByText('3 selected').waitFor()
        assert.ok(await boxes.nth(2).isChecked())
        assert.equal(await at.page.evaluate(tooWidePx), 0, `${place} at ${width} px`)
        await bar.getByRole('button', { name: 'Clear' }).click()
        await bar.getByRole('button').first().waitFor({ state: 'detached' })
        assert.ok(!(await boxes.nth(2).isChecked()))
        assert.ok(await all.evaluate(isFocused))
        assert.equal((await boxes.first().boundingBox())!.y, y, `${place} at ${width} px`)
      }
    }
    await at.page.setViewportSize({ width: 1440, height: 900 })
  })

  test('removes a task that was deleted elsewhere', async () => {
    const taskId = await at.service.api.createTask('here today script: wait 10ms')
    await at.service.api.until(taskId, ['success'])
    await go('tasks?q=here+today')
    const row = at.page.getByRole('link', { name: /here today/ })
    await row.waitFor()
    await at.service.api.delete(`/api/v1/jobs/${taskId}`)
    await row.waitFor({ state: 'detached', timeout: 30_000 })
  })

  test('runs an extension again', async () => {
    const parent = await at.service.api.createTask('it plays on script: wait 10ms')
    await at.service.api.until(parent, ['success'])
    const body = { taskId: parent, prompt: 'and on script: wait 10ms' }
    const { taskId } = (await at.service.api.post('/api/v1/video/extend', body)).body.data
    await at.service.api.until(taskId, ['success'])
    await go('tasks?q=and+on')
    await at.page.getByRole('checkbox', { name: /and on/ }).check()
    await at.page.getByRole('button', { name: 'Run again' }).click()
    // Not only with the next look at an idle list, 15 s later.
    await at.page.locator('.task-row').nth(1).waitFor({ timeout: 6000 })
  })

  test('shows at once what happened while the page was hidden', async () => {
    await go('tasks?q=hidden')
    await at.page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await at.page.evaluate(setVisibility, 'hidden')
    await at.service.api.until(await at.service.api.createTask('while hidden script: wait 10ms'), ['success'])
    await at.page.evaluate(setVisibility, 'visible')
    await at.page.getByRole('link', { name: /while hidden/ }).waitFor({ timeout: 6000 })
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
