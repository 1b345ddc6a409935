// The studio through the front door: input files from storage in, a video in storage out, and played on from there.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { requestOf, type TaskRow, videoOf as videoStored } from '../../../src/tasks/store/task-row.ts'
import { isChained } from '../../support/places/places.ts'
import { variantB } from '../../support/service/api.ts'
import { uploadImage } from '../../support/service/chain.ts'
import { describeService } from '../../support/service/suite.ts'
import { picturesOf } from './support/video-facts.ts'

const env = { TEST_ENGINE: 'studio', DAILIES_MODERATION: 'off', DAILIES_RENDER_SLOTS: '1' }
const withinMs = 120_000

describeService('the studio', { env }, (service) => {
  const videoOf = async (taskId: string) => {
    const end = await service().api.until(taskId, ['success', 'fail'], withinMs)
    assert.equal(end.state, 'success', JSON.stringify(end))
    return (await service().api.get(`/api/v1/video/recordInfo?taskId=${taskId}`)).body.data.videoInfo
  }
  const bytesOf = async (url: string, range: string) => {
    const answer = await fetch(url, { headers: { range } })
    assert.equal(answer.status, 206)
    return Buffer.from(await answer.arrayBuffer())
  }

  test('makes a video of an uploaded image, which is extended from its last frame', async () => {
    const image_url = await uploadImage(service(), 320, 320)
    const input = { prompt: 'a slow push in', image_urls: [image_url, image_url], duration: 3 }
    const created = await service().api.post('/api/v1/jobs/createTask', { model: variantB, input })
    assert.equal(created.status, 200, created.text)
    const first = created.body.data.taskId
    const video = await videoOf(first)
    assert.equal((await bytesOf(video.videoUrl, 'bytes=4-7')).toString(), 'ftyp')
    assert.deepEqual([...(await bytesOf(video.imageUrl, 'bytes=0-1'))], [0xff, 0xd8])
    const extension = { taskId: first, prompt: 'and back', duration: 3 }
    const extended = await service().api.post('/api/v1/video/extend', extension)
    assert.equal(extended.status, 200, extended.text)
    const more = await videoOf(extended.body.data.taskId)
    assert.equal((await bytesOf(more.videoUrl, 'bytes=4-7')).toString(), 'ftyp')
    assert.notEqual(more.videoId, video.videoId)
    const taskOf = async (id: string) =>
      (await service().app.db.all<TaskRow>(`select * from tasks where id = '${id}'`))[0]!
    const { momentum, wideFrame } = videoStored(await taskOf(extended.body.data.taskId))!
    // A service in front of another gets videos over the API, which does not say how the camera moves.
    assert.equal(momentum === undefined, isChained)
    if (momentum) assert.ok(Object.values(momentum).some((speed) => speed !== 0))
    const again = await service().api.post('/api/v1/video/extend', { ...extension, taskId: extended.body.data.taskId })
    const request = requestOf(await taskOf(again.body.data.taskId))
    assert.deepEqual(request.momentum, momentum)
    // The wide frame is kept with the video, and is not what records name as the first frame.
    assert.equal(wideFrame === undefined, isChained)
    assert.deepEqual(request.wideFrame?.area, wideFrame?.area)
    if (request.wideFrame) assert.equal((await fetch(request.wideFrame.image.url)).status, 200)
    assert.match(request.firstFrame.url, /last-frame\.jpg$/)
    await service().api.post('/api/v1/jobs/cancelTask', { taskId: again.body.data.taskId })
  })

  test('the same request and seed give the same pictures, and another seed others', async () => {
    const image_url = await uploadImage(service(), 320, 320)
    const folder = await mkdtemp(join(tmpdir(), 'seeds-'))
    const pictureOf = async (seed: number) => {
      const input = { prompt: 'static shot, snow', image_urls: [image_url], duration: 3, seed }
      const created = await service().api.post('/api/v1/jobs/createTask', { model: variantB, input })
      assert.equal(created.status, 200, created.text)
      const { videoUrl } = await videoOf(created.body.data.taskId)
      const path = join(folder, 'video.mp4')
      await writeFile(path, new Uint8Array(await (await fetch(videoUrl)).arrayBuffer()))
      return (await picturesOf(path))[36]!.y
    }
    const [one, again, other] = [await pictureOf(7), await pictureOf(7), await pictureOf(8)]
    await rm(folder, { recursive: true })
    assert.ok(Buffer.from(one).equals(again))
    const differing = one.filter((level, i) => Math.abs(level - other[i]!) > 20).length / one.length
    assert.ok(differing > 0.005, `${differing} of the picture differs`)
  })

  test('leaves no input files behind', async () => {
    await service().app.upkeep()
    assert.deepEqual(await service().app.db.all(`select token from files where purpose = 'input'`), [])
  })
})
