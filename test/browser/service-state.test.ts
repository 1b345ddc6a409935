// What the console says about the service: maintenance and an outage to every key, and nothing offered that is off.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { signIn } from '../support/browser/chromium.ts'
import { decodedWidth, goTo, keepInBrowser } from '../support/browser/in-page.ts'
import { describeInBrowser } from '../support/browser/suite.ts'
import { type ImageServer, startImageServer } from '../support/network/image-server.ts'
import { untilTrue } from '../support/until.ts'

describeInBrowser('the state of the service', {}, (at) => {
  let pictures: ImageServer
  /** The sub-key that is signed in. */
  let key: string
  before(async () => {
    pictures = await startImageServer()
  })
  after(async () => {
    await pictures?.close()
  })

  test('maintenance is announced to a sub-key, and its end too', async () => {
    const { page } = at
    key = (await at.service.api.post('/api/v1/keys', { name: 'ada', creditLimit: 2000 })).body.data.key
    await at.service.api.post('/api/v1/operator/maintenance', { on: true })
    await signIn(page, at.service.url, key)
    await page.getByText(/^Maintenance: no new videos/).waitFor()
    // The balance is what this key may spend, not the account's.
    assert.equal(await page.locator('.balance strong').innerText(), '2,000')
    await at.service.api.post('/api/v1/operator/maintenance', { on: false })
    await page.getByText(/^Maintenance: no new videos/).waitFor({ state: 'detached' })
  })

  test('a sign-in whose session the browser does not keep says so', async () => {
    const { page } = at
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.route('**/console/session', (route) => {
      const unknown = { code: 200, msg: 'success', data: { signedIn: false } }
      return route.request().method() === 'GET' ? route.fulfill({ json: unknown }) : route.continue()
    })
    await page.getByLabel('API key').fill(key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText(/^The browser did not keep the session/).waitFor()
    await page.unroute('**/console/session')
    await page.reload()
    await page.getByRole('button', { name: 'Make the video' }).waitFor()
  })

  test('what is switched off is not offered', async () => {
    const { page } = at
    for (const name of ['audio', '4k', 'last_frame', 'elements']) {
      await at.service.api.post('/api/v1/operator/features', { name, enabled: false })
    }
    await page.reload()
    await page.getByRole('radio', { name: /v3.0 omni/ }).check()
    await page.getByRole('radio', { name: '1080p' }).waitFor()
    assert.equal(await page.getByRole('radio', { name: '4k' }).count(), 0)
    assert.equal(await page.getByRole('switch', { name: 'Sound' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Add a subject' }).count(), 0)
    assert.equal(await page.locator('[data-picker]').count(), 1)
    await at.service.api.post('/api/v1/operator/features', { name: 'audio', enabled: true })
    await page.reload()
    await page.getByRole('switch', { name: 'Sound' }).waitFor()
  })

  test('uploads that are switched off are not offered, and pictures are given by URL', async () => {
    const { page } = at
    await page.getByRole('button', { name: /^Replace: First frame/ }).waitFor()
    await at.service.api.post('/api/v1/operator/features', { name: 'uploads', enabled: false })
    await page.reload()
    await page.getByRole('button', { name: 'Give a URL: First frame' }).click()
    assert.equal(await page.locator('input[type=file]').count(), 0)
    await page.getByText(/^Give the URL of a picture/).waitFor()
    const field = page.getByRole('textbox', { name: 'URL: First frame' })
    await field.fill(`${pictures.origin}/photo.jpg`)
    await field.press('Enter')
    // What the service fetched is shown in the form and on the stage; the page itself contacts no other origin.
    const image = page.locator('[data-picker] img').first()
    await image.waitFor()
    assert.match((await image.getAttribute('src'))!, /^blob:/)
    assert.ok((await image.evaluate(decodedWidth, null)) > 1)
    await page.getByRole('img', { name: 'The first frame' }).waitFor()
    await page.getByRole('button', { name: 'Edit the URL' }).click()
    await field.fill('http://169.254.169.254/latest/meta-data')
    await field.press('Enter')
    await page.getByText('No preview: could not be fetched: address not allowed').waitFor()
    await at.service.api.post('/api/v1/operator/features', { name: 'uploads', enabled: true })
  })

  test('an outage is announced while it lasts', async () => {
    const { page } = at
    await page.route('**/livez', (route) => route.abort())
    await page.reload()
    await page.getByText(/^The service cannot be reached/).waitFor()
    await page.getByText(/Trying again/).waitFor()
    const banner = page.locator('.banner')
    await banner.getByRole('button', { name: 'Stop' }).click()
    await page.getByText(/has stopped trying/).waitFor()
    await page.unroute('**/livez')
    await banner.getByRole('button', { name: 'Try now' }).click()
    await page.getByText(/^The service cannot be reached/).waitFor({ state: 'detached' })
  })

  test('a request without a response has the service checked at once', async () => {
    const { page } = at
    const isChecked = () => page.waitForResponse('**/livez', { timeout: 10_000 })
    await Promise.all([isChecked(), page.reload()])
    await page.route('**/api/v1/account/**', (route) => route.abort())
    await Promise.all([isChecked(), page.evaluate(goTo, 'usage')])
    await page.getByText('The service did not respond.').first().waitFor()
    await page.unroute('**/api/v1/account/**')
  })

  test('a task list that could not be loaded is loaded once the service is back', async () => {
    const { page } = at
    for (const prompt of ['one', 'two']) await at.service.as(key).createTask(`${prompt} script: wait 10ms`)
    for (const path of ['**/livez', '**/api/v1/jobs/list**']) await page.route(path, (route) => route.abort())
    await page.evaluate(goTo, 'tasks')
    await page.getByText('The service did not respond.').waitFor()
    await page.getByText(/^The service cannot be reached/).waitFor()
    for (const path of ['**/livez', '**/api/v1/jobs/list**']) await page.unroute(path)
    await page.locator('.banner').getByRole('button', { name: 'Try now' }).click()
    await page.getByText('2 tasks', { exact: true }).waitFor()
    assert.equal(await page.getByText('The service did not respond.').count(), 0)
    assert.equal(await page.locator('.task-line').count(), 2)
    await page.evaluate(goTo, 'play')
  })

  test('a task list that the service refuses is not requested again at once', async () => {
    const { page } = at
    let requests = 0
    await page.route('**/api/v1/jobs/list**', (route) => {
      requests++
      const refusal = { code: 422, msg: 'key: must be the id of a key', data: null }
      return route.fulfill({ status: 422, contentType: 'application/json', body: JSON.stringify(refusal) })
    })
    for (const view of ['tasks', 'tasks?as=gallery']) {
      await page.evaluate(goTo, view)
      await page.getByText('key: must be the id of a key').waitFor()
      requests = 0
      await page.reload({ waitUntil: 'networkidle' })
      await page.getByText('key: must be the id of a key').waitFor()
      assert.equal(requests, 1, view)
    }
    await page.unroute('**/api/v1/jobs/list**')
    await page.evaluate(goTo, 'play')
  })

  test('recent runs are not requested again while the service has not responded', async () => {
    const { page } = at
    const taskId = await at.service.as(key).createTask('a recent run script: wait 10ms')
    let requests = 0
    await page.route('**/api/v1/jobs/recordInfo**', () => {
      requests++
    })
    await page.evaluate(keepInBrowser, { name: 'dailies-recent', value: JSON.stringify([taskId]) })
    await page.clock.install()
    await page.reload()
    await untilTrue('a request for the run', () => requests === 1)
    await page.clock.runFor(20_000)
    assert.equal(requests, 1)
    await page.unroute('**/api/v1/jobs/recordInfo**')
    await page.reload()
    await page.getByRole('region', { name: 'Recent runs' }).waitFor()
  })

  test('a task is followed again after an outage of any length', async () => {
    const { page } = at
    const taskId = await at.service.as(key).createTask('a long way script: progress 40, wait 2s')
    const paths = ['**/livez', '**/api/v1/jobs/events**', '**/api/v1/jobs/recordInfo**']
    await page.clock.install()
    await page.evaluate(goTo, `tasks/${taskId}`)
    await page.locator('.task-progress', { hasText: '40 %' }).waitFor()
    for (const path of paths) await page.route(path, (route) => route.abort())
    // Breaks the stream that is open.
    await page.context().setOffline(true)
    await page.context().setOffline(false)
    await page.getByText(/^The service cannot be reached/).waitFor()
    await page.clock.fastForward('10:00')
    await page.clock.fastForward('10:00')
    await at.service.as(key).until(taskId, ['success'])
    for (const path of paths) await page.unroute(path)
    await page.locator('.banner').getByRole('button', { name: 'Try now' }).click()
    await page.getByRole('link', { name: 'Download' }).waitFor()
    await page.evaluate(goTo, 'play')
  })

  test('a request that waits for another attempt says so, and can be hurried and stopped', async () => {
    const { page } = at
    let asked = 0
    await page.route('**/api/v1/jobs/createTask', (route) => {
      asked++
      return route.fulfill({
        status: 455,
        headers: { 'retry-after': '50' },
        contentType: 'application/json',
        body: JSON.stringify({ code: 455, msg: 'The service is overloaded; try again shortly.', data: null }),
      })
    })
    await page.getByRole('textbox', { name: 'Prompt', exact: true }).fill('a boat')
    const make = page.getByRole('button', { name: 'Make the video' })
    const banner = page.locator('.banner[data-kind=retry]')
    await make.click()
    await banner.getByText(/overloaded.*Trying again/).waitFor()
    assert.equal(asked, 1)
    await banner.getByRole('button', { name: 'Stop' }).click()
    await page.locator('.submit .notice', { hasText: 'overloaded' }).waitFor()
    assert.equal(asked, 1)
    await make.click()
    await banner.getByRole('button', { name: 'Try now' }).click()
    await page.locator('.submit .notice', { hasText: 'overloaded' }).waitFor()
    assert.equal(asked, 3)
    await page.unroute('**/api/v1/jobs/createTask')
  })

  test('a request that maintenance caught is sent when it ends', async () => {
    const { page } = at
    await page.getByRole('textbox', { name: 'Prompt', exact: true }).fill('after the maintenance script: wait 10ms')
    await at.service.api.post('/api/v1/operator/maintenance', { on: true })
    const make = page.getByRole('button', { name: 'Make the video' })
    await make.click()
    await page.getByText(/^Maintenance: no new videos/).waitFor()
    await page.locator('.banner[data-kind=retry]').waitFor()
    await at.service.api.post('/api/v1/operator/maintenance', { on: false })
    // Not after the minute that the service asked to wait.
    await page.locator('.stage-prompt', { hasText: 'after the maintenance' }).waitFor({ timeout: 20_000 })
    await at.service.api.post('/api/v1/operator/maintenance', { on: true })
    await make.click()
    await page.locator('.banner[data-kind=retry]').getByRole('button', { name: 'Stop' }).click()
    await page.locator('.submit .notice', { hasText: 'maintenance' }).waitFor()
    await at.service.api.post('/api/v1/operator/maintenance', { on: false })
    await page.locator('.submit .notice', { hasText: 'maintenance' }).waitFor({ state: 'detached' })
  })

  test('several runs are not begun with credits for some of them', async () => {
    const { page } = at
    const { key: few } = (await at.service.api.post('/api/v1/keys', { name: 'few', creditLimit: 100 })).body.data
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signIn(page, at.service.url, few)
    await page.getByRole('textbox', { name: 'Prompt', exact: true }).fill('a boat')
    await page.getByLabel('How many runs').selectOption('4')
    await page.getByText(/^each, \d+ in all. You have 100: enough for \d$/).waitFor()
    assert.ok(await page.getByRole('button', { name: 'Make 4 videos' }).isDisabled())
    await page.getByRole('textbox', { name: 'Prompt', exact: true }).press('Control+Enter')
    await page.getByLabel('How many runs').selectOption('1')
    assert.ok(await page.getByRole('button', { name: 'Make the video' }).isEnabled())
    assert.deepEqual((await at.service.as(few).get('/api/v1/jobs/list')).body.data.items, [])
  })
})
