// Makes the screenshots of README: two runs compared in the playground, and the page of one task. Needs a running
// service with its key in DAILIES_KEY: node docs/samples/screenshots.ts http://127.0.0.1:8080
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const url = process.argv[2] ?? 'http://127.0.0.1:8080'
const prompts = [
  'Dusk over the lake. Slow push in on the boat while the mist drifts by.',
  'Dusk over the lake. The camera pulls back while it snows.',
]
const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
try {
  // Waiting for a condition runs text in the page, which its policy forbids.
  const context = { viewport: { width: 1440, height: 900 }, colorScheme: 'dark', bypassCSP: true } as const
  const page = await browser.newPage(context)
  page.setDefaultTimeout(300_000)
  await page.goto(url)
  await page.getByLabel('API key').fill(process.env.DAILIES_KEY!)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const prompt = page.getByRole('textbox', { name: 'Prompt', exact: true })
  for (const text of prompts) {
    await prompt.fill(text)
    await prompt.press('Control+Enter')
    await page.locator('.stage-prompt', { hasText: text }).waitFor()
  }
  await page.locator('.strip-check').nth(1).waitFor()
  for (const check of await page.locator('.strip-check').all()) await check.check()
  await page.waitForFunction(
    "[...document.querySelectorAll('.compare video')].every((video) => video.readyState === 4 && video.currentTime > 1)",
  )
  // Near the end the two differ most.
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByLabel('Position in both videos').fill('0.9')
  await page.waitForTimeout(1000)
  await page.screenshot({ path: fileOf('playground.jpg'), quality: 82 })
  await page.locator('.compare figcaption a').first().click()
  await page.locator('.task-main video').waitFor()
  await page.waitForTimeout(2000)
  await page.screenshot({ path: fileOf('task-page.jpg'), quality: 82 })
} finally {
  await browser.close()
}
