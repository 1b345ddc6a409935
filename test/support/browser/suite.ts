// A suite in a real browser: its service and its browser start before its tests and stop after them. After each test,
// nothing has left the service's origin, and no page has thrown an error or broken its policy.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { startService, type TestService } from '../service/service.ts'
import { openBrowser, signIn, type TestBrowser } from './chromium.ts'

interface InBrowser {
  service: TestService
  browser: TestBrowser
  page: Page
}

/** `define` gets an object whose fields are there once the tests run. */
export function describeInBrowser(
  title: string,
  options: { env?: Record<string, string>; context?: BrowserContextOptions; signedIn?: boolean },
  define: (at: InBrowser) => void,
): void {
  describe(title, () => {
    const at = {} as InBrowser
    before(async () => {
      at.service = await startService(options.env)
      at.browser = await openBrowser(at.service.url, options.context)
      at.page = at.browser.page
      if (options.signedIn) await signIn(at.page, at.service.url)
    })
    after(async () => {
      await at.browser?.close()
      await at.service?.stop()
    })
    afterEach(() => {
      assert.deepEqual(at.browser.strangers, [])
      assert.deepEqual(at.browser.complaints, [])
    })
    define(at)
  })
}
