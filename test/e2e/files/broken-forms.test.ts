// Forms that end too early, and clients that leave in the middle of one: the process goes on, and keeps nothing of them.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { brokenForms, wholeForm } from '../../support/attacks/broken-forms.ts'
import { formRoutes as attackedRoutes } from '../../support/attacks/forms.ts'
import { multipart, multipartBoundary } from '../../support/attacks/large-bodies.ts'
import { testKey } from '../../support/service/service.ts'
import { describeService } from '../../support/service/suite.ts'
import { untilTrue } from '../../support/until.ts'

describeService('a form that is broken off', {}, (service) => {
  const formRoutes = () =>
    service().app.routes.flatMap(({ path, filePart }) => (filePart === undefined ? [] : [{ path, part: filePart }]))

  /** Local files of uploads, which an ended request leaves to nobody. */
  async function localFiles(): Promise<string[]> {
    const names = await readdir(join(service().dataDir, 'tmp'), { recursive: true })
    return names.filter((name) => name.includes('upload-'))
  }

  async function assertNothingIsLeft(): Promise<void> {
    await untilTrue('local files are deleted', async () => (await localFiles()).length === 0)
    assert.deepEqual((await service().api.get('/api/v1/files')).body.data.items, [])
    assert.equal((await service().as(null).get('/livez')).status, 200)
  }

  test('is 422 on every route that takes forms', async () => {
    // The list of the attacks, which run against another process.
    assert.deepEqual(Object.fromEntries(formRoutes().map(({ path, part }) => [path, part])), attackedRoutes)
    for (const { path, part } of formRoutes()) {
      for (const [ending, raw] of Object.entries(brokenForms(part))) {
        const { status, text } = await service().api.post(path, undefined, { raw, headers: multipart })
        assert.equal(status, 422, `${path}, ending in ${ending}: ${text}`)
      }
    }
    await assertNothingIsLeft()
  })

  test('is 422 if its file part has no name', async () => {
    const raw = [
      `--${multipartBoundary}`,
      'content-disposition: form-data;\0 name="a"; filename=""',
      '',
      'a boat',
      `--${multipartBoundary}`,
      '\0',
      'content-type:',
      '',
      '',
      '',
      `--${multipartBoundary}--`,
    ].join('\r\n')
    for (const { path } of formRoutes()) {
      const { status, text } = await service().api.post(path, undefined, { raw, headers: multipart })
      assert.equal(status, 422, `${path}: ${text}`)
    }
    await assertNothingIsLeft()
  })

  test('is 422 wherever it is cut', async () => {
    const { path, part } = formRoutes()[0]!
    for (const form of [wholeForm(part), wholeForm('other')]) {
      for (let bytes = 0; bytes < form.length; bytes++) {
        const { status, text } = await service().api.post(path, undefined, {
          raw: form.slice(0, bytes),
          headers: multipart,
        })
        assert.equal(status, 422, `cut after ${bytes} bytes: ${text}`)
      }
    }
    await assertNothingIsLeft()
  })

  test('with its connection leaves nothing behind', async () => {
    const { hostname, port } = new URL(service().url)
    const head = (path: string) =>
      `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${testKey}\r\ncontent-length: 100000\r\n` +
      `content-type: ${multipart['content-type']}\r\n\r\n`
    for (const { path, part } of formRoutes()) {
      for (const form of [...Object.values(brokenForms(part)), wholeForm(part), wholeForm('other')]) {
        for (const leave of ['destroy', 'resetAndDestroy', 'end'] as const) {
          const socket = connect(Number(port), hostname).on('error', () => {})
          await once(socket, 'connect')
          const closed = new Promise((resolve) => socket.once('close', resolve))
          await new Promise((resolve) => socket.write(head(path) + form, resolve))
          socket.resume()
          socket[leave]()
          await closed
        }
      }
    }
    await assertNothingIsLeft()
  })
})
