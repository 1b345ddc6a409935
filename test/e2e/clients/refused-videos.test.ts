// A request to /v1/videos that is refused, and what it leaves behind: nothing of the picture that it carries.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { png } from '../../support/files/image-files.ts'
import { type Caller, newCaller, newSubKey } from '../../support/service/callers.ts'
import { startService, type TestService } from '../../support/service/service.ts'
import { untilTrue } from '../../support/until.ts'

describe('a refused video', { timeout: 60_000 }, () => {
  let service: TestService
  let image: Buffer
  before(async () => {
    service = await startService()
    image = await png(640, 360)
  })
  after(() => service?.stop())

  type Change = { prompt?: string; model?: string; image?: Buffer }
  const post = async (key: string, headers: Record<string, string>, body: string | FormData) => {
    const auth = { authorization: `Bearer ${key}` }
    const response = await fetch(`${service.url}/v1/videos`, { method: 'POST', headers: { ...auth, ...headers }, body })
    return { status: response.status, body: (await response.json()) as { id?: string; error?: { message: string } } }
  }
  const ways = {
    form(key: string, { image: bytes = image, ...fields }: Change = {}, headers: Record<string, string> = {}) {
      const form = new FormData()
      for (const [name, value] of Object.entries({ prompt: 'a boat', ...fields })) form.append(name, value)
      form.append('input_reference', new Blob([Uint8Array.from(bytes)]), 'boat.png')
      return post(key, headers, form)
    },
    json(key: string, { image: bytes = image, ...fields }: Change = {}, headers: Record<string, string> = {}) {
      const image_url = `data:image/png;base64,${bytes.toString('base64')}`
      const body = JSON.stringify({ prompt: 'a boat', ...fields, input_reference: { image_url } })
      return post(key, { 'content-type': 'application/json', ...headers }, body)
    },
  }

  const uploadsOf = async ({ accountId }: Caller) =>
    service.app.db.all(`select token from files where account_id = ? and purpose = 'upload' and expires_at > ?`, [
      accountId,
      Date.now(),
    ])

  async function storedFiles(): Promise<string[]> {
    if (!existsSync(service.filesDir)) return []
    const entries = await readdir(service.filesDir, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  }

  async function assertNothingIsLeft(caller: Caller, before: string[]): Promise<void> {
    assert.deepEqual(await uploadsOf(caller), [])
    assert.deepEqual((await storedFiles()).toSorted(), before.toSorted())
    await untilTrue('local files are deleted', async () => {
      const names = await readdir(join(service.dataDir, 'tmp'), { recursive: true })
      return !names.some((name) => name.includes('upload-'))
    })
  }

  const rich = () => newCaller(service, 100_000)
  const operator = (path: string, body: object) => service.api.post(`/api/v1/operator/${path}`, body)
  const refusals: Record<string, { status: number; from?: () => Promise<Caller>; change?: Change; key?: string }> = {
    'an unknown key': { status: 401, key: 'no-such-key-at-all' },
    'an unknown model': { status: 404, change: { model: 'sora-2' } },
    'a wrong prompt': { status: 422, change: { prompt: '' } },
    'a picture that is none': { status: 422, change: { image: Buffer.from('not a picture') } },
    'too few credits': { status: 402, from: () => newCaller(service, 1) },
    'a credit limit': { status: 433, from: async () => newSubKey(service, await rich(), { creditLimit: 1 }) },
    'a key without files:write': {
      status: 404,
      from: async () => newSubKey(service, await rich(), { scopes: ['tasks:read', 'tasks:write'] }),
    },
  }

  for (const [way, send] of Object.entries(ways)) {
    for (const [why, { status, from = rich, change, key }] of Object.entries(refusals)) {
      test(`for ${why}, as ${way}, leaves no picture`, async () => {
        const caller = await from()
        const before = await storedFiles()
        const answer = await send(key ?? caller.key, change)
        assert.equal(answer.status, status, JSON.stringify(answer.body))
        await assertNothingIsLeft(caller, before)
      })
    }

    test(`over its rate, as ${way}, leaves no picture`, async () => {
      const parent = await rich()
      const made = await parent.api.post('/api/v1/keys', { name: 'limited', rate: '1/1m' })
      assert.equal(made.status, 200, made.text)
      const before = await storedFiles()
      const statuses = []
      for (let i = 0; i < 2; i++) statuses.push((await send(made.body.data.key, { prompt: '' })).status)
      assert.deepEqual(statuses, [422, 429])
      await assertNothingIsLeft(parent, before)
    })

    test(`while uploads or new work are switched off, as ${way}, leaves no picture`, async () => {
      const caller = await rich()
      const before = await storedFiles()
      await operator('features', { name: 'uploads', enabled: false })
      try {
        assert.equal((await send(caller.key)).status, 505)
      } finally {
        await operator('features', { name: 'uploads', enabled: true })
      }
      await operator('maintenance', { on: true })
      try {
        assert.equal((await send(caller.key)).status, 455)
      } finally {
        await operator('maintenance', { on: false })
      }
      await assertNothingIsLeft(caller, before)
    })
  }

  test('requests that repeat each other keep one picture', async () => {
    const caller = await rich()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => ways.form(caller.key, {}, { 'idempotency-key': 'once' })),
    )
    const ids = new Set(answers.map(({ body }) => body.id))
    assert.equal(ids.size, 1, JSON.stringify(answers))
    await untilTrue('one picture is left', async () => (await uploadsOf(caller)).length === 1)
  })
})
