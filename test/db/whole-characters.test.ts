// Requests with half a character that were stored before bodies were cleaned: the migration lets PostgreSQL search them.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { postgres, type TestPlace } from '../support/places/places.ts'
import { startOneService, type TestService } from '../support/service/one-service.ts'

const file = new URL('../../src/db/migrations/0045_whole_characters.postgres.sql', import.meta.url)

describe('stored requests with half a character', () => {
  let place: TestPlace
  let service: TestService

  before(async () => {
    place = await postgres.create()
    service = await startOneService(place.env)
  })
  after(async () => {
    await service?.stop()
    await place?.stop()
  })

  test('are searched after the migration, and nothing else of them has changed', async () => {
    const { api, app } = service
    const boat = await api.createTask('a boat')
    const cat = await api.createTask('a HERE cat \\ud83d "quoted" \u{1f600}')
    const halves = String.raw`\ud83d\udc00\ud83d\u0000\\\\\udfff`
    // As earlier programs stored them.
    await app.db.run('update tasks set search_text = null, video_order = replace(video_order, ?, ?)', ['HERE', halves])
    const search = (q: string) => api.get(`/api/v1/jobs/list?${new URLSearchParams({ q })}`)
    assert.equal((await search('boat')).status, 500, 'without the migration')

    const statement = (await readFile(file, 'utf8')).replace(/^--.*$/gm, '').replace(/;\s*$/, '')
    await app.db.run(statement)

    const idsOf = async (q: string) => (await search(q)).body.data.items.map((item: { taskId: string }) => item.taskId)
    assert.deepEqual(await idsOf('boat'), [boat])
    const replaced = `a ${'\ufffd'.repeat(4)}\\\\\ufffd cat \\ud83d "quoted" \u{1f600}`
    assert.deepEqual(await idsOf(replaced), [cat])
  })
})
