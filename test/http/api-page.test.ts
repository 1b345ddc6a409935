// docs/api.md keeps up with the service: every route and every code of the catalogue is on the page.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { errorCodes } from '../../src/contract/errors.ts'
import { failCodes } from '../../src/contract/tasks/fail-reasons.ts'
import { startService, type TestService } from '../support/service/service.ts'

describe('docs/api.md', () => {
  const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8')
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service?.stop())

  test('names every route', () => {
    for (const { method, path } of service.app.routes.filter((route) => route.operationId)) {
      const pattern = path.replace(/[.]/g, '\\.').replace(/:\w+/g, '<\\w+>')
      // A file's name at the end of its URL may be left out.
      if (path === '/files/:token') continue
      assert.match(page, new RegExp(`${pattern}(?![\\w/])`), `${method} ${path}`)
    }
  })

  test('has every error code and every reason of failure', () => {
    for (const code of Object.keys(errorCodes)) assert.match(page, new RegExp(`\\b${code}\\b`), code)
    for (const [reason, code] of Object.entries(failCodes)) {
      assert.match(page, new RegExp(`^\\| \`${code}\` \\|.*\`${reason}\``, 'm'), reason)
    }
  })

  test('quotes a message as the service words it', async () => {
    const model = 'videomodel/v2-5-turbo-image-to-video-pro'
    const input = { prompt: 'a boat', image_urls: ['https://example.com/a.jpg'], duration: '7' }
    const { text, status } = await service.api.post('/api/v1/jobs/createTask', { model, input })
    assert.equal(status, 422)
    const quoted = page.match(/^```json\n(\{"code": 422, .*?)^```$/ms)![1]!
    assert.deepEqual(JSON.parse(text), JSON.parse(quoted))
  })
})
