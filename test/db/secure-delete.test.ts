// What is deleted cannot be read from the SQLite file any more.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { places } from '../support/places/places.ts'
import { startService } from '../support/service/service.ts'

test('prompts of deleted tasks are not left in free pages', async () => {
  const place = await places[0].create()
  const service = await startService(place.env)
  const marks = Array.from({ length: 40 }, (_, i) => `mark-${i}-of-a-private-prompt`)
  // Long ones are in pages of their own.
  const filler = 'wait 0ms, '.repeat(200)
  // The names of files begin like the prompt, until the files are swept.
  const prompts = marks.map(
    (mark, i) => `a boat leaves the harbour in the morning, script: ${i % 2 ? filler : ''} ${mark}`,
  )
  try {
    const taskIds = await Promise.all(prompts.map((prompt) => service.api.createTask(prompt)))
    for (const taskId of taskIds) await service.api.until(taskId, ['success', 'fail'])
    for (const taskId of taskIds) assert.equal((await service.api.delete(`/api/v1/jobs/${taskId}`)).status, 200)
  } finally {
    // Closing the database brings everything from the write-ahead log into the file.
    await service.stop()
  }
  try {
    const folder = place.env.DAILIES_DATA!
    const files = (await readdir(folder)).filter((name) => name.startsWith('dailies.sqlite'))
    assert.ok(files.includes('dailies.sqlite'))
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'latin1')))
    const left = marks.filter((mark) => texts.some((text) => text.includes(mark)))
    assert.deepEqual(left, [])
  } finally {
    await place.stop()
  }
})
