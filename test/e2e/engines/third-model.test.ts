// A model that is one file and one line of the catalogue: every way in and out of the service knows its fields.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Dailies } from '../../../client/src/public.ts'
import { checkFiles, readRequest, uploadFiles } from '../../../src/cli/tasks/request.ts'
import { videoModels } from '../../../src/models/catalogue.ts'
import { jpeg } from '../../support/files/image-files.ts'
import { thirdModel } from '../../support/models/third-model.ts'
import { places, type TestPlace } from '../../support/places/places.ts'
import { type Chain, startChain, uploadImage } from '../../support/service/chain.ts'
import { testKey } from '../../support/service/service.ts'

const models = [...videoModels, thirdModel]
const model = thirdModel.id

describe('a third model', () => {
  let place: TestPlace
  let chain: Chain
  let start_picture: string
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dailies-third-model-'))
    place = await places[0].create()
    chain = await startChain(place.env, { models })
    start_picture = await uploadImage(chain.front)
  })
  after(async () => {
    await chain?.stop()
    await place?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const create = (input: object) => chain.front.api.post('/api/v1/jobs/createTask', { model, input })
  const inputOf = (record: Record<string, unknown>) => JSON.parse(String(record.param)).input
  /** What the service behind the first one was sent for the newest task. */
  const sentOn = async () => {
    const [newest] = (await chain.back.api.get('/api/v1/jobs/list?limit=1')).body.data.items
    assert.equal(newest.model, model)
    return inputOf(newest)
  }

  test('is created, priced, and sent on in its own fields', async () => {
    const input = { text: 'a boat', start_picture, end_picture: start_picture, length: 6, quality: 'uhd', sound: true }
    const scenes = [
      { text: 'wide', share: 2 },
      { text: 'close', share: 4 },
    ]
    const created = await create({ ...input, scenes, image_url: 'x' })
    assert.equal(created.status, 200, created.text)
    assert.equal(created.headers.get('x-credits-held'), String(6 * 7))
    assert.equal(created.headers.get('x-ignored-fields'), 'input.image_url')
    const record = await chain.front.api.until(created.body.data.taskId, ['success', 'fail'], 30_000)
    assert.equal(record.state, 'success', JSON.stringify(record))
    assert.equal(record.creditsConsumed, 6 * 7)
    const sent = await sentOn()
    assert.ok(sent.start_picture.startsWith(chain.back.url))
    const { start_picture: first, end_picture: last, ...others } = sent
    assert.equal(first, last)
    assert.deepEqual(others, { text: 'a boat', length: 6, quality: 'uhd', sound: true, scenes })
  })

  test('is validated by its own rules, and its fields are named in failures', async () => {
    const refused = await create({ text: '', start_picture, length: 5 })
    assert.equal(refused.status, 422)
    assert.match(refused.body.msg, /input\.text: must not be empty/)
    assert.match(refused.body.msg, /input\.length: must be "4", "6" or "8"/)
    const { body } = await create({ text: 'a boat', start_picture: `${chain.front.url}/files/none` })
    const failed = await chain.front.api.until(body.data.taskId, ['fail'])
    assert.match(String(failed.failMsg), /^start_picture: /)
  })

  test('is in the OpenAPI document and among the models', async () => {
    const document = (await chain.front.as(null).get('/openapi.json')).body
    const { schema, examples } = document.paths['/api/v1/jobs/createTask'].post.requestBody.content['application/json']
    assert.ok(schema.discriminator.mapping[model])
    const shown = Object.values<{ value: { model: string; input: object } }>(examples).map(({ value }) => value)
    assert.deepEqual(shown.find((body) => body.model === model)?.input, thirdModel.example)
    const { data } = (await chain.front.api.get('/v1/models')).body
    const listed = data.find(({ id }: { id: string }) => id === model)
    assert.deepEqual(listed.prices, { hd: 3, uhd: 7 })
    assert.ok(listed.inputSchema.properties.start_picture)
  })

  test('is served to clients of OpenAI, with the next length that it makes', async () => {
    const video = { model, prompt: 'a boat', seconds: 5, size: '3840x2160', input_reference: start_picture }
    const created = await chain.front.api.post('/v1/videos', video)
    assert.equal(created.status, 200, created.text)
    assert.equal(created.body.seconds, '6')
    await chain.front.api.until(created.body.id, ['success'], 30_000)
    assert.deepEqual(inputOf(await chain.front.api.record(created.body.id)), {
      text: 'a boat',
      start_picture,
      length: 6,
      quality: 'uhd',
    })
    const refused = await chain.front.api.post('/v1/videos', { model, prompt: 'x'.repeat(301), seconds: 12 })
    assert.equal(refused.status, 422)
    for (const field of ['prompt', 'seconds', 'input_reference']) {
      assert.match(refused.body.error.message, new RegExp(`(^|; )${field}: `))
    }
  })

  test('is served as inference', async () => {
    const input = { text: 'a boat', start_picture }
    const { status, body } = await chain.front.api.post(`/v1/inference/${model}`, { input })
    assert.deepEqual([status, body.inference_status.status, body.results.seconds], [200, 'succeeded', 4])
  })

  test('is what the command line writes, with local files uploaded', async () => {
    const [image, last] = ['a.jpg', 'b.jpg'].map((name) => join(folder, name)) as [string, string]
    for (const path of [image, last]) await writeFile(path, await jpeg(320, 180))
    const flags = { model, image, prompt: 'a boat', 'tail-image': last, duration: '8', resolution: '720p' }
    const request = await readRequest({ ...flags, shot: ['3:wide', '5:close'], 'negative-prompt': 'blur' }, models)
    await checkFiles(request, models)
    const client = new Dailies({ baseUrl: chain.front.url, apiKey: testKey })
    const { input } = await uploadFiles(client, request, AbortSignal.timeout(10_000), models)
    for (const name of ['start_picture', 'end_picture']) assert.match(String(input[name]), /\/files\//)
    const created = await create(input)
    assert.equal(created.status, 200, created.text)
    assert.equal(created.headers.get('x-ignored-fields'), 'input.negative_prompt')
    const record = await chain.front.api.record(created.body.data.taskId)
    const { start_picture: _first, end_picture: _last, ...others } = inputOf(record)
    const scenes = [
      { text: 'wide', share: 3 },
      { text: 'close', share: 5 },
    ]
    assert.deepEqual(others, { text: 'a boat', length: '8', quality: 'hd', scenes })
    // A file that was written for another model is written anew.
    const file = join(folder, 'request.json')
    await writeFile(file, JSON.stringify({ image_url: image, tail_image_url: last }))
    const again = await readRequest({ model, prompt: 'a boat', input: file }, models)
    assert.deepEqual(again.input, { text: 'a boat', start_picture: image, end_picture: last })
  })
})
