// Extensions: a task that plays on from the last frame of another.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createManualClock } from '../../support/manual-clock.ts'
import { startService, type TestService } from '../../support/service/service.ts'

const day = 86_400_000
const clock = createManualClock(Date.parse('2026-01-01T00:00:00Z'))
let service: TestService
before(async () => {
  service = await startService({}, { clock })
})
after(() => service?.stop())

describe('extension', () => {
  test('plays on from a finished video and names its parent', async () => {
    const parent = await service.api.createTask('the first part')
    await service.api.until(parent, ['success'])
    const answer = await service.api.post('/api/v1/video/extend', {
      taskId: parent,
      prompt: 'and then it rains',
      duration: '10',
    })
    assert.equal(answer.status, 200)
    const child = answer.body.data.taskId
    assert.equal((await service.api.until(child, ['success'])).creditsConsumed, 84)
    const record = (await service.api.get(`/api/v1/video/recordInfo?taskId=${child}`)).body.data
    assert.equal(record.parentTaskId, parent)
    assert.equal(record.generateParam.prompt, 'and then it rains')
    assert.equal((await fetch(record.generateParam.imageUrl)).headers.get('content-type'), 'image/jpeg')
  })

  test('is refused for what cannot be extended', async () => {
    const unknown = await service.api.post('/api/v1/video/extend', { taskId: 'nothing', prompt: 'x' })
    assert.equal(unknown.status, 404)
    const running = await service.api.createTask('script: stall')
    const early = await service.api.post('/api/v1/video/extend', { taskId: running, prompt: 'x' })
    assert.equal(early.status, 422)
    assert.match(early.body.msg, /only a finished video/)
    await service.api.post('/api/v1/jobs/cancelTask', { taskId: running })
    const parent = await service.api.createTask('soon gone')
    await service.api.until(parent, ['success'])
    const headers = { 'idempotency-key': 'once' }
    clock.advance(13.5 * day)
    const first = await service.api.post('/api/v1/video/extend', { taskId: parent, prompt: 'x' }, { headers })
    clock.advance(day / 2)
    const late = await service.api.post('/api/v1/video/extend', { taskId: parent, prompt: 'x' })
    assert.match(late.body.msg, /has expired/)
    const again = await service.api.post('/api/v1/video/extend', { prompt: 'x', taskId: parent }, { headers })
    assert.equal(again.body.data.taskId, first.body.data.taskId)
    clock.advance(day / 2 + 1)
    const forgotten = await service.api.post('/api/v1/video/extend', { taskId: parent, prompt: 'x' }, { headers })
    assert.match(forgotten.body.msg, /has expired/)
  })
})
