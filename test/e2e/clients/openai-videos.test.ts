// OpenAI's own client, unmodified, makes videos here; and its JSON form, repeated requests and refusals by plain HTTP.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import OpenAI, { APIError, toFile } from 'openai'
import { jpeg } from '../../support/files/image-files.ts'
import { variantA, variantB } from '../../support/service/api.ts'
import { startService, type TestService, testKey } from '../../support/service/service.ts'

describe("OpenAI's client makes videos", { timeout: 60_000 }, () => {
  let service: TestService
  let client: OpenAI
  let image: Buffer
  before(async () => {
    service = await startService()
    client = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: testKey, maxRetries: 0 })
    image = await jpeg(640, 360)
  })
  after(() => service?.stop())

  const file = () => toFile(image, 'boat.jpg', { type: 'image/jpeg' })
  const ended = async (id: string) => {
    await service.api.until(id, ['success', 'fail'], 20_000)
    return client.videos.retrieve(id)
  }

  test('creates, waits, reads, lists, downloads and deletes', async () => {
    const created = await client.videos.create({
      prompt: 'a boat, push in',
      model: variantA as 'sora-2',
      seconds: '8',
      size: '1280x720',
      input_reference: await file(),
    })
    assert.equal(created.object, 'video')
    assert.ok(['queued', 'in_progress', 'completed'].includes(created.status))
    const video = await ended(created.id)
    assert.deepEqual([video.status, video.progress, video.model], ['completed', 100, variantA], JSON.stringify(video))
    assert.equal(video.seconds, '10')
    const content = await client.videos.downloadContent(created.id)
    const bytes = Buffer.from(await content.arrayBuffer())
    assert.equal(bytes.toString('latin1', 4, 8), 'ftyp')
    const record = (await service.api.get(`/api/v1/jobs/recordInfo?taskId=${created.id}`)).body.data
    assert.equal(record.state, 'success')
    const ids: string[] = []
    for await (const each of client.videos.list({ limit: 1 })) ids.push(each.id)
    assert.ok(ids.includes(created.id))
    assert.deepEqual(await client.videos.delete(created.id), {
      id: created.id,
      object: 'video.deleted',
      deleted: true,
    })
    await assert.rejects(
      client.videos.retrieve(created.id),
      (error) => error instanceof APIError && error.status === 404,
    )
  })

  test('a failed video has its reason, and one under way is canceled by its deletion', async () => {
    const failing = await client.videos.create({ prompt: 'script: fail out of film', input_reference: await file() })
    const failed = await ended(failing.id)
    assert.deepEqual([failed.status, failed.error], ['failed', { code: 'engine_failed', message: 'out of film' }])
    const stalling = await client.videos.create({ prompt: 'script: stall', input_reference: await file() })
    assert.equal((await client.videos.delete(stalling.id)).deleted, true)
  })

  test('the first frame may be a URL, which the client sends as a field of a form', async () => {
    const image_url = 'http://127.0.0.1:9/boat.png'
    const { id } = await client.videos.create({ prompt: 'a boat', input_reference: { image_url } })
    const record = (await service.api.get(`/api/v1/jobs/recordInfo?taskId=${id}`)).body.data
    assert.equal(JSON.parse(record.param).input.image_url, image_url)
    await assert.rejects(
      client.videos.create({ prompt: 'a boat', input_reference: { file_id: 'file-1' } }),
      (error) =>
        error instanceof APIError && error.status === 422 && /input_reference: must be an image/.test(error.message),
    )
  })

  test('a video that several requests delete at once is deleted once, and then not there', async () => {
    const { id } = await client.videos.create({ prompt: 'script: stall', input_reference: await file() })
    const headers = { authorization: `Bearer ${testKey}` }
    const all = (method: string) =>
      Promise.all(
        Array.from({ length: 8 }, async () => {
          const response = await fetch(`${service.url}/v1/videos/${id}`, { method, headers })
          await response.text()
          return response.status
        }),
      )
    // Opens the connections, so that the deletions arrive together.
    await all('GET')
    assert.deepEqual((await all('DELETE')).toSorted(), [200, ...Array(7).fill(404)])
  })

  const post = (body: object, headers: Record<string, string> = {}) =>
    fetch(`${service.url}/v1/videos`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

  test('JSON with a data URL is taken too, and a repeated key makes one video', async () => {
    const input_reference = { image_url: `data:image/jpeg;base64,${image.toString('base64')}` }
    const body = { model: variantB, prompt: 'a boat', seconds: 3, size: '1920x1080', input_reference }
    const headers = { 'idempotency-key': 'once' }
    const [first, second] = await Promise.all([post(body, headers), post(body, headers)])
    const videos = (await Promise.all([first.json(), second.json()])) as { id?: string }[]
    const ids = videos.map(({ id }) => id)
    assert.ok(ids[0] !== undefined && ids[0] === ids[1], JSON.stringify(videos))
    const record = (await service.api.get(`/api/v1/jobs/recordInfo?taskId=${ids[0]}`)).body.data
    assert.equal(JSON.parse(record.param).input.resolution, '1080p')
    const other = await post({ ...body, prompt: 'a ship' }, headers)
    assert.equal(other.status, 422)
    // The scheme of a URL is the same in upper and lower case, and the image counts by its bytes.
    const upper = { image_url: `Data:Image/JPEG;Base64,${image.toString('base64')}` }
    const third = (await (await post({ ...body, input_reference: upper }, headers)).json()) as { id?: string }
    assert.equal(third.id, ids[0])
  })

  test('a repeated request gets its response before its image is stored again', async () => {
    const small = await startService({ DAILIES_UPLOAD_QUOTA: `${image.length}B` })
    try {
      const create = async (key: string) => {
        const body = new FormData()
        body.append('prompt', 'a boat')
        body.append('input_reference', new Blob([Uint8Array.from(image)]), 'boat.jpg')
        const headers = { authorization: `Bearer ${testKey}`, 'idempotency-key': key }
        const response = await fetch(`${small.url}/v1/videos`, { method: 'POST', headers, body })
        return (await response.json()) as { id?: string; error?: { param: string } }
      }
      const first = await create('once')
      assert.ok(first.id, JSON.stringify(first))
      const again = await create('once')
      assert.equal(again.id, first.id, JSON.stringify(again))
      // There is no room for another image.
      assert.equal((await create('twice')).error?.param, 'input_reference')
    } finally {
      await small.stop()
    }
  })

  const postForm = async (fields: Record<string, string | Blob>) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    const headers = { authorization: `Bearer ${testKey}` }
    const response = await fetch(`${service.url}/v1/videos`, { method: 'POST', headers, body })
    const { error } = (await response.json()) as { error?: { message: string } }
    return { status: response.status, message: error?.message }
  }

  test('a form is bounded, whatever stands in it', async () => {
    const input_reference = new Blob([Uint8Array.from(image)])
    assert.equal((await postForm({ input_reference, prompt: 'the file first' })).status, 200)
    const long = await postForm({ prompt: 'a boat '.repeat(10_000), input_reference })
    assert.deepEqual(long, { status: 422, message: 'prompt: must be at most 32 KiB as a field of a form' })
    const large = await postForm({ prompt: 'a boat', input_reference: new Blob([new Uint8Array(31 * 2 ** 20)]) })
    assert.deepEqual(large, { status: 422, message: 'input_reference: must be at most 30 MB' })
    const withoutFile = await postForm({ prompt: 'a boat' })
    assert.deepEqual(withoutFile, { status: 422, message: 'input_reference: is required' })
    for (const image of [input_reference, new Blob([new Uint8Array(200_000)])]) {
      const misnamed = await postForm({ prompt: 'a boat', image })
      const message =
        'input_reference: is required as a part of the multipart form (the file of this form is named image)'
      assert.deepEqual(misnamed, { status: 422, message })
    }
  })

  test('the image may have any file name', async () => {
    for (const name of [`${'\u6d77'.repeat(400)}.jpg`, 'a\0b.jpg', 'half \ud83d', '..', '']) {
      const part = Buffer.concat([
        Buffer.from('--form\r\ncontent-disposition: form-data; name="prompt"\r\n\r\na boat\r\n--form\r\n'),
        Buffer.from(`content-disposition: form-data; name="input_reference"; ${fileName(name)}\r\n`),
        Buffer.from('content-type: image/jpeg\r\n\r\n'),
        image,
        Buffer.from('\r\n--form--\r\n'),
      ])
      const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'multipart/form-data; boundary=form' }
      const response = await fetch(`${service.url}/v1/videos`, { method: 'POST', headers, body: part })
      assert.equal(response.status, 200, `${JSON.stringify(name)}: ${await response.text()}`)
      const [upload] = (await service.api.get('/api/v1/files')).body.data.items
      assert.ok(upload.fileName.length <= 200 && !upload.fileName.includes('\0'), upload.fileName)
    }
  })

  test("refusals are in OpenAI's shape and name the client's own fields", async () => {
    const refused = async (body: object) => {
      const response = await post(body)
      const { error } = (await response.json()) as { error: { message: string; param: string | null; code: string } }
      return { status: response.status, ...error }
    }
    const withoutImage = await refused({ prompt: 'a boat' })
    assert.deepEqual([withoutImage.status, withoutImage.param], [422, 'input_reference'])
    const input_reference = 'https://example.com/a.jpg'
    assert.equal((await refused({ prompt: 'a boat', seconds: 30, input_reference })).param, 'seconds')
    for (const inline of ['data:image/png;base64,AAAA', 'data:image/png;base64,*', 'data:,x']) {
      assert.equal((await refused({ prompt: 'a boat', input_reference: inline })).param, 'input_reference', inline)
    }
    // Wrong fields are named all at once, and nothing is stored for them.
    const uploads = async () => (await service.api.get('/api/v1/files')).body.data.items.length
    const before = await uploads()
    const longPrompt = 'a boat '.repeat(400)
    const dataUrl = `data:image/jpeg;base64,${image.toString('base64')}`
    for (const [body, params] of [
      [{ prompt: longPrompt, size: 'large' }, ['size', 'prompt', 'input_reference']],
      [{ seconds: 99, size: 'large' }, ['prompt', 'seconds', 'size', 'input_reference']],
      [{ model: variantB, prompt: ' ', size: 'large', input_reference: dataUrl }, ['size', 'prompt']],
      [{ prompt: longPrompt, seconds: 30, input_reference: dataUrl }, ['prompt', 'seconds']],
      [{ prompt: longPrompt, input_reference: 'ftp://example.com/a.jpg' }, ['prompt', 'input_reference']],
      [{ prompt: longPrompt, input_reference: 7 }, ['input_reference', 'prompt']],
      [{ model: 'sora-2', size: 'large' }, ['prompt', 'size']],
      [['prompt'], ['body']],
    ] as [object, string[]][]) {
      const { status, message } = await refused(body)
      assert.equal(status, 422)
      assert.deepEqual(
        message.split('; ').map((problem) => problem.split(':')[0]),
        params,
        message,
      )
    }
    assert.equal(await uploads(), before)
    const unknown = await refused({ prompt: 'a boat', model: 'sora-2', input_reference })
    assert.deepEqual([unknown.status, unknown.code], [404, 'model_not_found'])
    const keyless = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: 'wrong', maxRetries: 0 })
    await assert.rejects(keyless.videos.retrieve('x'), (error) => error instanceof APIError && error.status === 401)
  })

  test('an invalid id does not restart the list', async () => {
    const page = async (query: string) => {
      const headers = { authorization: `Bearer ${testKey}` }
      const response = await fetch(`${service.url}/v1/videos?${query}`, { headers })
      return { status: response.status, body: (await response.json()) as { error?: { param: string } } }
    }
    const { status, body } = await page('limit=1&after=video_123')
    assert.deepEqual([status, body.error?.param], [422, 'query.after'])
    assert.equal((await page('limit=1&after=01a1e6d2-fbff-7000-ba98-83258d5d6af6')).status, 200)
  })
})

/** The parameter of a part that names its file; in UTF-16, which can carry half of a surrogate pair. */
function fileName(name: string): string {
  const bytes = [...Buffer.from(name, 'utf16le')]
  return `filename*=utf-16le''${bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')}`
}
