// The page of one task in a real browser: what can be done with it depends on how it ended.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goTo, isFocused } from '../../support/browser/in-page.ts'
import { describeInBrowser } from '../../support/browser/suite.ts'

describeInBrowser('the page of an extension', { signedIn: true }, (at) => {
  test('leads to the form that made it, with its prompt and length, to be changed and sent again', async () => {
    const { api } = at.service
    const parent = await api.createTask('it plays on script: wait 10ms')
    await api.until(parent, ['success'])
    const body = { taskId: parent, prompt: 'and on script: fail it broke', duration: '10' }
    const { taskId } = (await api.post('/api/v1/video/extend', body)).body.data
    await api.until(taskId, ['fail'])
    await at.page.evaluate(goTo, `tasks/${taskId}`)
    await at.page.getByRole('link', { name: 'Change and run again' }).click()
    await at.page.getByRole('heading', { name: /it plays on/ }).waitFor()
    const form = at.page.getByRole('form', { name: 'Extend the video' })
    const prompt = form.getByLabel('What happens next?')
    await prompt.waitFor()
    assert.equal(await prompt.inputValue(), 'and on script: fail it broke')
    assert.ok(await prompt.evaluate(isFocused))
    await prompt.fill('and on again script: wait 10ms')
    await form.getByRole('button', { name: 'Extend for 84 credits' }).click()
    await at.page.getByRole('heading', { name: /and on again/ }).waitFor()
    await at.page.goBack()
    await form.waitFor()
    await form.getByRole('button', { name: 'Close' }).click()
    await form.waitFor({ state: 'detached' })
    assert.ok(!at.page.url().includes('extend='))
  })
})

describeInBrowser('the page of a video that expires', { signedIn: true, env: { DAILIES_VIDEO_TTL: '4s' } }, (at) => {
  test('no longer offers what needs the video', async () => {
    const { api } = at.service
    const taskId = await api.createTask('soon gone script: wait 10ms')
    await api.until(taskId, ['success'])
    await at.page.evaluate(goTo, `tasks/${taskId}`)
    await at.page.getByText('The video has expired', { exact: true }).waitFor()
    const names = async () => {
      const offered = at.page.locator('.task-main').locator('a, button')
      return (await offered.allTextContents()).map((text) => text.trim())
    }
    assert.deepEqual(await names(), ['Change and run again', 'Delete'])
    await at.page.reload()
    await at.page.getByText('The video has expired', { exact: true }).waitFor()
    assert.deepEqual(await names(), ['Change and run again', 'Delete'])
  })
})
