// Code that was written for another vendor with this API: its paths for uploads and for the balance.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { jpeg } from '../../support/files/image-files.ts'
import { variantA } from '../../support/service/api.ts'
import { startService, type TestService, testKey } from '../../support/service/service.ts'

describe('clients of other services', { timeout: 60_000 }, () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service?.stop())

  test('uploads and the balance have the paths and the `success` of another vendor', async () => {
    const headers = { authorization: `Bearer ${testKey}` }
    const image = await jpeg(640, 360)
    const send = async (path: string, body: FormData | object) => {
      const isForm = body instanceof FormData
      const response = await fetch(service.url + path, {
        method: 'POST',
        headers: isForm ? headers : { ...headers, 'content-type': 'application/json' },
        body: isForm ? body : JSON.stringify(body),
      })
      return (await response.json()) as {
        success?: boolean
        code: number
        data: { downloadUrl: string; fileName: string }
      }
    }
    const form = new FormData()
    form.append('uploadPath', 'images')
    form.append('fileName', 'boat.jpg')
    form.append('file', new Blob([new Uint8Array(image)], { type: 'image/jpeg' }), 'IMG_0001.jpg')
    const streamed = await send('/api/file-stream-upload', form)
    assert.deepEqual([streamed.success, streamed.code, streamed.data.fileName], [true, 200, 'boat.jpg'])
    const base64Data = `data:image/jpeg;base64,${image.toString('base64')}`
    const encoded = await send('/api/file-base64-upload', { base64Data, uploadPath: 'images', fileName: 'b.jpg' })
    assert.equal(encoded.success, true)
    const fetched = await send('/api/file-url-upload', { fileUrl: streamed.data.downloadUrl, uploadPath: 'images' })
    assert.equal(fetched.success, true, JSON.stringify(fetched))
    const response = await fetch(`${service.url}/api/v1/chat/credit`, { headers })
    const credit = (await response.json()) as { success: boolean; data: unknown }
    assert.equal(credit.success, true)
    assert.equal(typeof credit.data, 'number')
    const made = (await service.api.post('/api/v1/keys', { name: 'customer', creditLimit: 7 })).body.data
    const ofSubKey = await fetch(`${service.url}/api/v1/chat/credit`, {
      headers: { authorization: `Bearer ${made.key}` },
    })
    assert.equal(((await ofSubKey.json()) as { data: unknown }).data, 7)
    const input = { prompt: 'a boat', image_url: encoded.data.downloadUrl, duration: '5' }
    const created = await service.api.post('/api/v1/jobs/createTask', { model: variantA, input })
    assert.equal(created.body.code, 200)
  })
})
