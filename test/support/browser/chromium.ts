// Debian's Chromium for tests in a browser, started in a profile of its own that is deleted with it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { findProgram } from '../debian-package.ts'
import { testKey } from '../service/service.ts'

export const findChromium = () => findProgram('chromium')

export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export interface TestBrowser {
  context: BrowserContext
  page: Page
  /** Requests that left the service's own origin. */
  strangers: string[]
  /** Errors that the page threw or its policy reported. */
  complaints: string[]
  close(): Promise<void>
}

export async function openBrowser(url: string, options: BrowserContextOptions = {}): Promise<TestBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'dailies-chromium-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: findChromium(),
    headless: true,
    viewport: { width: 1440, height: 900 },
    args: chromiumArgs,
    ...options,
  })
  context.setDefaultTimeout(15_000)
  const page = context.pages()[0] ?? (await context.newPage())
  const strangers: string[] = []
  const complaints: string[] = []
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== new URL(url).origin) strangers.push(request.url())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // The browser also notes a response other than 200; what it meant is asserted where it is expected.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text())
    }
  })
  return {
    context,
    page,
    strangers,
    complaints,
    async close() {
      await context.close()
      await rm(profile, { recursive: true, force: true })
    },
  }
}

export async function signIn(page: Page, url: string, key = testKey): Promise<void> {
  await page.goto(url)
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Make the video' }).waitFor()
}
