// Share links: a page that plays one video without a key, says nothing else, and stops when it should.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createManualClock } from '../../support/manual-clock.ts'
import { describeService } from '../../support/service/suite.ts'

const day = 86_400_000
const clock = createManualClock(Date.parse('2026-01-01T00:00:00Z'))

describeService('share links', { overrides: () => ({ clock }) }, (service) => {
  const finished = async (prompt = 'a secret boat script: wait 10ms') => {
    const taskId = await service().api.createTask(prompt)
    await service().api.until(taskId, ['success'])
    return taskId
  }
  const share = (taskId: string, body = {}) => service().api.post(`/api/v1/jobs/${taskId}/shares`, body)
  const pathOf = (url: string) => url.slice(service().url.length)
  const open = (path: string, headers = {}) =>
    fetch(service().url + path, { headers: { accept: 'text/html', ...headers } })

  test('play the video with ranges to anyone, and show nothing else', async () => {
    const taskId = await finished()
    const made = (await share(taskId)).body.data
    assert.equal(made.expiresAt - made.createdAt, 7 * day)
    const path = pathOf(made.url)
    assert.match(path, /^\/s\/[\w-]{27}$/)

    const page = await open(path)
    assert.equal(page.status, 200)
    assert.match(page.headers.get('x-robots-tag')!, /noindex/)
    assert.match(page.headers.get('content-security-policy')!, /^default-src 'none'; .*frame-ancestors 'none'$/)
    assert.equal(page.headers.get('cache-control'), 'no-store')
    const html = await page.text()
    const record = JSON.stringify(await service().api.record(taskId))
    const fileToken = /files\/([\w-]+)\//.exec(record)![1]!
    for (const secret of ['secret boat', taskId, fileToken, made.id, 'default'])
      assert.ok(!html.includes(secret), secret)

    const whole = Buffer.from(await (await open(`${path}/video`)).arrayBuffer())
    const part = await open(`${path}/video`, { range: 'bytes=4-7' })
    assert.equal(part.status, 206)
    assert.equal(part.headers.get('content-range'), `bytes 4-7/${whole.length}`)
    assert.equal(part.headers.get('cache-control'), 'private, no-cache')
    const headers = JSON.stringify([...part.headers])
    for (const secret of ['secret-boat', taskId.slice(-8), fileToken.slice(0, 8)])
      assert.ok(!headers.includes(secret), secret)
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), whole.subarray(4, 8))
    assert.match((await open(`${path}/poster`)).headers.get('content-type')!, /^image\//)
    assert.equal((await fetch(`${service().url + path}/video`, { method: 'HEAD' })).status, 200)
  })

  test('are stored as hashes, listed without their addresses and revoked one by one', async () => {
    const taskId = await finished()
    const [first, second] = [(await share(taskId)).body.data, (await share(taskId)).body.data]
    const token = pathOf(first.url).slice(3)
    const stored = await service().app.db.all('select * from task_shares')
    assert.ok(stored.length >= 2 && !JSON.stringify(stored).includes(token))
    const listed = (await service().api.get(`/api/v1/jobs/${taskId}/shares`)).body.data.items
    assert.deepEqual(
      listed.map(({ id }: { id: string }) => id),
      [first.id, second.id],
    )
    assert.ok(!JSON.stringify(listed).includes(token))
    assert.equal((await service().api.delete(`/api/v1/jobs/${taskId}/shares/${first.id}`)).status, 200)
    for (const path of ['', '/video', '/poster']) assert.equal((await open(pathOf(first.url) + path)).status, 404)
    assert.equal((await open(pathOf(second.url))).status, 200)
    assert.equal((await service().api.delete(`/api/v1/jobs/${taskId}/shares/${first.id}`)).status, 404)
    assert.equal((await service().api.delete(`/api/v1/jobs/${taskId}/shares/nonsense`)).status, 404)
  })

  test('belong to those who may see the task', async () => {
    const taskId = await finished()
    const { id } = (await share(taskId)).body.data
    const { key } = (await service().api.post('/api/v1/keys', { name: 'other' })).body.data
    const other = service().as(key)
    assert.equal((await other.post(`/api/v1/jobs/${taskId}/shares`, {})).status, 404)
    assert.equal((await other.get(`/api/v1/jobs/${taskId}/shares`)).status, 404)
    assert.equal((await other.delete(`/api/v1/jobs/${taskId}/shares/${id}`)).status, 404)
    const own = await other.createTask('mine script: wait 10ms')
    await other.until(own, ['success'])
    assert.equal((await other.post(`/api/v1/jobs/${own}/shares`, {})).status, 200)
    assert.equal((await other.post(`/api/v1/jobs/${own}/shares`)).status, 200, 'without a body')
  })

  test('need a finished video, an end in the future, and are at most 20', async () => {
    const taskId = await finished()
    const past = await share(taskId, { expiresAt: clock.now() })
    assert.equal(past.body.msg, 'expiresAt: must be in the future')
    const failed = await service().api.createTask('x script: fail badly')
    await service().api.until(failed, ['fail'])
    assert.equal((await share(failed)).status, 422)
    const atOnce = await Promise.all(Array.from({ length: 30 }, () => share(taskId)))
    assert.equal(atOnce.filter(({ status }) => status === 200).length, 20)
    assert.match((await share(taskId)).body.msg, /has 20 links/)
  })

  test('of a task that is deleted meanwhile are 404', async () => {
    for (let round = 0; round < 20; round++) {
      const taskId = await finished()
      const [deleted, ...shared] = await Promise.all([
        service().api.delete(`/api/v1/jobs/${taskId}`),
        ...Array.from({ length: 4 }, () => share(taskId)),
      ])
      assert.equal(deleted.status, 200)
      for (const { status, text } of shared) assert.ok(status === 200 || status === 404, text)
    }
  })

  test('end with the task, with their own time and never after the video', async () => {
    const deleted = await finished()
    const ofDeleted = pathOf((await share(deleted)).body.data.url)
    await service().api.delete(`/api/v1/jobs/${deleted}`)
    assert.equal((await open(ofDeleted)).status, 404)

    const taskId = await finished()
    const video = await service().api.record(taskId)
    const long = (await share(taskId, { expiresAt: clock.now() + 100 * day })).body.data
    assert.equal(long.expiresAt, (video.completeTime as number) + 14 * day)
    const short = (await share(taskId, { expiresAt: clock.now() + day })).body.data
    clock.advance(day)
    const gone = await open(pathOf(short.url))
    assert.equal(gone.status, 404)
    assert.match(await gone.text(), /expired or was deleted/)
    assert.equal((await open(`${pathOf(short.url)}/video`)).status, 404)
    assert.equal((await open(pathOf(long.url))).status, 200)
    clock.advance(13 * day)
    assert.equal((await open(pathOf(long.url))).status, 404)
    assert.equal((await share(taskId)).status, 422)
  })
})
