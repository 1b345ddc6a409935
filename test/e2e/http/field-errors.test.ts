// The `errors` of a 422, for programs, and the suggestions in them and in `msg`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, taskBody, variantA, variantB } from '../../support/service/api.ts'
import { testKey } from '../../support/service/service.ts'
import { describeService } from '../../support/service/suite.ts'

const createPath = '/api/v1/jobs/createTask'
const image = 'http://127.0.0.1:9/a.png'

interface FieldError {
  field: string
  message: string
  suggestion?: string
}

/** The errors of a 422, whose `msg` says the same. */
function errorsOf({ status, body, text }: Answer): FieldError[] {
  assert.equal(status, 422, text)
  const { errors } = body as { errors: FieldError[] }
  const said = errors.map(({ field, message, suggestion }) => {
    const sentence = field === '' ? message : `${field}: ${message}`
    return suggestion === undefined ? sentence : `${sentence} (${suggestion})`
  })
  assert.equal(body.msg, said.join('; '))
  assert.equal(body.data, null)
  return errors
}

const suggestionsOf = (answer: Answer) =>
  Object.fromEntries(errorsOf(answer).map(({ field, suggestion }) => [field, suggestion]))

describeService('errors of fields', {}, (service) => {
  test('each wrong field is an entry of its own', async () => {
    const answer = await service().api.post(createPath, { model: variantA, input: { prompt: 'a', duration: '7' } })
    assert.deepEqual(errorsOf(answer), [
      { field: 'input.image_url', message: 'is required' },
      { field: 'input.duration', message: 'must be "5" or "10"' },
    ])
  })

  test('every kind of 422 has them', async () => {
    const { api } = service()
    const form = { 'content-type': 'multipart/form-data; boundary=x' }
    const refused: [string, Promise<Answer>][] = [
      ['query.taskId', api.get('/api/v1/jobs/recordInfo')],
      ['body', api.post(createPath, undefined, { raw: '{', headers: { 'content-type': 'application/json' } })],
      ['content-type', api.post(createPath, undefined, { raw: 'a', headers: { 'content-type': 'text/plain' } })],
      ['content-encoding', api.post(createPath, taskBody(), { headers: { 'content-encoding': 'gzip' } })],
      ['Idempotency-Key', api.post(createPath, taskBody(), { headers: { 'idempotency-key': 'x'.repeat(256) } })],
      ['file', api.post('/api/v1/files/upload', undefined, { raw: '--x--\r\n', headers: form })],
      ['name', api.post('/api/v1/keys', {})],
      ['expiresAt', api.post('/api/v1/keys', { name: 'a', expiresAt: 1 })],
      ['inputs', api.post('/v1/inference/google/universal-sentence-encoder', {})],
      ['input', api.post(`/v1/inference/${variantA}`, {})],
      ['prompt', api.post('/api/v1/prompts/explain', {})],
    ]
    for (const [field, answer] of refused) assert.equal(errorsOf(await answer)[0]!.field, field)
    const taskId = await api.createTask()
    await api.until(taskId, ['success'])
    const ended = await api.post('/api/v1/jobs/cancelTask', { taskId })
    assert.deepEqual(errorsOf(ended), [{ field: 'taskId', message: 'the task has ended already (state success)' }])
  })

  test('other errors have none', async () => {
    assert.deepEqual(Object.keys((await service().api.get('/api/v1/nothing')).body), ['code', 'msg', 'data'])
  })

  test('fields of the model beside `input` belong in it', async () => {
    const create = (body: object) => service().api.post(createPath, body).then(suggestionsOf)
    assert.deepEqual(await create({ model: variantA, prompt: 'a', image_url: image }), {
      input: 'prompt, image_url belong in input',
    })
    assert.deepEqual(await create({ model: variantB, prompt: 'a', input: { image_url: [image] } }), {
      'input.prompt': 'prompt belongs in input',
    })
    // Even where the model is not known.
    assert.deepEqual(await create({ model: 'another', negative_prompt: 'a' }), {
      model: undefined,
      input: 'negative_prompt belongs in input',
    })
    const inference = await service().api.post(`/v1/inference/${variantA}`, { prompt: 'a', image_url: image })
    assert.deepEqual(suggestionsOf(inference), { input: 'prompt, image_url belong in input' })
  })

  test('a missing field that was sent under nearly its name is named', async () => {
    const names = ['image_urls', 'imageUrl', 'Image_URL', 'image-url', 'imageurl', 'image_ulr', 'mage_url']
    for (const name of names) {
      const answer = await service().api.post(createPath, { model: variantA, input: { prompt: 'a', [name]: image } })
      assert.deepEqual(suggestionsOf(answer), { 'input.image_url': `this model takes image_url, not ${name}` })
    }
    for (const name of ['image', 'url', 'tail_image_url', 'x'.repeat(10_000)]) {
      const answer = await service().api.post(createPath, { model: variantA, input: { prompt: 'a', [name]: image } })
      assert.deepEqual(suggestionsOf(answer), { 'input.image_url': undefined })
    }
    const shots = [{ prompt: 'a', Duration: 3 }]
    const input = { prompt: 'a', image_url: [image], customize_multi_shots: true, multi_prompt: shots }
    assert.deepEqual(suggestionsOf(await service().api.post(createPath, { model: variantB, input })), {
      'input.multi_prompt[0].duration': 'this model takes duration, not Duration',
    })
    const cancel = await service().api.post('/api/v1/jobs/cancelTask', { task_id: 'a' })
    assert.deepEqual(suggestionsOf(cancel), { taskId: 'this request takes taskId, not task_id' })
    const read = await service().api.get('/api/v1/jobs/recordInfo?taskID=a')
    assert.deepEqual(suggestionsOf(read), { 'query.taskId': 'this request takes taskId, not taskID' })
  })

  test('a file under another name is named', async () => {
    for (const bytes of [8, 300_000]) {
      const form = new FormData()
      form.append('image', new Blob([new Uint8Array(bytes)]), 'a.png')
      const response = await fetch(`${service().url}/api/v1/files/upload`, {
        method: 'POST',
        headers: { authorization: `Bearer ${testKey}` },
        body: form,
      })
      const { errors } = (await response.json()) as { errors: FieldError[] }
      assert.deepEqual(errors, [
        {
          field: 'file',
          message: 'is required as a part of the multipart form',
          suggestion: 'the file of this form is named image',
        },
      ])
    }
  })

  test('a near-miss of callBackUrl is refused: the callback would never come', async () => {
    const names = ['callbackUrl', 'callbackurl', 'call_back_url', 'callback_url', 'CALLBACK-URL', 'callback', 'webhook']
    for (const name of [...names, 'webhookUrl', 'webhook_url', 'WebHook']) {
      const answer = await service().api.post(createPath, { ...taskBody(), [name]: 'http://127.0.0.1:9/called' })
      assert.deepEqual(errorsOf(answer), [
        { field: name, message: 'is not a field of this request', suggestion: 'did you mean callBackUrl?' },
      ])
      // Beside all other problems.
      const worse = await service().api.post(createPath, { model: variantA, [name]: 'x', callBackUrl: 'y' })
      assert.deepEqual(
        errorsOf(worse).map(({ field }) => field),
        ['input', 'callBackUrl', name],
      )
      const extension = { taskId: 'a', prompt: 'b', [name]: 'http://127.0.0.1:9/called' }
      assert.deepEqual(
        errorsOf(await service().api.post('/api/v1/video/extend', extension)).map(({ field }) => field),
        [name],
      )
    }
  })

  test('other unknown fields stay ignored, and so do empty near-misses', async () => {
    const { api } = service()
    const unknown = { webhook: null, callback_url: '', webhooks: 'http://127.0.0.1:9/', notifyUrl: 'a', foo: 1 }
    const created = await api.post(createPath, { ...taskBody('a', { webhook: 'b' }), ...unknown })
    assert.equal(created.status, 200, created.text)
    const { ignoredFields } = await api.record(created.body.data.taskId)
    assert.deepEqual((ignoredFields as string[]).toSorted(), [...Object.keys(unknown), 'input.webhook'].toSorted())
  })
})
