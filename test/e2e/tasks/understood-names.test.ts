// Names in prompts without a subject, subjects that no prompt names, and shots that share the length of their video.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { variantA, variantB } from '../../support/service/api.ts'
import { describeService } from '../../support/service/suite.ts'

const image = 'http://127.0.0.1:9/a.png'
const element = (name: string) => ({ name, description: 'a thing', element_input_urls: [image, `${image}?2`] })
const shotsOf = (...durations: number[]) => ({
  customize_multi_shots: true,
  multi_prompt: durations.map((duration) => ({ prompt: 'a shot', duration })),
})

describeService('names and shots', {}, (service) => {
  const create = (model: string, input: object) =>
    service().api.post('/api/v1/jobs/createTask', { model, input: { prompt: 'a', ...input } })

  async function recordOf(
    model: string,
    input: object,
  ): Promise<{ understood: { notDone: string[] }; video: { adjusted: string[] } }> {
    const { body, text } = await create(model, input)
    assert.equal(body.code, 200, text)
    return (await service().api.until(body.data.taskId, ['success'])) as never
  }

  test('names without a subject and subjects without a mention are not done', async () => {
    const elements = [element('dog'), element('Dot'), element('the cat')]
    const prompt = '@DOG, @nobody and @The Cat, @dogs; write to a@example.com'
    const { understood } = await recordOf(variantB, { prompt, image_url: [image], elements })
    assert.deepEqual(understood.notDone, [
      '@nobody (no such element)',
      '@dogs (no such element)',
      'Dot (not mentioned in the prompt)',
    ])
    const shot = { customize_multi_shots: true, multi_prompt: [{ prompt: '@dog runs', duration: 3 }] }
    const ofShot = await recordOf(variantB, { image_url: [image], elements: [element('dog')], ...shot })
    assert.deepEqual(ofShot.understood.notDone, [])
    const turbo = await recordOf(variantA, { prompt: 'see @dog', image_url: image })
    assert.deepEqual(turbo.understood.notDone, ['@dog (no such element)'])
    const explain = (model?: string) => service().api.post('/api/v1/prompts/explain', { prompt: 'see @dog', model })
    assert.deepEqual((await explain(variantA)).body.data.notDone, ['@dog (no such element)'])
    for (const model of [variantB, undefined]) assert.deepEqual((await explain(model)).body.data.notDone, [])
  })

  test('shots that would last less than a second are refused with both sums', async () => {
    const short = await create(variantB, { image_url: [image], duration: '3', ...shotsOf(1, 5, 5, 5, 4, 1) })
    assert.equal(short.status, 422)
    assert.equal(short.body.errors[0].field, 'input.multi_prompt')
    assert.match(short.body.msg, /add up to 21 s and the video has 3 s: shot 1 would last 0\.14 s/)
    const long = await create(variantB, { image_url: [image], ...shotsOf(1, 15, 15) })
    assert.equal(long.status, 422)
    assert.match(long.body.msg, /add up to 31 s and the video has 15 s/)
    const unused = { ...shotsOf(1, 5, 5), customize_multi_shots: false }
    assert.equal((await create(variantB, { image_url: [image], duration: '3', ...unused })).status, 200)
  })

  test('other changes of a length are told', async () => {
    const image_url = [image]
    const shrunk = await recordOf(variantB, { image_url, duration: '5', ...shotsOf(4, 6) })
    assert.deepEqual(shrunk.video.adjusted, ['shots fitted from 10 s to 5 s'])
    const stretched = await recordOf(variantB, { image_url, ...shotsOf(1, 1) })
    assert.deepEqual(stretched.video.adjusted, ['shots fitted from 2 s to 3 s'])
    const kept = await recordOf(variantB, { image_url, duration: '4', ...shotsOf(1, 3) })
    assert.deepEqual(kept.video.adjusted, [])
  })

  test('a stream of a task that has ended begins with its state', async () => {
    const taskId = await service().api.createTask()
    await service().api.until(taskId, ['success'])
    const { text } = await service().api.get(`/api/v1/jobs/events?taskId=${taskId}`)
    assert.deepEqual(text.match(/(?<=^event: )\w+/gm), ['state', 'end'])
  })

  test('a parameter that is given twice is named as that', async () => {
    const twice = await service().api.get('/api/v1/jobs/recordInfo?taskId=a&taskId=b')
    assert.equal(twice.body.msg, 'query.taskId: was given twice; give it once')
  })

  test('a path that is not in the catalogue is told apart', async () => {
    const { api } = service()
    const video = await api.post('/v1/inference/videomodel/v2-5-turbo', { input: { prompt: 'a', image_url: image } })
    assert.equal(video.status, 404)
    assert.match(
      video.body.msg,
      new RegExp(`no video model "videomodel/v2-5-turbo"; there is ${variantA}, ${variantB}`),
    )
    const wrong = await api.post('/v1/inference/some/encoder', { texts: ['a'] })
    assert.equal(wrong.status, 422)
    const served = 'some/encoder is not in the catalogue, and is served by google/universal-sentence-encoder'
    assert.equal(wrong.body.msg, `inputs: is required; ${served}`)
    const queued = await api.post(`/v1/inference/${variantA}`, {
      input: { prompt: 'a', image_url: image },
      webhook: 'http://127.0.0.1:9/',
    })
    assert.equal(queued.headers.get('location'), `/v1/inference/requests/${queued.body.request_id}`)
    assert.deepEqual(Object.keys(queued.body), ['request_id', 'status', 'inference_status'])
  })
})
