// The account pages of the console in a real browser: callbacks, keys, usage and the operator's page. Nothing leaves the
// service's origin, and texts stay texts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { signIn } from '../support/browser/chromium.ts'
import { directionOf, goTo, tooWidePx } from '../support/browser/in-page.ts'
import { describeInBrowser } from '../support/browser/suite.ts'
import { startReceiver } from '../support/network/receiver.ts'
import { taskBody } from '../support/service/api.ts'

const xss = '<img src=x onerror="document.title=\'owned\'">'

describeInBrowser('the account pages of the console', { signedIn: true }, (at) => {
  const go = (place: string) => at.page.evaluate(goTo, place)

  test('lists a callback with its attempts and sends it again', async () => {
    const receiver = await startReceiver()
    try {
      const url = `${receiver.origin}/500?<b>bold</b>`
      const body = { ...taskBody('told script: wait 10ms'), callBackUrl: url }
      const taskId = (await at.service.api.post('/api/v1/jobs/createTask', body)).body.data.taskId
      await receiver.until((received) => received.length >= 1)
      await go('callbacks')
      const delivery = at.page.locator('.delivery').first()
      await delivery.getByText('Pending').waitFor()
      await delivery.getByText(/next attempt in/).waitFor()
      await delivery.getByText(/^Payload and \d+ attempts?$/).click()
      await delivery.getByText('responded with 500').first().waitFor()
      await delivery
        .getByText('"told script: wait 10ms"')
        .or(delivery.getByText(/told script/))
        .first()
        .waitFor()
      await delivery.getByText('webhook-signature').first().waitFor()
      await delivery.getByText('broken', { exact: true }).first().waitFor()
      assert.equal(await delivery.locator('b').count(), 0)
      const before = receiver.received.length
      await delivery.getByRole('button', { name: 'Resend' }).click()
      await receiver.until((received) => received.length > before)
      await at.page.getByRole('button', { name: 'Send a test event' }).click()
      await at.page.getByLabel('URL of your receiver').fill(`${receiver.origin}/tried`)
      await at.page.getByRole('button', { name: 'Send it' }).click()
      await receiver.until(() => receiver.at('/tried').length === 1)
      await at.page.getByLabel('URL contains').fill('/TRIED')
      await at.page.locator('.delivery').nth(1).waitFor({ state: 'detached' })
      await at.page.locator('.delivery', { hasText: 'test event' }).getByRole('checkbox').check()
      await at.page.getByRole('button', { name: 'Resend 1 selected' }).click()
      await receiver.until(() => receiver.at('/tried').length === 2)
      await at.page.getByLabel('URL contains').fill('')
      await at.page.getByRole('button', { name: 'Show' }).click()
      const { secret } = (await at.service.api.get('/api/v1/webhooks/secret')).body.data
      await at.page.getByText(secret).waitFor()
      await go(`tasks/${taskId}`)
      await at.page.getByText('Callback, attempt 1').waitFor()
    } finally {
      await receiver.close()
    }
  })

  test('makes a sub-key, shows its secret once, and revokes it', async () => {
    await go('keys')
    await at.page.getByRole('button', { name: 'New sub-key' }).click()
    await at.page.getByLabel('Name').fill(xss)
    await at.page.getByLabel('Credits it may spend').fill('100')
    await at.page.getByRole('button', { name: 'Make the key' }).click()
    const secret = await at.page.locator('.secret-text').innerText()
    assert.match(secret, /^dk_/)
    assert.equal((await at.service.as(secret).get('/api/v1/account/credit')).status, 200)
    await at.page.getByRole('button', { name: 'Done' }).click()
    await at.page.getByText('of 100').waitFor()
    assert.equal(await at.page.getByText(secret).count(), 0)
    await at.page.getByRole('button', { name: /^Revoke/ }).click()
    await at.page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await at.page.getByText(/^\d+ revoked$/).click()
    await at.page.locator('.revoked li', { hasText: 'onerror' }).waitFor()
    assert.equal((await at.service.as(secret).get('/api/v1/account/credit')).status, 401)
    assert.notEqual(await at.page.title(), 'owned')
  })

  test('shows use and ledger, and exports the ledger', async () => {
    await at.service.api.until(await at.service.api.createTask('script: wait 10ms'), ['success'])
    const stopped = await at.service.api.createTask('script: stall')
    await at.service.api.post('/api/v1/jobs/cancelTask', { taskId: stopped })
    await go('usage')
    await at.page.getByText(/^[\d,]+ credits in 30 days$/).waitFor()
    // What was canceled says nothing about the service: it is counted apart.
    await at.page.locator('.figure', { hasText: 'Succeeded' }).getByText('100 %').waitFor()
    await at.page.getByText('without 1 canceled').waitFor()
    const states = at.page.getByRole('list', { name: 'Tasks by state' })
    await states.getByText('Canceled').waitFor()
    assert.equal(await states.getByText('Failed').count(), 0)
    // The day under the pointer is written above the chart, with its credits.
    const chart = at.page.locator('.chart svg').first()
    const { width } = (await chart.boundingBox())!
    await chart.hover({ position: { x: width - 12, y: 80 } })
    const today = new Date().toLocaleDateString('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })
    await at.page.locator('.chart-words', { hasText: today }).locator('strong').waitFor()
    for (const label of await at.page.locator('.chart .grid text').allTextContents()) assert.match(label, /^[\d,]+$/)
    await at.page.getByRole('row', { name: /grant/ }).waitFor()
    const download = at.page.waitForEvent('download')
    await at.page.getByRole('button', { name: 'Export CSV' }).click()
    const stream = await (await download).createReadStream()
    let csv = ''
    for await (const chunk of stream) csv += chunk
    assert.match(csv, /^time,kind,amount,balance_after,task_id,key_id,id,cost\r?\n/)
    assert.match(csv, /,grant,1000000,1000000,/)
  })

  test('finds tasks of other accounts for operators, and says how engines did', async () => {
    const { key } = (await at.service.api.post('/api/v1/operator/accounts', { name: 'third', credits: 100 })).body.data
    const taskId = await at.service.as(key).createTask(`a lighthouse ${xss} script: wait 20ms`)
    await at.service.as(key).until(taskId, ['success'])
    await go('operator')
    await at.page.getByRole('heading', { name: 'Succeeded, by hour' }).waitFor()
    await at.page.locator('.engines td', { hasText: 'Healthy' }).waitFor()
    await at.page.getByRole('link', { name: 'Tasks of third' }).click()
    await at.page.locator('.all-tasks tbody tr').first().waitFor()
    assert.equal(await at.page.locator('.all-tasks tbody tr').count(), 1)
    await at.page.getByLabel('Account', { exact: true }).selectOption('')
    await at.page.getByLabel('Prompt or task id').fill('LIGHTHOUSE')
    // What is looked for stays in the address, once typing has paused.
    await at.page.waitForURL(/#\/operator\/tasks\?q=LIGHTHOUSE$/)
    await at.page.getByRole('button', { name: /^a lighthouse/ }).click()
    await at.page.getByText('The whole record').click()
    await at.page.getByRole('dialog').getByText(taskId).first().waitFor()
    await at.page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
    assert.notEqual(await at.page.title(), 'owned')
  })

  test('says that more jobs wait than are counted, and of none that waits for its time that it is late', async () => {
    const status = '**/api/v1/operator/status'
    await at.page.route(status, async (route) => {
      const { data, ...envelope } = await (await route.fetch()).json()
      const queues = [
        { queue: 'deliver:later', waiting: 3, running: 0, oldestMs: 0 },
        { queue: 'prepare', waiting: 10_000, running: 2, oldestMs: 61_000 },
      ]
      await route.fulfill({ json: { ...envelope, data: { ...data, queues } } })
    })
    await go('operator')
    await at.page.getByRole('row', { name: 'Callbacks, retries 3 0 –', exact: true }).waitFor()
    await at.page.getByRole('row', { name: 'Checking input files 10,000+ 2 1 min 1 s', exact: true }).waitFor()
    await at.page.unroute(status)
  })

  test('begins a prompt that reads from right to left at its right end, also where it is cut', async () => {
    const prompt = `${'قارب على البحيرة عند الغروب '.repeat(20)}script: wait 10ms`
    const taskId = await at.service.api.createTask(prompt)
    const name = 'account-'.repeat(12)
    assert.equal((await at.service.api.post('/api/v1/operator/accounts', { name })).status, 200)
    await at.page.setViewportSize({ width: 390, height: 800 })
    for (const [place, title] of [
      ['tasks', '.task-prompt'],
      [`tasks/${taskId}`, 'h1'],
      ['operator/tasks', '.prompt-cell button'],
    ] as const) {
      await go(place)
      const shown = at.page.locator(title, { hasText: 'قارب' }).first()
      await shown.waitFor()
      assert.equal(await shown.evaluate(directionOf, null), 'rtl', place)
      assert.equal(await at.page.evaluate(tooWidePx), 0, place)
    }
    await at.page.getByLabel('Account', { exact: true }).getByText(name).waitFor({ state: 'attached' })
    assert.equal(await at.page.evaluate(tooWidePx), 0)
    await at.page.setViewportSize({ width: 1440, height: 900 })
  })

  test('shows what a slow service returns, although the page asks for it more often', async () => {
    const status = '**/api/v1/operator/status'
    // Each response takes longer than the time after which the page loads it again.
    await at.page.route(status, async (route) => {
      await delay(3000)
      await route.continue()
    })
    await go('tasks')
    await go('operator')
    await at.page.getByRole('heading', { name: 'Workers' }).waitFor()
    await at.page.unroute(status)
  })

  test('lets operators switch maintenance and top accounts up, and hides that from others', async () => {
    await go('operator')
    await at.page.getByRole('switch', { name: 'Maintenance' }).click()
    await at.page.getByRole('dialog').getByRole('button', { name: 'Start maintenance' }).click()
    await at.page.getByText('New work is refused').waitFor()
    await at.page.getByText(/^Maintenance: no new videos/).waitFor()
    assert.equal((await at.service.api.post('/api/v1/jobs/createTask', {})).status, 455)
    await at.page.getByRole('switch', { name: 'Maintenance' }).uncheck()
    await at.page.getByText('New work is accepted').waitFor()
    await at.page.getByRole('button', { name: 'New account' }).click()
    await at.page.getByLabel('Name').fill('second')
    await at.page.getByLabel('Initial credits').fill('70')
    await at.page.getByRole('button', { name: 'Create it' }).click()
    const made = await at.page.locator('.secret-text').innerText()
    assert.equal((await at.service.as(made).get('/api/v1/account/credit')).body.data, 70)
    await at.page.getByRole('button', { name: 'Done' }).click()
    await at.page.getByRole('button', { name: 'Top up second' }).waitFor()
    const taken = await at.service.api.post('/api/v1/operator/accounts', { name: 'second' })
    assert.equal(taken.body.msg, 'name: there is an account "second" already')
    const before = (await at.service.api.get('/api/v1/account/credit')).body.data
    await at.page.getByRole('button', { name: 'Top up default' }).click()
    await at.page.getByLabel('Credits', { exact: true }).fill('500')
    await at.page.getByRole('dialog').getByRole('button', { name: 'Top up' }).click()
    await at.page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal((await at.service.api.get('/api/v1/account/credit')).body.data, before + 500)
    await at.page.getByRole('button', { name: 'Keys of second' }).click()
    await at.page.getByRole('dialog').getByRole('button', { name: 'Revoke first key' }).click()
    await at.page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await at.page.getByRole('dialog').getByText('No key works. 1 more was revoked.').waitFor()
    assert.equal((await at.service.as(made).get('/api/v1/account/credit')).status, 401)
    await at.page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
    const { key } = (await at.service.api.post('/api/v1/keys', { name: 'ada' })).body.data
    await at.page.getByRole('button', { name: 'Sign out' }).click()
    await signIn(at.page, at.service.url, key)
    assert.equal(await at.page.getByRole('link', { name: 'Operator' }).count(), 0)
    await at.page.getByRole('button', { name: 'Sign out' }).click()
    await signIn(at.page, at.service.url)
  })
})
