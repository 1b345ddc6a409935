// Pictures that the playground uploads while the form is used.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import sharp from 'sharp'
import { describeInBrowser } from '../../support/browser/suite.ts'
import { untilTrue } from '../../support/until.ts'

describeInBrowser('uploads of the playground', { signedIn: true }, (at) => {
  const uploadPath = '**/api/v1/files/upload'
  let picture: Buffer
  /** Each lets an upload through. */
  const held: (() => void)[] = []

  before(async () => {
    picture = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#36c' } })
      .png()
      .toBuffer()
    await at.page.route(uploadPath, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve))
      await route.continue()
    })
  })

  const fileNamed = (name: string) => ({ name, mimeType: 'image/png', buffer: picture })
  const uploadsAre = (count: number) => untilTrue(`${count} uploads under way`, () => held.length === count)

  test('what is written while a picture is uploaded stays', async () => {
    const { page } = at
    const picker = page.locator('[data-picker]').first()
    await picker.locator('input[type=file]').setInputFiles(fileNamed('blue.png'))
    await uploadsAre(1)
    const prompt = page.getByRole('textbox', { name: 'Prompt', exact: true })
    await prompt.fill('written meanwhile')
    held.shift()!()
    await page.getByRole('button', { name: 'Make the video' }).waitFor()
    assert.match((await picker.locator('img').getAttribute('src'))!, /^files\//)
    assert.equal(await prompt.inputValue(), 'written meanwhile')
  })

  test('pictures of other kinds are converted where the browser can read them', async () => {
    const { page } = at
    const picker = page.locator('[data-picker]').first()
    const chooser = picker.locator('input[type=file]')
    const clear = await sharp({ create: { width: 640, height: 360, channels: 4, background: '#36c8' } })
      .webp()
      .toBuffer()
    for (const [name, mimeType, buffer, sent] of [
      ['photo.webp', 'image/webp', await sharp(picture).webp().toBuffer(), 'photo.jpg'],
      ['clear.webp', 'image/webp', clear, 'clear.png'],
      ['moving.gif', 'image/gif', await sharp(picture).gif().toBuffer(), 'moving.jpg'],
    ] as const) {
      await chooser.setInputFiles({ name, mimeType, buffer })
      await uploadsAre(1)
      held.shift()!()
      await picker.locator(`img[src$="/${sent}"]`).waitFor()
      const stored = await sharp(
        Buffer.from(
          await (await fetch(`${at.service.url}/${await picker.locator('img').getAttribute('src')}`)).arrayBuffer(),
        ),
      ).metadata()
      assert.deepEqual([stored.width, stored.height, stored.format], [640, 360, sent.endsWith('png') ? 'png' : 'jpeg'])
    }
    const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic')
    await chooser.setInputFiles({ name: 'phone.heic', mimeType: 'image/heic', buffer: heic })
    await picker.getByText('phone.heic is in HEIC format, which this browser cannot read; save it as JPEG').waitFor()
    await chooser.setInputFiles(fileNamed('blue.png'))
    await uploadsAre(1)
    held.shift()!()
    await picker.locator('img[src$="/blue.png"]').waitFor()
  })

  test('pictures of a subject that are uploaded at the same time are all kept', async () => {
    const { page } = at
    await page.getByRole('radio', { name: /v3.0 omni/ }).check()
    await page.getByRole('button', { name: 'Add a subject' }).click()
    const pickers = page.locator('.element-files [data-picker]')
    for (const place of [0, 1]) {
      await pickers
        .nth(place)
        .locator('input[type=file]')
        .setInputFiles(fileNamed(`picture-${place}.png`))
      await uploadsAre(place + 1)
    }
    // The second one arrives first.
    held.pop()!()
    await pickers.nth(1).getByRole('progressbar').waitFor({ state: 'detached' })
    held.pop()!()
    await page.getByRole('button', { name: 'Make the video' }).waitFor()
    assert.equal(await page.locator('.element-files img').count(), 2)
  })
})
