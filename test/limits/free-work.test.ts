// What a key can have computed without paying is bounded by a budget that refills, on both databases.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { startImageServer } from '../support/network/image-server.ts'
import { databases, type TestPlace } from '../support/places/places.ts'
import { type Api, taskBody } from '../support/service/api.ts'
import { newCaller, newSubKey } from '../support/service/callers.ts'
import { startOneService, type TestService } from '../support/service/one-service.ts'
import { untilTrue } from '../support/until.ts'

const message = /has used up its computing time/

for (const { name, create } of databases) {
  describe(`unpaid work on ${name}`, () => {
    let place: TestPlace
    let service: TestService
    let picture: string
    before(async () => {
      place = await create()
      // The studio's own preparation, so that prompts and images are really looked at.
      const fetchInputs = {
        fetchInputs: (task: never, held: never, usual: (...args: never[]) => never) => usual(task, held),
      }
      service = await startOneService({ ...place.env, DAILIES_FREE_WORK: '1s/20s' }, fetchInputs as object)
      const image = sharp({ create: { width: 900, height: 900, channels: 3, background: '#368' } })
      picture = (await image.png().toBuffer()).toString('base64')
    })
    after(async () => {
      await service?.stop()
      await place?.stop()
    })

    const upload = (api: Api) => api.post('/api/v1/files/upload', { base64Data: picture, fileName: 'a.png' })

    /** Uploads until the key is refused, and returns the refusal. */
    async function exhaust(api: Api) {
      for (let i = 0; i < 500; i++) {
        const answer = await upload(api)
        if (answer.status !== 200) return answer
      }
      return assert.fail('500 uploads were accepted')
    }

    /** The budget refills with time, so on a slow machine a creation may still find some of it. */
    async function createWhenExhausted(api: Api) {
      for (let i = 0; i < 20; i++) {
        await exhaust(api)
        const created = await api.post('/api/v1/jobs/createTask', taskBody())
        if (created.status !== 200) return created
      }
      return assert.fail('20 creations were accepted')
    }

    test('uploads are refused with 429 beyond the budget, for this key alone, until it refills', async () => {
      const [greedy, other] = [await newCaller(service, 1000), await newCaller(service, 1000)]
      const sibling = await newSubKey(service, greedy)
      const refused = await exhaust(greedy.api)
      assert.equal(refused.status, 429)
      assert.match(refused.body.msg, message)
      const retryAfterS = Number(refused.headers.get('retry-after'))
      assert.ok(retryAfterS >= 1, `retry-after ${retryAfterS}`)
      const created = await createWhenExhausted(greedy.api)
      assert.deepEqual([created.status, created.body.data], [429, null])
      assert.equal((await greedy.api.get('/api/v1/jobs/list')).status, 200)
      assert.equal((await upload(other.api)).status, 200)
      assert.equal((await upload(sibling.api)).status, 200)
      await untilTrue('the budget refills', async () => (await upload(greedy.api)).status === 200, 60_000)
    })

    test('the keys of an account have no more than four budgets together', async () => {
      const main = await newCaller(service, 1000)
      const used = await Promise.all(
        Array.from({ length: 8 }, async () => exhaust((await newSubKey(service, main)).api)),
      )
      assert.ok(used.every(({ status }) => status === 429))
      const fresh = await newSubKey(service, main)
      assert.equal((await upload(fresh.api)).status, 429)
    })

    test('tasks that fail count, tasks that succeed do not', async () => {
      const images = await startImageServer()
      try {
        const paying = await newCaller(service, 100_000)
        for (let i = 0; i < 3; i++) {
          const taskId = await paying.api.createTask('a boat', { image_url: `${images.origin}/photo.jpg` })
          await paying.api.until(taskId, ['success'], 60_000)
        }
        assert.equal(await usedBy(paying.keyId), undefined)
        const failing = await newCaller(service, 100_000)
        const taskId = await failing.api.createTask('a boat')
        await failing.api.until(taskId, ['fail'], 60_000)
        await untilTrue('the failed task is counted', async () => (await usedBy(failing.keyId)) !== undefined)
      } finally {
        await images.close()
      }
    })

    const usedBy = async (owner: string) =>
      (await service.app.db.one<{ used_ms: number }>('select used_ms from free_work where owner = ?', [owner]))?.used_ms

    test('what has refilled is forgotten', async () => {
      const { api, keyId } = await newCaller(service, 1000)
      await upload(api)
      await untilTrue('the upload is counted', async () => (await usedBy(keyId)) !== undefined)
      await untilTrue(
        'the key is forgotten',
        async () => {
          await service.app.upkeep()
          return (await usedBy(keyId)) === undefined
        },
        20_000,
      )
    })
  })
}
