// The console with one task, on a tablet and on a phone: what a wide window shows is there, in words that fit the number.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeInBrowser } from '../support/browser/suite.ts'
import { goTo, tooWidePx } from './in-page.ts'

describeInBrowser('the console on a tablet and on a phone', { signedIn: true }, (at) => {
  const look = async (place: string, width: number) => {
    await at.page.setViewportSize({ width, height: 900 })
    await at.page.evaluate(goTo, place)
  }

  test('counts one task as one, and links a ledger entry to its task at every width', async () => {
    const taskId = await at.service.api.createTask('one boat script: wait 10ms')
    await at.service.api.until(taskId, ['success'])
    for (const width of [1440, 820, 390]) {
      await look('usage', width)
      await at.page.getByText('1 task in 30 days', { exact: true }).waitFor()
      await at.page
        .locator('.ledger')
        .getByRole('link', { name: taskId.slice(-8) })
        .waitFor()
      assert.equal(await at.page.evaluate(tooWidePx), 0, `${width} px`)
    }
  })

  test('says what the balance counts at every width', async () => {
    for (const width of [1440, 820, 390]) {
      await look('keys', width)
      await at.page.getByRole('link', { name: /^[\d,]+ credits$/ }).waitFor()
      assert.equal(await at.page.evaluate(tooWidePx), 0, `${width} px`)
    }
  })

  test('keeps the filters of tasks in one row on a tablet, in two on a phone, and names the model of a task', async () => {
    for (const [width, rows] of [
      [390, 2],
      [820, 1],
    ] as const) {
      await look('tasks', width)
      const tops = new Set<number>()
      for (const filter of [at.page.getByRole('searchbox'), ...(await at.page.getByRole('combobox').all())]) {
        tops.add(Math.round((await filter.boundingBox())!.y))
      }
      assert.equal(tops.size, rows, `${width} px`)
    }
    await at.page.locator('.task-row .task-model', { hasText: 'v2.5 turbo' }).waitFor()
    assert.equal(await at.page.evaluate(tooWidePx), 0)
  })
})
