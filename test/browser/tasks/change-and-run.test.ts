// A task's request opened again in the playground, to be changed and sent.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { goTo, keptInTab, reloadAt } from '../../support/browser/in-page.ts'
import { describeInBrowser } from '../../support/browser/suite.ts'
import { variantA } from '../../support/service/api.ts'
import { untilTrue } from '../../support/until.ts'

describeInBrowser('change and run again', { signedIn: true }, (at) => {
  const recordInfo = '**/api/v1/jobs/recordInfo*'
  const prompt = () => at.page.getByRole('textbox', { name: 'Prompt', exact: true })
  const open = (taskId: string) => at.page.goto(`${at.service.url}/#/play?from=${taskId}`)
  const promptBecomes = (text: string) =>
    untilTrue(`the prompt "${text}"`, async () => (await prompt().inputValue()) === text)
  let taskId: string

  before(async () => {
    const input = { prompt: 'the request of a task', image_url: 'http://127.0.0.1:1/a.jpg' }
    const created = await at.service.api.post('/api/v1/jobs/createTask', { model: variantA, input })
    taskId = created.body.data.taskId
    await at.service.api.until(taskId, ['success', 'fail'])
  })

  test('a reload before the task was read still opens its request', async () => {
    const { page } = at
    let held = 0
    await page.route(recordInfo, (route) => (held++ === 0 ? undefined : route.continue()))
    await open(taskId)
    await untilTrue('a request for the task', () => held === 1)
    await page.reload()
    await promptBecomes('the request of a task')
    await page.waitForURL((url) => url.hash === '#/play')
    await page.unroute(recordInfo)
  })

  test('a reload at the moment at which the task was read keeps its request', async () => {
    const { page } = at
    await prompt().fill('before')
    await untilTrue('the draft is kept', async () => {
      return (await page.evaluate(keptInTab, 'dailies-draft'))?.includes('"before"') === true
    })
    await page.evaluate(reloadAt, '#/play')
    const reloaded = page.waitForEvent('load')
    await page.evaluate(goTo, `play?from=${taskId}`)
    await reloaded
    await promptBecomes('the request of a task')
  })

  test('what was changed stays when an operator switches a feature', async () => {
    const { page } = at
    await open(taskId)
    // The prompt is the same before the task was read.
    await page.waitForURL((url) => url.hash === '#/play')
    await promptBecomes('the request of a task')
    await prompt().fill('changed by hand')
    await at.service.api.post('/api/v1/operator/features', { name: 'last_frame', enabled: false })
    await page.locator('[data-picker]').nth(1).waitFor({ state: 'detached', timeout: 30_000 })
    await page.waitForLoadState('networkidle')
    assert.equal(await prompt().inputValue(), 'changed by hand')
    await at.service.api.post('/api/v1/operator/features', { name: 'last_frame', enabled: true })
  })

  test('a task that cannot be read is reported', async () => {
    await open('0199a3c2-7b1e-7000-8f3a-5d2c1b0a9e8d')
    await at.page.locator('.submit .notice', { hasText: /task/ }).waitFor()
    assert.equal(await prompt().inputValue(), 'changed by hand')
  })
})
