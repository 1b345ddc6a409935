// Requests of an account that an operator deletes meanwhile: a process may know its key for up to a second longer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { taskBody } from '../../support/service/api.ts'
import { newCaller } from '../../support/service/callers.ts'
import { commandJson } from '../../support/service/command.ts'
import { describeService } from '../../support/service/suite.ts'
import { untilTrue } from '../../support/until.ts'

describeService('an account that is deleted', {}, (service, place) => {
  const routes: [string, unknown][] = [
    ['/api/v1/jobs/createTask', taskBody()],
    ['/v1/inference/google/universal-sentence-encoder', { inputs: ['x'], webhook: 'http://127.0.0.1:9/' }],
    ['/api/v1/keys', { name: 'late' }],
    [
      '/api/v1/files/upload',
      {
        base64Data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      },
    ],
    ['/api/v1/webhooks/test', { url: 'http://127.0.0.1:9/' }],
    ['/api/v1/webhooks/secret/rotate', {}],
    ['/api/v1/keys/self/rotate', {}],
  ]
  for (const [path, body] of routes) {
    test(`is refused at ${path}, and causes no error`, async () => {
      const caller = await newCaller(service(), 100_000)
      const { name } = (await service().app.db.one<{ name: string }>('select name from accounts where id = ?', [
        caller.accountId,
      ]))!
      assert.equal((await caller.api.get('/api/v1/account/credit')).status, 200)
      const deleting = commandJson(['accounts', 'delete', name, '--yes'], place().env)
      const seen = new Map<number, string>()
      await untilTrue('the deleted account is refused', async () => {
        const answer = await caller.api.post(path, body)
        seen.set(answer.status, answer.text.slice(0, 200))
        return answer.status === 401
      })
      await deleting
      assert.ok(!seen.has(500), JSON.stringify([...seen]))
    })
  }
})
