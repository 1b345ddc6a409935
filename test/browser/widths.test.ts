// The console with one task, on a tablet and on a phone: what a wide window shows is there, in words that fit the number.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goTo, overflow, tooWidePx } from '../support/browser/in-page.ts'
import { describeInBrowser } from '../support/browser/suite.ts'

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

  test('shows the whole of the engines and workers to an operator at every width', async () => {
    for (const width of [1440, 820, 390]) {
      await look('operator', width)
      for (const name of ['Engines, table', 'Workers, table']) {
        await at.page.getByRole('region', { name }).waitFor()
      }
      assert.equal(await at.page.evaluate(`${overflow}('.engines, .workers')`), 0, `${width} px`)
    }
  })

  test('says what the balance counts at every width', async () => {
    for (const width of [1440, 820, 390]) {
      await look('keys', width)
      await at.page.getByRole('link', { name: /^[\d,]+ credits$/ }).waitFor()
      assert.equal(await at.page.evaluate(tooWidePx), 0, `${width} px`)
    }
  })

  test('leaves no gap in the filters of tasks, keeps them in one row on a tablet, and names the model of a task', async () => {
    for (const width of [390, 820]) {
      await look('tasks', width)
      /** Where each row of filters ends. */
      const ends = new Map<number, number>()
      for (const filter of [at.page.getByRole('searchbox'), ...(await at.page.getByRole('combobox').all())]) {
        const box = (await filter.boundingBox())!
        ends.set(Math.round(box.y), Math.round(box.x + box.width))
      }
      assert.equal(new Set(ends.values()).size, 1, `${width} px`)
      if (width === 820) assert.equal(ends.size, 1)
    }
    await at.page.locator('.task-row .task-model', { hasText: 'v2.5 turbo' }).waitFor()
    assert.equal(await at.page.evaluate(tooWidePx), 0)
  })
})
