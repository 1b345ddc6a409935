// The first five minutes in a real browser with the real renderer: one click on the sample makes a video that plays,
// and its frames differ; the page is usable by phone, in the dark, by keyboard and with a screen reader's eyes.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { openBrowser, signIn } from '../../support/browser/chromium.ts'
import {
  focusedText,
  frameAt,
  goTo,
  ground,
  painted,
  playedPast,
  runAxe,
  tooWidePx,
} from '../../support/browser/in-page.ts'
import { describeInBrowser } from '../../support/browser/suite.ts'

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

const views = [
  'play',
  'tasks',
  'task',
  'usage',
  'keys',
  'operator',
  'operator/tasks',
  'callbacks',
  'new account',
  'audit',
]

describeInBrowser(
  'a new user',
  { env: { TEST_ENGINE: 'studio', DAILIES_RENDER_SLOTS: '1' }, context: { colorScheme: 'dark' } },
  (at) => {
    test('makes a video of the sample with one click and sees it play', async () => {
      await signIn(at.page, at.service.url)
      await at.page.getByRole('button', { name: 'Make the video' }).click()
      const video = at.page.locator('.stage video')
      await at.page.locator('.stage [data-state=generating]').waitFor({ timeout: 60_000 })
      await video.waitFor({ timeout: 180_000 })
      assert.ok((await video.evaluate(playedPast, 0.4)) > 0.4)
      const shownAt = (share: number) => video.evaluate(frameAt, share)
      const [early, late] = [await shownAt(0.1), await shownAt(0.9)]
      assert.equal(early.length, 32 * 18 * 4)
      const difference = early.reduce((sum, value, index) => sum + Math.abs(value - late[index]!), 0) / early.length
      assert.ok(difference > 2, `frames differ by ${difference} of 255 only`)
    })

    test('finds nothing in the way of assistive technology, at each width, dark and light', async () => {
      const scan = await openBrowser(at.service.url, { bypassCSP: true })
      try {
        await signIn(scan.page, at.service.url)
        for (const theme of ['dark', 'light'] as const) {
          for (const width of [390, 820, 1440]) {
            await scan.page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
            await scan.page.setViewportSize({ width, height: 900 })
            for (const view of views) {
              await show(scan.page, view)
              assert.deepEqual(await findings(scan.page), [], `${view}, ${theme}, ${width} px`)
            }
          }
        }
      } finally {
        await scan.close()
      }
    })

    test('never scrolls sideways on a phone', async () => {
      for (const width of [390, 360, 320]) {
        await at.page.setViewportSize({ width, height: 844 })
        for (const view of views) {
          await show(at.page, view)
          for (const summary of await at.page.locator('main summary').all()) await summary.click()
          const over = await at.page.evaluate<number>(tooWidePx)
          assert.ok(over <= 0, `${view} is ${over} px too wide at ${width} px`)
        }
      }
      await at.page.setViewportSize({ width: 1440, height: 900 })
    })

    test('follows the system into the dark and out again by choice, and remembers', async () => {
      const shown = () => at.page.evaluate<string>(ground)
      const dark = await shown()
      await at.page.getByRole('button', { name: 'Switch to the light theme' }).click()
      const light = await shown()
      assert.notEqual(light, dark)
      await at.page.reload()
      await at.page.getByRole('button', { name: 'Switch to the dark theme' }).waitFor()
      assert.equal(await shown(), light)
    })

    test('reaches the button by keyboard alone', async () => {
      await show(at.page, 'play')
      await at.page.getByRole('textbox', { name: 'Prompt', exact: true }).focus()
      for (let step = 0; step < 30; step++) {
        await at.page.keyboard.press('Tab')
        if ((await at.page.evaluate(focusedText)) === 'Make the video') return
      }
      assert.fail('thirty tabs did not reach the button')
    })
  },
)

/** What each view shows once its responses are there. */
const marks: Record<string, string> = {
  play: '.price strong:has-text("credits")',
  tasks: '.task-row .thumb img',
  usage: '.shares',
  keys: '.empty, .key',
  operator: '.accounts td',
  'operator/tasks': '.all-tasks td',
  callbacks: '.signing code',
  audit: 'td',
}

/** Where a view is, if its name is not its place: a task is opened from the list, the dialog by its button. */
const places: Record<string, string> = { task: 'tasks', 'new account': 'operator' }

async function show(page: Page, view: string): Promise<void> {
  const place = places[view] ?? view
  await page.evaluate(goTo, place)
  await page.locator(marks[place]!).first().waitFor()
  if (view === 'task') {
    await page.locator('.task-row').first().click()
    await page.locator('.history li').first().waitFor()
  }
  if (view === 'new account') {
    await page.getByRole('button', { name: 'New account' }).click()
    await page.getByRole('dialog', { name: 'New account' }).waitFor()
  }
  await page.evaluate(painted)
}

async function findings(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: axePath })
  const results = await page.evaluate<AxeResults>(runAxe)
  return results.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 120)} ${failureSummary}`).join(' | ')}`,
  )
}
