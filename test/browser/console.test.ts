// The console's playground in a real browser, on an engine that follows scripts: signing in, mistakes, uploads, progress,
// runs and cancel. Nothing leaves the service's origin. The other pages are tested beside this.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Response } from 'playwright-core'
import sharp from 'sharp'
import { signIn } from '../support/browser/chromium.ts'
import { decodedWidth, dropOf, goTo, isFocused, keptInPage, pasteInto } from '../support/browser/in-page.ts'
import { describeInBrowser } from '../support/browser/suite.ts'
import { newCaller } from '../support/service/callers.ts'
import { testKey } from '../support/service/service.ts'

describeInBrowser('the console', {}, (at) => {
  const go = (place: string) => at.page.evaluate(goTo, place)
  const prompt = () => at.page.getByRole('textbox', { name: 'Prompt', exact: true })
  const make = () => at.page.getByRole('button', { name: 'Make the video' }).click()

  test('turns a wrong key away and lets a right one in', async () => {
    const refused: string[] = []
    const note = (response: Response) => response.status() >= 400 && refused.push(response.url())
    at.page.on('response', note)
    await at.page.goto(at.service.url)
    await at.page.getByLabel('API key').waitFor()
    assert.deepEqual(refused, [], 'a new visitor is refused nothing')
    at.page.off('response', note)
    await at.page.getByLabel('API key').fill('not-a-key')
    await at.page.getByRole('button', { name: 'Sign in' }).click()
    await at.page.getByText('This key is not known here.').waitFor()
    await signIn(at.page, at.service.url)
    assert.ok(await at.page.getByRole('main').evaluate(isFocused))
    // The key is kept nowhere that a script can read, and a new tab is signed in too.
    assert.doesNotMatch(await at.page.evaluate(keptInPage), new RegExp(testKey))
    const tab = await at.browser.context.newPage()
    await tab.goto(`${at.service.url}/#/tasks`)
    await tab.getByRole('heading', { name: 'Tasks', exact: true }).waitFor()
    assert.equal(await tab.title(), 'Tasks · Dailies')
    await tab.close()
    await at.page.getByText('1,000,000').first().waitFor()
    await at.page.getByText('42 credits').waitFor()
  })

  test('says next to each field what is wrong with it, before and after asking the service', async () => {
    const missing = at.page.getByText('must not be empty')
    await prompt().fill('')
    await missing.waitFor()
    await prompt().fill('x'.repeat(2501))
    await at.page.getByText('must be at most 2500 characters (it has 2501)').waitFor()
    await prompt().fill('a boat')
    await at.page.getByRole('button', { name: 'Remove: First frame' }).click()
    await make()
    await at.page.getByText('is required').waitFor()
    await at.page.getByRole('button', { name: 'Use a URL' }).first().click()
    await at.page.getByLabel('URL: First frame').fill('ftp://example.com/a.png')
    await at.page.getByLabel('URL: First frame').press('Enter')
    const picker = at.page.locator('[data-picker]').first()
    await picker.locator('.error').waitFor()
    assert.match(await picker.locator('.error').innerText(), /http/)
    // What only the service finds is shown in the same place.
    await at.page.route('**/api/v1/jobs/createTask', (route) =>
      route.fulfill({
        status: 422,
        contentType: 'application/json',
        body: JSON.stringify({ code: 422, msg: 'input.prompt: is too dull; callBackUrl: is not nice', data: null }),
      }),
    )
    await at.page.getByRole('button', { name: 'Edit the URL' }).click()
    await at.page.getByLabel('URL: First frame').fill('https://example.com/a.png')
    await at.page.getByLabel('URL: First frame').press('Enter')
    await make()
    await at.page.getByText('is too dull').waitFor()
    await at.page.getByText('is not nice').waitFor()
    await at.page.unroute('**/api/v1/jobs/createTask')
  })

  test('takes a picture by drag and drop, and shows it', async () => {
    const picture = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#c63' } })
      .png()
      .toBuffer()
    const data = await at.page.evaluateHandle(dropOf, { bytes: [...picture], name: 'orange.png', type: 'image/png' })
    const picker = at.page.locator('[data-picker]').first()
    await picker.dispatchEvent('drop', { dataTransfer: data })
    const image = picker.locator('img')
    await image.waitFor()
    assert.match((await image.getAttribute('src'))!, /^files\//)
    assert.equal(await image.evaluate(decodedWidth, null), 640)
    // A second one, pasted.
    const last = at.page.locator('[data-picker]').nth(1)
    await last.evaluate(pasteInto, { bytes: [...picture], name: 'pasted.png', type: 'image/png' })
    await last.locator('img').waitFor()
    await last.getByRole('button', { name: /^Remove/ }).click()
    await at.page.getByText('The request as code').click()
    await at.page.getByRole('radio', { name: 'Python' }).check()
    assert.match(await at.page.locator('.request .code').innerText(), /orange\.png/)
  })

  test('makes no video of the picture that an upload is about to replace', async () => {
    const picture = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#36c' } })
      .png()
      .toBuffer()
    let arrived = () => {}
    const held = new Promise<void>((resolve) => {
      arrived = resolve
    })
    await at.page.route('**/api/v1/files/upload', async (route) => {
      await held
      await route.continue()
    })
    await at.page
      .locator('[data-picker] input[type=file]')
      .first()
      .setInputFiles({ name: 'blue.png', mimeType: 'image/png', buffer: picture })
    const button = at.page.getByRole('button', { name: 'Uploading…' })
    await button.waitFor()
    assert.ok(await button.isDisabled())
    await prompt().press('Control+Enter')
    arrived()
    await at.page.getByRole('button', { name: 'Make the video' }).waitFor()
    assert.equal((await at.service.api.get('/api/v1/jobs/list')).body.data.items.length, 0)
    await at.page.unroute('**/api/v1/files/upload')
  })

  test('shows a task from the queue to its video', async () => {
    await prompt().fill('a boat script: progress 40, wait 900ms, progress 80, wait 300ms')
    await at.page.getByLabel('Callback URL').fill('')
    await make()
    await at.page.locator('.stage [data-state=generating]').waitFor()
    await at.page.getByText(/40 % ·/).waitFor()
    await at.page.locator('.stage video').waitFor()
    await at.page.getByText(/Here for another 13 d 23 h/).waitFor()
    await at.page.getByText('999,958').first().waitFor()
    const href = await at.page.getByRole('link', { name: 'Download' }).getAttribute('href')
    const file = await fetch(`${at.service.url}/${href}`)
    assert.equal(file.status, 200)
    assert.match(file.headers.get('content-disposition')!, /^attachment; filename="(?!video)[\w-]+-[0-9a-f]{8}\.mp4"/)
  })

  test('extends a video and runs one again', async () => {
    await at.page.getByRole('button', { name: 'Extend', exact: true }).click()
    const form = at.page.getByRole('form', { name: 'Extend the video' })
    const whatNext = form.getByLabel('What happens next?')
    await whatNext.waitFor()
    assert.ok(await whatNext.evaluate(isFocused))
    await at.page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    assert.ok(await at.page.getByRole('button', { name: 'Extend', exact: true }).evaluate(isFocused))
    await at.page.keyboard.press('Enter')
    await form.getByRole('button', { name: 'Extend for 42 credits' }).click()
    await form.getByText('must not be empty').waitFor()
    await form.getByRole('textbox').fill('it sails on script: wait 50ms')
    await form.getByRole('button', { name: /^Extend for/ }).click()
    await at.page.locator('.stage-prompt', { hasText: 'it sails on' }).waitFor()
    await at.page.getByRole('button', { name: 'Run again' }).click()
    await at.page.getByRole('link', { name: 'Task page' }).click()
    await at.page.getByText('Plays on from').waitFor()
    await go('play')
    await prompt().fill('again script: wait 20ms')
    await make()
    await at.page.locator('.stage-prompt', { hasText: 'again' }).waitFor()
    const first = (await at.service.api.get('/api/v1/jobs/list?limit=1')).body.data.items[0]
    const answer = at.page.waitForResponse('**/api/v1/jobs/createTask')
    await at.page.getByRole('button', { name: 'Run again' }).click()
    const { taskId } = (await (await answer).json()).data
    const second = await at.service.api.until(taskId, ['success'])
    assert.notEqual(taskId, first.taskId)
    assert.equal(second.param, first.param)
  })

  test('makes one video by a double click', async () => {
    await prompt().fill('clicked twice')
    // The response comes after the second click, which finds another button in the place of the first.
    const clicked = Promise.withResolvers<void>()
    await at.page.route('**/api/v1/jobs/createTask', async (route) => {
      await clicked.promise
      await route.continue()
    })
    const answer = at.page.waitForResponse('**/api/v1/jobs/createTask')
    await at.page.getByRole('button', { name: 'Make the video' }).dblclick()
    clicked.resolve()
    const { taskId } = (await (await answer).json()).data
    await at.service.api.until(taskId, ['success'])
    const { items } = (await at.service.api.get('/api/v1/jobs/list?q=clicked+twice')).body.data
    assert.equal(items.length, 1)
    await at.page.unroute('**/api/v1/jobs/createTask')
    // Once it is deleted, the playground shows the first frame again.
    await at.page.locator('.stage video').waitFor()
    await at.service.api.delete(`/api/v1/jobs/${taskId}`)
    await at.page.reload()
    await at.page.getByText('The first frame. Press the button').waitFor()
    assert.equal(await at.page.locator('.stage .notice').count(), 0)
  })

  test('cancels a task and says that it was free', async () => {
    await prompt().fill('slow script: progress 10, stall')
    await make()
    await at.page.locator('.stage [data-state=generating]').waitFor()
    await at.page.getByRole('button', { name: 'Cancel' }).click()
    await at.page.getByText('No credits were charged').waitFor()
  })

  test('keeps runs of this browser, compares two in step, and makes several at once', async () => {
    await at.page.getByLabel('How many runs').selectOption('2')
    await prompt().fill('twice script: wait 20ms')
    await prompt().press('Control+Enter')
    const twins = at.page.locator('.strip li', { hasText: 'twice' })
    await twins.nth(1).locator('.strip-check').check()
    await twins.nth(0).locator('.strip-check').check()
    await at.page.getByRole('region', { name: 'Comparison' }).waitFor()
    assert.equal(await at.page.locator('.compare video').count(), 2)
    await at.page.getByRole('button', { name: 'Pause' }).click()
    await at.page.keyboard.press('Escape')
    await at.page.getByRole('region', { name: 'Comparison' }).waitFor({ state: 'detached' })
    await at.page.getByLabel('How many runs').selectOption('1')
    await at.page.reload()
    await at.page.locator('.strip li', { hasText: 'twice' }).nth(1).waitFor()
  })

  test('shows each key its own runs, and invites to drop a picture where there is none', async () => {
    const runs = at.page.locator('.strip li', { hasText: 'twice' })
    const other = await newCaller(at.service, 100)
    await at.page.getByRole('button', { name: 'Sign out' }).click()
    await signIn(at.page, at.service.url, other.key)
    await runs.first().waitFor({ state: 'detached' })
    const foot = at.page.locator('.stage-foot')
    await foot.getByText('The first frame. Press the button').waitFor()
    await at.page.getByRole('button', { name: 'Remove: First frame' }).click()
    await at.page.getByText('Drop or paste a picture anywhere.').waitFor()
    assert.equal((await foot.innerText()).trim(), '')
    await at.page.getByRole('button', { name: 'Sign out' }).click()
    await signIn(at.page, at.service.url)
    await runs.nth(1).waitFor()
  })

  test('leads to the prompt with a slash and lists its keys, over which nothing else opens', async () => {
    await at.page.locator('.top').click({ position: { x: 700, y: 10 } })
    await at.page.keyboard.press('/')
    assert.equal(await prompt().evaluate(isFocused, null), true)
    await at.page.getByRole('radio', { name: /v2.5 turbo/ }).focus()
    await at.page.keyboard.press('/')
    assert.equal(await prompt().evaluate(isFocused, null), true)
    await at.page.locator('.top').click({ position: { x: 700, y: 10 } })
    await at.page.keyboard.press('?')
    const dialog = at.page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.waitFor()
    for (const key of ['?', 'g', 't']) await at.page.keyboard.press(key)
    await dialog.getByRole('button', { name: 'Close' }).click()
    assert.doesNotMatch(at.page.url(), /tasks/)
  })

  test('edits shots on a timeline and completes names of subjects', async () => {
    await at.page.getByRole('radio', { name: /v3.0 omni/ }).check()
    await at.page.getByRole('switch', { name: 'My own shots' }).check()
    await at.page.getByText('6 s of 15 s').waitFor()
    const cut = at.page.getByRole('slider', { name: 'Cut after shot 1' })
    await cut.press('ArrowRight')
    assert.equal(await at.page.getByLabel('Seconds of shot 1').inputValue(), '3.5')
    assert.equal(await at.page.getByLabel('Seconds of shot 2').inputValue(), '2.5')
    const box = (await at.page.locator('.timeline').boundingBox())!
    const handle = (await cut.boundingBox())!
    await at.page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2)
    await at.page.mouse.down()
    await at.page.mouse.move(handle.x + handle.width / 2 - box.width / 4, handle.y + 10, { steps: 4 })
    await at.page.mouse.up()
    assert.equal(await at.page.getByLabel('Seconds of shot 1').inputValue(), '2')
    await at.page.getByText('84 credits').waitFor()
    await at.page.getByRole('button', { name: 'Add a subject' }).click()
    await at.page.getByRole('textbox', { name: 'Name' }).fill('dog')
    await prompt().fill('Look, ')
    await prompt().press('End')
    await prompt().pressSequentially('@d')
    await at.page.getByRole('option', { name: '@dog' }).waitFor()
    await prompt().press('Enter')
    assert.equal(await prompt().inputValue(), 'Look, @dog ')
    await make()
    await at.page.getByText('must have 2 to 4 URLs (it has 0)').waitFor()
    await at.page.getByRole('button', { name: 'Remove', exact: true }).click()
    await at.page.getByRole('switch', { name: 'My own shots' }).uncheck()
    await at.page.getByRole('radio', { name: /v2.5 turbo/ }).check()
  })

  test('leaves the last frame in its place while there is no first one', async () => {
    const picture = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#c63' } })
      .png()
      .toBuffer()
    await go('play')
    const [first, last] = [at.page.locator('[data-picker]').first(), at.page.locator('[data-picker]').nth(1)]
    const choose = async (picker: typeof first) => {
      const file = { name: 'frame.png', mimeType: 'image/png', buffer: picture }
      await picker.locator('input[type=file]').setInputFiles(file)
      await picker.locator('img').waitFor()
    }
    for (const model of ['v3.0 omni', 'v2.5 turbo']) {
      await at.page.getByRole('radio', { name: new RegExp(model) }).check()
      await choose(first)
      await choose(last)
      await first.getByRole('button', { name: 'Remove: First frame' }).click()
      await first.locator('img').waitFor({ state: 'detached' })
      await last.locator('img').waitFor()
      await make()
      await first.locator('.error').waitFor()
      await choose(first)
      await first.locator('.error').waitFor({ state: 'detached' })
      await last.getByRole('button', { name: /^Remove/ }).click()
    }
  })

  test('moves no field while the service reads the prompt, or when a field is emptied', async () => {
    let explained = () => {}
    const held = new Promise<void>((resolve) => {
      explained = resolve
    })
    await at.page.route('**/api/v1/prompts/explain', async (route) => {
      await held
      await route.continue()
    })
    await at.page.reload()
    await prompt().fill('slow push in')
    const topOf = async () => (await at.page.locator('[data-picker]').first().boundingBox())!.y
    const before = await topOf()
    explained()
    await at.page.locator('.inspector .understood', { hasText: /./ }).waitFor()
    assert.equal(await topOf(), before)
    await at.page.unroute('**/api/v1/prompts/explain')
    await at.page.getByText('Callback', { exact: true }).click()
    const callback = at.page.getByLabel('Callback URL')
    await callback.fill('https://example.com/hook')
    await callback.fill('')
    assert.ok(await callback.evaluate(isFocused))
  })

  test('has a page for what does not exist, and returns to signing in when the session ends', async () => {
    for (const place of ['nonsense', 'operator/nonsense', 'keys/nonsense']) {
      await go(place)
      await at.page.getByText('There is no page here').waitFor()
      await go('tasks')
      await at.page.getByRole('heading', { name: 'Tasks', exact: true }).waitFor()
    }
    await go('tasks/nonsense')
    await at.page.getByText('There is no such task').waitFor()
    const lost = await at.page.request.get(`${at.service.url}/nowhere`, { headers: { accept: 'text/html' } })
    assert.equal(lost.status(), 404)
    assert.match(await lost.text(), /There is no page here/)
    const { id, key } = (await at.service.api.post('/api/v1/keys', { name: 'short' })).body.data
    await at.page.getByRole('button', { name: 'Sign out' }).click()
    await signIn(at.page, at.service.url, key)
    await at.service.api.delete(`/api/v1/keys/${id}`)
    await go('tasks')
    await at.page.getByText(/Your session has ended/).waitFor()
    await signIn(at.page, at.service.url)
  })
})
