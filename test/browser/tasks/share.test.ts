// A share link from the task page to a browser without a key: it plays, passes axe at each width and theme, and stops
// when it is revoked.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import { openBrowser, signIn, type TestBrowser } from '../../support/browser/chromium.ts'
import { goTo, playedPast, runAxe, startPlaying, tooWidePx } from '../../support/browser/in-page.ts'
import { startService, type TestService } from '../../support/service/service.ts'

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

describe('a share link', () => {
  let service: TestService
  let owner: TestBrowser
  let guest: TestBrowser
  let url: string
  let taskId: string
  before(async () => {
    service = await startService()
    owner = await openBrowser(service.url)
    guest = await openBrowser(service.url)
  })
  after(async () => {
    await owner?.close()
    await guest?.close()
    await service?.stop()
  })

  test('is made on the task page', async () => {
    taskId = await service.api.createTask('a secret boat script: wait 10ms')
    await service.api.until(taskId, ['success'])
    await signIn(owner.page, service.url)
    await owner.page.evaluate(goTo, `tasks/${taskId}`)
    await owner.page.getByRole('button', { name: 'Share' }).click()
    const dialog = owner.page.getByRole('dialog', { name: 'Share the video' })
    await dialog.getByLabel('Works for').selectOption('1')
    await dialog.getByRole('button', { name: 'Make a link' }).click()
    url = (await dialog.locator('.share-made a').getAttribute('href'))!
    assert.ok(url.startsWith(`${service.url}/s/`))
    await dialog
      .getByRole('list', { name: 'Links that work' })
      .getByText(/works until/)
      .waitFor()
    assert.deepEqual(owner.complaints, [])
  })

  test('plays without a key, under its policy, and shows nothing else', async () => {
    const { page } = guest
    const missing: string[] = []
    page.on('response', (response) => response.status() >= 400 && missing.push(response.url()))
    await page.goto(url)
    const video = page.locator('video')
    await video.evaluate(startPlaying, null)
    assert.ok((await video.evaluate(playedPast, 0.1)) > 0.1)
    assert.doesNotMatch(await page.content(), /secret boat/)
    assert.equal(await page.locator('main').innerText(), 'Shared video')
    assert.deepEqual(guest.complaints, [])
    assert.deepEqual(guest.strangers, [])
    assert.deepEqual(missing, [])
  })

  test('has the service’s icon, like every page that names none of its own', async () => {
    for (const path of ['s/none', 'files/none', 'none']) {
      const page = await fetch(`${service.url}/${path}`, { headers: { accept: 'text/html' } })
      assert.equal(page.status, 404)
      assert.match(page.headers.get('content-security-policy')!, /img-src 'self'/)
    }
    const icon = await fetch(`${service.url}/favicon.ico`)
    assert.equal(icon.status, 200)
    assert.equal(icon.headers.get('content-type'), 'image/svg+xml')
    assert.equal(await guest.page.locator('link[rel=icon]').getAttribute('href'), '../favicon.ico')
  })

  test('passes axe and fits at each width, light and dark', async () => {
    const scan = await openBrowser(service.url, { bypassCSP: true })
    try {
      const { width: videoWidth, height: videoHeight } = (
        await service.api.get(`/api/v1/jobs/recordInfo?taskId=${taskId}`)
      ).body.data.video
      const videoRatio = videoWidth / videoHeight
      for (const width of [320, 390, 820, 1440]) {
        for (const colorScheme of ['light', 'dark'] as const) {
          await scan.page.setViewportSize({ width, height: 900 })
          await scan.page.emulateMedia({ colorScheme })
          await scan.page.goto(url)
          assert.ok((await scan.page.evaluate<number>(tooWidePx)) <= 0)
          const box = (await scan.page.locator('video').boundingBox())!
          assert.ok(Math.abs(box.width / box.height - videoRatio) < 0.02, `${box.width} × ${box.height}`)
          assert.ok(box.height <= 900)
          await scan.page.addScriptTag({ path: axePath })
          const { violations } = (await scan.page.evaluate(runAxe)) as { violations: { id: string }[] }
          assert.deepEqual(
            violations.map(({ id }) => id),
            [],
            `${width} px, ${colorScheme}`,
          )
        }
      }
    } finally {
      await scan.close()
    }
  })

  test('leads nowhere once it is revoked', async () => {
    await owner.page.getByRole('button', { name: /^Revoke the link/ }).click()
    await owner.page.getByRole('list', { name: 'Links that work' }).waitFor({ state: 'detached' })
    await guest.page.goto(url)
    await guest.page.getByText('There is no page here').waitFor()
  })
})
